#include "storage/kept_examples.h"

#include <algorithm>
#include <functional>

#include "storage/byte_order.h"
#include "storage/example_codec.h"

namespace thresher::storage {

std::string KeptKey(uint64_t seq) { return std::string(kKeptPrefix) + ExampleKey(seq); }

std::string EncodeKeptSeqs(const std::vector<uint64_t>& seqs) {
  std::string bytes;
  for (const uint64_t seq : seqs) AppendLittle(seq, &bytes);
  return bytes;
}

Result<std::vector<uint64_t>> ReadKeptSeqs(const DatabaseImpl& impl) {
  const auto stored = impl.Get(Family::kMeta, kKeptKey);
  if (!stored) return tl::unexpected(stored.error());
  std::vector<uint64_t> seqs;
  if (!*stored) return seqs;
  for (size_t at = 0; at + sizeof(uint64_t) <= (*stored)->size(); at += sizeof(uint64_t))
    seqs.push_back(LoadLittle<uint64_t>((*stored)->data() + at));
  const bool ascend = std::ranges::adjacent_find(seqs, std::greater_equal<>()) == seqs.end();
  if ((*stored)->size() % sizeof(uint64_t) != 0 || !ascend)
    return tl::unexpected(impl.Corrupt("the list of expired examples that are kept"));
  return seqs;
}

Result<std::optional<std::string>> ReadKept(const DatabaseImpl& impl, uint64_t seq) {
  return impl.Get(Family::kMeta, KeptKey(seq));
}

Result<void> KeepExamples(const DatabaseImpl& impl, const std::vector<uint64_t>& needed,
                          MetaChanges* changes) {
  const auto stored = ReadKeptSeqs(impl);
  if (!stored) return tl::unexpected(stored.error());
  std::vector<uint64_t> kept;
  for (const uint64_t seq : needed) {
    if (!std::ranges::binary_search(*stored, seq)) {
      auto example = impl.Get(Family::kExamples, ExampleKey(seq));
      if (!example) return tl::unexpected(example.error());
      if (!*example) continue;
      changes->insert_or_assign(KeptKey(seq), std::move(*example));
    }
    kept.push_back(seq);
  }
  if (kept == *stored) return {};
  for (const uint64_t seq : *stored) {
    if (!std::ranges::binary_search(kept, seq)) changes->insert_or_assign(KeptKey(seq), std::nullopt);
  }
  changes->insert_or_assign(std::string(kKeptKey), EncodeKeptSeqs(kept));
  return {};
}

}  // namespace thresher::storage
