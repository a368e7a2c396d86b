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

}  // namespace

FeatureBuilder::FeatureBuilder(uint64_t seed, size_t limit)
    : ids_(seed),
      limit_(std::min(limit, kMaxLimit)),
      tokens_(ids_.Ngram(0)),
      ngrams_(ids_.Ngram(1)),
      texts_(kFirstTexts) {}

void FeatureBuilder::Start(Features* out) {
  out_ = out;
  out_->Clear();
  tokens_.Clear();
  ngrams_.Clear();
  counts_.clear();
  texts_size_ = 0;
}

bool FeatureBuilder::Full() {
  if (out_->size() < limit_) return false;
  out_->truncated = true;
  return true;
}

void FeatureBuilder::Append(uint64_t id) {
  out_->ids.push_back(id);
  out_->text_ends.push_back(static_cast<uint32_t>(texts_size_));
  counts_.push_back(1);
}

void FeatureBuilder::AddText(std::string_view text) {
  if (Full()) return;
  text = CutAtCharacter(text, kMaxText);
  const uint64_t id = ids_.Token(text);
  const auto next = static_cast<uint32_t>(out_->size());
  const uint32_t number = tokens_.Add(id, next);
  if (number != next) {
    ++counts_[number];
    return;
  }
  texts_size_ += text.size();
  Append(id);
}

void FeatureBuilder::AddNgram(uint32_t bytes) {
  if (Full()) return;
  const auto next = static_cast<uint32_t>(out_->size());
  const uint32_t number = ngrams_.Add(bytes, next);
  if (number == next) {
    Append(ids_.Ngram(bytes));
  } else {
    ++counts_[number];
  }
}

void FeatureBuilder::Finish(ValueScheme scheme) {
  const size_t n = out_->size();
  out_->texts.assign(texts_.data(), texts_size_);
  switch (scheme) {
    case ValueScheme::kBinary:
      out_->values.assign(n, 1.0F);
      break;
    case ValueScheme::kNormalised:
      out_->values.assign(n,
                          static_cast<float>(1.0 / std::sqrt(static_cast<double>(std::max<size_t>(n, 1)))));
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
