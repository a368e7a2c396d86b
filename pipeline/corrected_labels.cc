#include "pipeline/corrected_labels.h"

#include <fmt/format.h>

#include "pipeline/model_identity.h"
#include "pipeline/store_error.h"

namespace thresher::pipeline {

using learners::Label;
using storage::Example;

Result<Example> CorrectedLabels::Last(const Example& example) const {
  const auto seq = log_->Find(example.message_id, example.digest);
  if (!seq) return StoreFailure(seq.error());
  if (!*seq || **seq <= example.seq) return example;
  auto last = log_->Get(**seq);
  if (!last) return StoreFailure(last.error());
  if (!*last) return tl::unexpected(CorruptStore(fmt::format("example {} is missing", **seq)));
  return **std::move(last);
}

Result<Label> CorrectedLabels::LastOf(const Example& example) const { return Last(example).map(&LabelOf); }

Result<std::optional<Label>> CorrectedLabels::InPlaceOf(const Example& example) {
  const auto last = Last(example);
  if (!last) return tl::unexpected(last.error());
  const bool comes_again = last->seq != example.seq;
  if (comes_again ? !taught_.insert(last->seq).second : taught_.contains(example.seq)) return std::nullopt;
  return LabelOf(*last);
}

}  // namespace thresher::pipeline
