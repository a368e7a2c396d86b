#include "pipeline/commands/file_clash.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "pipeline/terminal/whole_file.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

// What is at the place that a name of the command line has.
struct Place {
  bool IsFile() const { return !there || S_ISREG(there->st_mode); }
  bool IsFolder() const { return there && S_ISDIR(there->st_mode); }

  std::optional<struct stat> there;
  fs::path path;  // from the root, without links; empty for a stream
};

// Where a link leads, also if nothing is there.
fs::path EndOfLinks(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code failed;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, failed)); ++i)
    path = path.parent_path() / fs::read_symlink(path, failed);
  // Of a path of which nothing is there, weakly_canonical changes nothing: "./new" would not be "new".
  return fs::weakly_canonical(fs::absolute(path, failed), failed);
}

Place PlaceOf(const std::string& path, int stream) {
  struct stat status {};
  const bool is_stream = path == "-";
  const bool is_there = (is_stream ? ::fstat(stream, &status) : ::stat(path.c_str(), &status)) == 0;
  return {is_there ? std::optional(status) : std::nullopt, is_stream ? fs::path() : EndOfLinks(path)};
}

bool IsSame(const Place& a, const Place& b) {
  if (!a.there || !b.there) return !a.there && !b.there && !a.path.empty() && a.path == b.path;
  return a.there->st_dev == b.there->st_dev && a.there->st_ino == b.there->st_ino;
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::ranges::mismatch(folder, path);
  return in_folder == folder.end();
}

// Or will be, if it is not there yet: whoever reads the folder next would read it.
bool IsIn(const Place& file, const Place& folder) {
  return folder.IsFolder() && IsBelow(file.path, folder.path);
}

// The files themselves, each with the one by way of which it is written.
std::vector<NamedFile> AllWritten(std::span<const NamedFile> written) {
  std::vector<NamedFile> all;
  for (const NamedFile& file : written) {
    all.push_back(file);
    const auto beside = file.is_whole ? WholeFile::Beside(file.path) : std::nullopt;
    if (beside) all.push_back({file.flag, beside->string()});
  }
  return all;
}

}  // namespace

std::string FindClash(std::span<const NamedFile> read, std::span<const NamedFile> outputs) {
  const auto is_input = [](const NamedFile& file) { return file.path == "-"; };
  if (std::ranges::count_if(read, is_input) > 1)
    return fmt::format("{}: standard input is named twice", std::ranges::find_if(read, is_input)->flag);
  const std::vector<NamedFile> all = AllWritten(outputs);
  const std::span<const NamedFile> written = all;
  for (size_t i = 0; i < written.size(); ++i) {
    const NamedFile& file = written[i];
    const Place place = PlaceOf(file.path, STDOUT_FILENO);
    for (const NamedFile& input : read) {
      const Place source = PlaceOf(input.path, STDIN_FILENO);
      if (!place.IsFile()) continue;
      if (IsSame(place, source)) {
        return fmt::format("{}: {} is read by this command ({}); name another file", file.flag, file.path,
                           input.flag);
      }
      // As of a model that is to be made.
      if (!place.there && !place.path.empty() && IsBelow(source.path, place.path)) {
        return fmt::format("{}: {} is to be a folder that this command uses ({}); name another file",
                           file.flag, file.path, input.flag);
      }
      if (IsIn(place, source)) {
        return fmt::format("{}: {} is in a folder that is read by this command ({}); name another file",
                           file.flag, file.path, input.flag);
      }
    }
    for (const NamedFile& other : written.first(i)) {
      const bool is_stream = file.path == "-" && other.path == "-";
      const bool takes_both = place.there && S_ISCHR(place.there->st_mode) && !is_stream;
      if (!takes_both && (is_stream || IsSame(place, PlaceOf(other.path, STDOUT_FILENO))))
        return fmt::format("{}: {} is written by {}; name another file", file.flag,
                           is_stream ? "standard output" : file.path, other.flag);
    }
    // What the command prints goes there.
    if (file.path != "-" && place.there && place.IsFile() && IsSame(place, PlaceOf("-", STDOUT_FILENO)))
      return fmt::format("{}: {} is standard output; name another file", file.flag, file.path);
  }
  return {};
}

}  // namespace thresher::pipeline
