#include "pipeline/commands/file_clash.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>

namespace thresher::pipeline {
namespace {

// What is at the place that a name of the command line has.
struct Place {
  std::optional<struct stat> there;
  std::filesystem::path path;  // where nothing is there
};

Place PlaceOf(const std::string& path, int stream) {
  struct stat status {};
  if ((path == "-" ? ::fstat(stream, &status) : ::stat(path.c_str(), &status)) == 0) return {status, {}};
  std::error_code failed;
  return {std::nullopt, std::filesystem::weakly_canonical(path, failed)};
}

bool IsSame(const Place& a, const Place& b) {
  if (!a.there || !b.there) return !a.there && !b.there && !a.path.empty() && a.path == b.path;
  return a.there->st_dev == b.there->st_dev && a.there->st_ino == b.there->st_ino;
}

}  // namespace

std::string FindClash(std::span<const NamedFile> read, std::span<const NamedFile> written) {
  for (size_t i = 0; i < written.size(); ++i) {
    const NamedFile& file = written[i];
    const Place place = PlaceOf(file.path, STDOUT_FILENO);
    const bool is_file = !place.there || S_ISREG(place.there->st_mode);
    for (const NamedFile& input : read) {
      if (is_file && IsSame(place, PlaceOf(input.path, STDIN_FILENO)))
        return fmt::format("{}: {} is read by this command ({}); name another file", file.flag, file.path,
                           input.flag);
    }
    for (const NamedFile& other : written.first(i)) {
      const bool is_stream = file.path == "-" && other.path == "-";
      const bool takes_both = place.there && S_ISCHR(place.there->st_mode) && !is_stream;
      if (!takes_both && (is_stream || IsSame(place, PlaceOf(other.path, STDOUT_FILENO))))
        return fmt::format("{}: {} is written by {}; name another file", file.flag,
                           is_stream ? "standard output" : file.path, other.flag);
    }
  }
  return {};
}

}  // namespace thresher::pipeline
