// A score image of any bytes, with the checksum that they have: it is refused, or every number in it leads to
// bytes of the file.
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "storage/score_image.h"
#include "storage/store_directory.h"
#include "storage/write_file.h"
#include "tests/test_directory.h"

namespace {

using thresher::storage::ScoreImage;

// In memory, if there is such a file system.
std::filesystem::path Parent() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code error;
  return std::filesystem::is_directory(memory, error) ? memory : std::filesystem::temp_directory_path();
}

void FixChecksum(std::string* bytes) {
  constexpr size_t kChecksumAt = 16;
  constexpr size_t kCheckedFrom = 24;
  if (bytes->size() < kCheckedFrom) return;
  const uint64_t checksum = XXH3_64bits(bytes->data() + kCheckedFrom, bytes->size() - kCheckedFrom);
  std::memcpy(bytes->data() + kChecksumAt, &checksum, sizeof checksum);
}

uint64_t SumOf(const std::byte* bytes, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum += static_cast<uint64_t>(bytes[i]);
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const thresher::TestDirectory folder(Parent());
  std::string bytes(reinterpret_cast<const char*>(data), size);
  FixChecksum(&bytes);
  if (!thresher::storage::WritePrivateFile(thresher::storage::ImagePath(folder.path()), bytes)) std::abort();
  const auto image = ScoreImage::Open(folder.path());
  if (!image) return 0;
  uint64_t sum = SumOf(image->globals().data(), image->globals().size());
  for (const auto& [key, value] : image->meta()) sum += key.size() + value.size();
  std::vector<uint64_t> ids = {0, 1, UINT64_MAX / 2, UINT64_MAX};
  for (const ScoreImage::Row& row : image->Rows()) {
    ids.push_back(row.id);
    sum += SumOf(row.bytes, image->row_bytes());
  }
  std::vector<const std::byte*> rows;
  image->Find(ids, &rows);
  for (const std::byte* row : rows) sum += row == nullptr ? 0 : SumOf(row, image->row_bytes());
  return sum == UINT64_MAX ? 1 : 0;  // so that the sum is needed
}
