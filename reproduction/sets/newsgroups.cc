// The 20 newsgroups as a tar archive: blocks of 512 bytes, a header before each file.
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "reproduction/sets/readers.h"

namespace thresher::reproduction {
namespace {

constexpr size_t kBlock = 512;
constexpr size_t kNameBytes = 100;
constexpr size_t kSizeAt = 124;
constexpr size_t kTypeAt = 156;

size_t OctalAt(const std::string& archive, size_t at) {
  size_t value = 0;
  std::from_chars(&archive[at], &archive[at + 11], value, 8);
  return value;
}

}  // namespace

Posts ReadNewsgroups(const std::string& folder) {
  const std::string archive = ReadSet(folder, "20news-bydate.tar.xz");
  Posts posts;
  for (size_t at = 0; at + kBlock <= archive.size() && archive[at] != '\0';) {
    const std::string path(&archive[at], strnlen(&archive[at], kNameBytes));
    const size_t size = OctalAt(archive, at + kSizeAt);
    if (archive[at + kTypeAt] == '0') {
      const size_t group = path.find('/') + 1;  // HALF/GROUP/NUMBER
      posts.groups.push_back(path.substr(group, path.find('/', group) - group));
      posts.texts.push_back(archive.substr(at + kBlock, size));
    }
    at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
  }
  if (posts.texts.empty()) throw std::runtime_error("20news-bydate.tar.xz: contains no posts");
  return posts;
}

}  // namespace thresher::reproduction
