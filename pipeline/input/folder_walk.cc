#include "pipeline/input/folder_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

}  // namespace

bool IsMaildir(const std::string& folder) {
  std::error_code ignored;
  return fs::is_directory(folder + "/cur", ignored) && fs::is_directory(folder + "/new", ignored);
}

Error LinksNotFollowed(const std::string& first, size_t links, std::string_view instead) {
  return FileError(kNoInput, first,
                   fmt::format("symbolic links in folders are not followed ({} in all): {}", links, instead));
}

std::string PlaceOf(const std::string& path) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(path, error);
  if (error) place = fs::absolute(path, error).lexically_normal();
  if (!place.has_filename() && place.has_relative_path()) place = place.parent_path();
  return place.string();
}

FolderWalk::FolderWalk(std::string folder, const std::vector<std::string>& left_out)
    : root_(std::move(folder)) {
  pending_.push_back({root_, true});
  const std::string below = (fs::path(PlaceOf(root_)) / "").string();
  for (const std::string& place : left_out) {
    if (place.starts_with(below))
      left_out_.push_back((fs::path(root_) / place.substr(below.size())).string());
  }
}

void FolderWalk::CountLink(const std::string& path) {
  if (links_++ == 0) first_link_ = path;
}

// The first folder, or what is above it, may be one.
std::optional<std::string> FolderWalk::LinkOnTheWayTo(const std::string& path) const {
  std::error_code vanished;
  for (fs::path each = path; each.native().size() > root_.size(); each = each.parent_path()) {
    if (fs::is_symlink(each, vanished)) return each.string();
  }
  return std::nullopt;
}

Result<std::optional<std::string>> FolderWalk::Next() {
  while (!pending_.empty()) {
    Entry entry = std::move(pending_.back());
    pending_.pop_back();
    if (const auto link = LinkOnTheWayTo(entry.path)) {
      CountLink(*link);
      continue;
    }
    if (!entry.is_folder) return std::move(entry.path);
    const Result<void> listed = List(entry.path);
    if (!listed) return tl::unexpected(listed.error());
  }
  if (links_ == 0) return std::nullopt;
  return tl::unexpected(LinksNotFollowed(first_link_, std::exchange(links_, 0),
                                         "name the files themselves, or copy them there"));
}

// Mail lies in the folders of a Maildir only, and an empty file has none.
void FolderWalk::AddDotName(const fs::directory_entry& entry, bool in_maildir) {
  if (IsKnownNoMail(entry.path().filename().string())) return;
  std::error_code vanished;
  const bool is_folder = entry.is_directory(vanished);
  const bool may_be_mail = !in_maildir && entry.is_regular_file(vanished) && entry.file_size(vanished) > 0;
  if (is_folder || may_be_mail) dot_names_.push_back({entry.path().string(), is_folder});
}

Result<void> FolderWalk::List(const std::string& folder) {
  const bool is_maildir = IsMaildir(folder);
  const size_t first = pending_.size();
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code vanished;
    if (name.starts_with('.')) {
      AddDotName(*entry, is_maildir);
      continue;
    }
    if (is_maildir && name == "tmp") continue;
    if (std::ranges::find(left_out_, entry->path().string()) != left_out_.end()) continue;
    const bool is_folder = entry->is_directory(vanished);  // or a link to one
    if (entry->is_symlink(vanished)) {
      // Mail lies in the folders of a Maildir only.
      if (is_folder || !is_maildir) CountLink(entry->path().string());
      continue;
    }
    if (!is_folder && (is_maildir || !entry->is_regular_file(vanished))) continue;
    pending_.push_back({entry->path().string(), is_folder});
  }
  const auto after = [](const Entry& a, const Entry& b) { return a.path > b.path; };
  std::sort(pending_.begin() + static_cast<std::ptrdiff_t>(first), pending_.end(), after);
  if (error) return tl::unexpected(FileError(kNoInput, folder, error.message()));
  return {};
}

}  // namespace thresher::pipeline
