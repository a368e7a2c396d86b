// The message files below a folder, one by one, sorted by name within each folder.
//
// Called by source.cc and, for what is a Maildir or a link, by fit/folder_model.cc. Keeps in memory only the
// names in the folders on the path to the current file, and those that begin with a dot. Thread-safety: one
// thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/input/dot_names.h"

namespace thresher::pipeline {

// Whether `folder` is a Maildir: it contains cur and new.
bool IsMaildir(const std::string& folder);

// The error about symbolic links in folders, of which `first` is one (kNoInput); `instead`: what to do.
Error LinksNotFollowed(const std::string& first, size_t links, std::string_view instead);

// One text for all ways to write a path: absolute, without links, dots and the slash at its end.
std::string PlaceOf(const std::string& path);

class FolderWalk {
 public:
  // REQUIRES: `folder` is a folder or a link to one. What lies at one of the paths `left_out` is not read:
  // they are as PlaceOf makes them.
  explicit FolderWalk(std::string folder, const std::vector<std::string>& left_out = {});

  // The next file; nothing at the end. After an error (a folder that cannot be read) the next call continues
  // after that folder. Follows no symbolic links: whoever can put files into a folder could name any file of
  // the user's by a link; nor what became one, or is below one, after it was listed. How many there are is
  // the last error. Skips pipes, sockets, devices, and what source.h says.
  Result<std::optional<std::string>> Next();
  // What was passed over so far because its name begins with a dot, and may hold mail.
  const std::vector<DotName>& dot_names() const { return dot_names_; }

 private:
  struct Entry {
    std::string path;
    bool is_folder;
  };
  Result<void> List(const std::string& folder);
  void AddDotName(const std::filesystem::directory_entry& entry, bool in_maildir);
  void CountLink(const std::string& path);
  std::optional<std::string> LinkOnTheWayTo(const std::string& path) const;

  std::string root_;
  std::vector<std::string> left_out_;  // below root_, as the walk writes them
  std::vector<Entry> pending_;         // the last element is next
  size_t links_ = 0;                   // not followed
  std::string first_link_;
  std::vector<DotName> dot_names_;
};

}  // namespace thresher::pipeline
