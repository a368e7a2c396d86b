#include "tokenizer/feature_builder.h"

#include <algorithm>
#include <cmath>

namespace thresher::tokenizer {
namespace {

constexpr size_t kFirstTexts = 64u << 10;

// DistinctIndex numbers features below 2^30.
constexpr size_t kMaxLimit = size_t{1} << 29;

std::string_view CutAtCharacter(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

// N-grams and tokens each get half of the squared norm (all of it if the message has only one kind), because
// there are many more n-grams.
void Normalise(Features* features) {
  const auto ngrams =
      static_cast<double>(std::count_if(features->ids.begin(), features->ids.end(), &IdSpace::IsNgram));
  const double tokens = static_cast<double>(features->size()) - ngrams;
  const double share = ngrams > 0 && tokens > 0 ? 0.5 : 1.0;
  const auto ngram_value = static_cast<float>(std::sqrt(share / std::max(ngrams, 1.0)));
  const auto token_value = static_cast<float>(std::sqrt(share / std::max(tokens, 1.0)));
  features->values.resize(features->size());
  std::transform(features->ids.begin(), features->ids.end(), features->values.begin(),
                 [=](uint64_t id) { return IdSpace::IsNgram(id) ? ngram_value : token_value; });
}

}  // namespace

FeatureBuilder::FeatureBuilder(uint64_t seed, size_t limit)
    : ids_(seed), limit_(std::min(limit, kMaxLimit)), tokens_(seed), texts_(kFirstTexts) {}

void FeatureBuilder::Start(Features* out) {
  out_ = out;
  out_->Clear();
  tokens_.Clear();
  counts_.clear();
  texts_size_ = 0;
}

void FeatureBuilder::AddText(std::string_view text) {
  if (out_->size() >= limit_) {
    SetTruncated();
    return;
  }
  text = CutAtCharacter(text, kMaxText);
  const uint64_t id = ids_.Token(text);
  const auto next = static_cast<uint32_t>(out_->size());
  const uint32_t number = tokens_.Add(id, next);
  if (number != next) {
    ++counts_[number];
    return;
  }
  texts_size_ += text.size();
  out_->ids.push_back(id);
  out_->text_ends.push_back(static_cast<uint32_t>(texts_size_));
  counts_.push_back(1);
}

void FeatureBuilder::AddNgrams(std::span<const uint32_t> ngrams, std::span<const uint32_t> counts) {
  const size_t begin = out_->size();
  const size_t added = std::min(ngrams.size(), limit_ - begin);
  if (added < ngrams.size()) SetTruncated();
  out_->ids.resize(begin + added);
  for (size_t i = 0; i < added; ++i) out_->ids[begin + i] = ids_.Ngram(ngrams[i]);
  out_->text_ends.resize(begin + added, static_cast<uint32_t>(texts_size_));
  counts_.insert(counts_.end(), counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(added));
}

void FeatureBuilder::Finish(ValueScheme scheme) {
  const size_t n = out_->size();
  out_->texts.assign(texts_.data(), texts_size_);
  switch (scheme) {
    case ValueScheme::kBinary:
      out_->values.assign(n, 1.0F);
      break;
    case ValueScheme::kNormalised:
      Normalise(out_);
      break;
    case ValueScheme::kLogCount:
      out_->values.resize(n);
      std::transform(counts_.begin(), counts_.end(), out_->values.begin(), [](uint32_t count) {
        return static_cast<float>(1.0 + std::log(static_cast<double>(count)));
      });
      break;
  }
  out_ = nullptr;
}

}  // namespace thresher::tokenizer
