#include "learners/batch/support_gram.h"

namespace thresher::learners::batch {
namespace {

constexpr size_t kLargestGram = 2048;  // columns
constexpr uint64_t kGramPasses = 64;   // over the columns that the matrix may cost

}  // namespace

void SupportGram::Transpose(const Examples& examples, std::span<const uint32_t> support) {
  starts_.assign(examples.rows.size() + 2, 0);
  for (const uint32_t j : support) {
    for (const uint32_t i : examples.columns[j].indices) ++starts_[i + 2];
  }
  for (size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  entries_.resize(starts_.back());
  for (uint32_t place = 0; place < support.size(); ++place) {
    const SparseLines::Line column = examples.columns[support[place]];
    for (size_t k = 0; k < column.size(); ++k) {
      entries_[starts_[column.indices[k] + 1]++] = {place, column.values[k]};
    }
  }
}

uint64_t SupportGram::Build(const Examples& examples, std::span<const uint32_t> support,
                            std::span<const double> h, std::span<const double> r) {
  Clear();
  const size_t count = support.size();
  if (count == 0 || count > kLargestGram) return 0;
  Transpose(examples, support);
  uint64_t pairs = 0;
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    const uint64_t here = starts_[i + 1] - starts_[i];
    pairs += here * here;
  }
  if (pairs > kGramPasses * entries_.size()) return entries_.size();
  places_.resize(examples.columns.size());
  gram_.assign(count * count, 0);
  slopes_.assign(count, 0);
  for (uint32_t place = 0; place < count; ++place) {
    places_[support[place]] = place;
    slopes_[place] = Dot(examples.columns[support[place]], r);
  }
  for (size_t i = 0; i < examples.rows.size(); ++i) {
    const auto row = std::span(entries_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
    for (const Entry& entry : row) {
      const double weighted = h[i] * static_cast<double>(entry.value);
      double* const line = gram_.data() + entry.place * count;
      for (const Entry& other : row) line[other.place] += weighted * static_cast<double>(other.value);
    }
  }
  return 3 * entries_.size();
}

void SupportGram::Move(uint32_t j, double step) {
  const double* const line = gram_.data() + places_[j] * slopes_.size();
  for (size_t k = 0; k < slopes_.size(); ++k) slopes_[k] += step * line[k];
}

}  // namespace thresher::learners::batch
