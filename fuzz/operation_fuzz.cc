// Any bytes are refused as a record of a shared log, or are an operation that is encoded as the same bytes.
#include <xxhash.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "pipeline/cluster/operation.h"
#include "pipeline/cluster/shared_identity.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace pipeline = thresher::pipeline;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (const auto identity = pipeline::ReadSharedIdentity(bytes)) {
    const auto again = pipeline::ReadSharedIdentity(identity->Text());
    if (!again || !(*again == *identity)) std::abort();
  }
  static_cast<void>(pipeline::DecodeOperation(bytes));
  // With a right beginning and checksum, which chance does not find.
  constexpr size_t kVersionAt = 16;
  std::string record = "thresher00000000" + bytes;
  const uint64_t checksum = XXH3_64bits(record.data() + kVersionAt, record.size() - kVersionAt);
  std::memcpy(record.data() + kVersionAt - sizeof checksum, &checksum, sizeof checksum);
  const auto operation = pipeline::DecodeOperation(record);
  if (operation && pipeline::EncodeOperation(*operation) != record) std::abort();
  return 0;
}
