// A record of the example log of any bytes, with the checksum that they have: it is refused, or it is an
// example that is encoded as the same bytes.
#include <xxhash.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "storage/example_codec.h"
#include "storage/model_meta.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kSeq = 7;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(thresher::storage::DecodeLogExtent(bytes));
  if (bytes.size() >= sizeof(uint64_t)) {
    const uint64_t checksum =
        XXH3_64bits_withSeed(bytes.data() + sizeof(uint64_t), bytes.size() - sizeof(uint64_t), kSeq);
    std::memcpy(bytes.data(), &checksum, sizeof checksum);
  }
  const auto example = thresher::storage::DecodeExample(kSeq, bytes);
  if (example && thresher::storage::EncodeExample(kSeq, *example) != bytes) std::abort();
  if (example && thresher::storage::DecodeExample(kSeq + 1, bytes)) std::abort();  // of another number
  return 0;
}
