// FolderModel::Read on any bytes: refuses them with an error message, or gives a model that chooses a folder
// for any message.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/fit/folder_model.h"

namespace {

using thresher::pipeline::ByteStream;
using thresher::pipeline::FolderModel;
using thresher::pipeline::Result;
using thresher::pipeline::Settings;

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<size_t> Read(char* buffer, size_t capacity) override {
    const size_t count = std::min(capacity, bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, count, buffer);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

// Adds the last line with the right digest, so that the code behind the check of the digest runs too.
std::string Sealed(std::string_view bytes) {
  std::string sealed(bytes);
  if (!sealed.ends_with('\n')) sealed += '\n';
  uint64_t digest = 0;
  for (size_t at = 0; at < sealed.size();) {
    const size_t end = sealed.find('\n', at) + 1;
    digest = XXH3_64bits_withSeed(sealed.data() + at, end - at, digest);
    at = end;
  }
  return sealed + fmt::format("end {:016x}\n", digest);
}

void Use(std::string bytes) {
  const auto model = FolderModel::Read(std::make_unique<MemoryStream>(std::move(bytes)), "fuzz", Settings());
  if (!model) {
    if (model.error().message.empty()) std::abort();
    return;
  }
  thresher::tokenizer::Features features;
  model->MakeTokenizer().Tokenize("A short note", thresher::tokenizer::Kind::kDocument, &features);
  const FolderModel::Choice choice = model->Choose(features);
  if (!std::isfinite(choice.score) || !(choice.margin >= 0)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Use(bytes);
  Use(Sealed(bytes));
  return 0;
}
