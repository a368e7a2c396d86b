#include "tokenizer/feature_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace thresher::tokenizer {
namespace {

constexpr size_t kFirstTexts = 64u << 10;
constexpr size_t kFirstFeatures = 1024;

constexpr std::string_view kPair = "pair:";

// DistinctIndex numbers features below 2^30.
constexpr size_t kMaxLimit = size_t{1} << 29;

std::string_view CutAtCharacter(std::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

// Copies the bytes in steps of kSlack, of which the processor foresees the number better than that of the
// bytes. REQUIRES: kSlack bytes behind `piece` can be read, and kSlack behind the end of the copy can be
// written.
char* AppendInSteps(char* to, std::string_view piece) {
  for (size_t i = 0; i < piece.size(); i += FeatureBuilder::kSlack)
    std::memcpy(to + i, piece.data() + i, FeatureBuilder::kSlack);
  return to + piece.size();
}

}  // namespace

FeatureBuilder::FeatureBuilder(uint64_t seed, size_t limit)
    : ids_(seed), limit_(std::min(limit, kMaxLimit)), tokens_(seed), texts_(kFirstTexts) {}

// The features of the message before stay in *out until others take their places, so that its memory need not
// be cleared.
void FeatureBuilder::Start(Features* out) {
  out_ = out;
  out_->texts.clear();
  out_->truncated = false;
  out_->seed = ids_.seed();
  out_->pairs.clear();
  out_->message.clear();
  tokens_.Clear();
  size_ = first_ngram_ = ngrams_ = 0;
  texts_size_ = 0;
}

void FeatureBuilder::Reserve(size_t features) {
  const size_t needed = size_ + features;
  if (needed > out_->ids.size()) out_->ids.resize(std::max(needed + needed / 4, kFirstFeatures));
  if (out_->text_ends.size() < out_->ids.size()) out_->text_ends.resize(out_->ids.size());
  if (counts_.size() < out_->ids.size()) counts_.resize(out_->ids.size());
  if (kinds_.size() < out_->ids.size()) kinds_.resize(out_->ids.size());
}

void FeatureBuilder::AddText(std::string_view text) {
  if (size_ >= limit_) return SetTruncated();
  text = CutAtCharacter(text, kMaxText);
  Reserve(1);
  Number(ids_.Token(text), text.size(), KindOfToken(text));
}

uint32_t FeatureBuilder::Number(uint64_t id, size_t text_size, FeatureKind kind) {
  const auto next = static_cast<uint32_t>(size_);
  const uint32_t number = tokens_.Add(id, next);
  if (number != next) {
    ++counts_[number];
    return number;
  }
  texts_size_ += text_size;
  out_->ids[next] = id;
  out_->text_ends[next] = static_cast<uint32_t>(texts_size_);
  counts_[next] = 1;
  kinds_[next] = kind;
  ++size_;
  return number;
}

void FeatureBuilder::AddWords(std::string_view field, std::span<const std::string_view> words, bool pairs) {
  if (field.size() > kMaxText) field = field.substr(0, kMaxText + 1);  // no more of it is kept
  prefix_.assign(kPair).append(field).append(kSlack, '\0');
  const std::string_view of_pair = std::string_view(prefix_).substr(0, kPair.size() + field.size());
  field = of_pair.substr(kPair.size());
  const FeatureKind kind = KindOfToken(field);
  std::string_view last;
  for (const std::string_view word : words) {
    AddToBatch(AppendInSteps(AppendInSteps(RoomInBatch(), field), word), kind);
    if (pairs && !last.empty()) {
      char* end = AppendInSteps(AppendInSteps(RoomInBatch(), of_pair), last);
      *end++ = ' ';
      AddToBatch(AppendInSteps(end, word), FeatureKind::kPair);
    }
    last = word;
  }
  NumberBatch();
}

char* FeatureBuilder::RoomInBatch() {
  if (batch_.size == Batch::kTexts || batch_.used + Batch::kLongest > Batch::kBytes) NumberBatch();
  return batch_.bytes.data() + batch_.used;
}

void FeatureBuilder::AddToBatch(char* end, FeatureKind kind) {
  const char* const begin = batch_.bytes.data() + batch_.used;
  const std::string_view text(begin, static_cast<size_t>(end - begin));
  batch_.used += text.size();
  batch_.kinds[batch_.size] = kind;
  batch_.texts[batch_.size++] = CutAtCharacter(text, kMaxText);
}

void FeatureBuilder::NumberBatch() {
  for (size_t i = 0; i < batch_.size; ++i) {
    batch_.ids[i] = ids_.Token(batch_.texts[i]);
    tokens_.Prefetch(batch_.ids[i]);
  }
  Reserve(batch_.size);
  RoomForText(Batch::kBytes + kSlack);
  for (size_t i = 0; i < batch_.size; ++i) {
    if (size_ >= limit_) {
      SetTruncated();
      break;
    }
    const std::string_view text = batch_.texts[i];
    AppendInSteps(texts_.data() + texts_size_, text);
    const auto next = static_cast<uint32_t>(size_);
    const uint32_t number = Number(batch_.ids[i], text.size(), batch_.kinds[i]);
    if (batch_.kinds[i] != FeatureKind::kPair) {
      last_word_ = std::exchange(word_, number);
    } else if (number == next) {
      NotePair(number);
    }
  }
  batch_.size = batch_.used = 0;
}

// A text that was cut is shorter. The field of a word, as others see it, ends at its first colon.
void FeatureBuilder::NotePair(uint32_t pair) {
  const size_t size = prefix_.size() - kPair.size() - kSlack;
  const std::string_view field = std::string_view(prefix_).substr(kPair.size(), size);
  const bool is_whole = TextSize(pair) + size == kPair.size() + TextSize(last_word_) + 1 + TextSize(word_);
  if (is_whole && size > 0 && field.find(':') + 1 == size) out_->pairs.push_back({pair, last_word_, word_});
}

void FeatureBuilder::AddNgrams(std::span<const uint32_t> ngrams, std::span<const uint32_t> counts) {
  ngrams_ = std::min(ngrams.size(), limit_ - size_);
  first_ngram_ = size_;
  if (ngrams_ < ngrams.size()) SetTruncated();
  Reserve(ngrams_);
  for (size_t i = 0; i < ngrams_; ++i) out_->ids[size_ + i] = ids_.Ngram(ngrams[i]);
  std::fill_n(out_->text_ends.data() + size_, ngrams_, static_cast<uint32_t>(texts_size_));
  std::copy_n(counts.data(), ngrams_, counts_.data() + size_);
  size_ += ngrams_;
}

void FeatureBuilder::Finish(ValueScheme scheme) {
  out_->ids.resize(size_);
  out_->text_ends.resize(size_);
  out_->texts.assign(texts_.data(), texts_size_);
  switch (scheme) {
    case ValueScheme::kBinary:
      out_->values.assign(size_, 1.0F);
      break;
    case ValueScheme::kNormalised:
      Normalise();
      break;
    case ValueScheme::kLogCount:
      out_->values.resize(size_);
      std::transform(counts_.data(), counts_.data() + size_, out_->values.begin(), [](uint32_t count) {
        return static_cast<float>(1.0 + std::log(static_cast<double>(count)));
      });
      break;
    case ValueScheme::kFrequency:
      SetFrequencies();
      break;
    case ValueScheme::kBalanced:
      Balance();
      break;
  }
  out_ = nullptr;
}

void FeatureBuilder::SetFrequencies() {
  const std::span<const uint32_t> counts(counts_.data(), size_);
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0}));
  out_->values.resize(size_);
  std::ranges::transform(counts, out_->values.begin(), [all](uint32_t count) {
    return static_cast<float>(static_cast<double>(count) / all);
  });
}

// N-grams and tokens each get half of the squared norm (all of it if the message has only one kind), because
// there are many more n-grams.
void FeatureBuilder::Normalise() {
  const size_t tokens = size_ - ngrams_;
  const double share = ngrams_ > 0 && tokens > 0 ? 0.5 : 1.0;
  const auto value_for = [share](size_t count) {
    return static_cast<float>(std::sqrt(share / std::max(static_cast<double>(count), 1.0)));
  };
  out_->values.assign(size_, value_for(tokens));
  std::fill_n(out_->values.data() + first_ngram_, ngrams_, value_for(ngrams_));
}

// A message has some thousand n-grams and hundreds of pairs, but a dozen features of its subject.
// One feature alone should not decide, though: whoever writes the message chooses its subject.
void FeatureBuilder::Balance() {
  constexpr double kFew = 2;
  std::array<size_t, kFeatureKinds> sizes{};
  const auto end_of_ngrams = first_ngram_ + ngrams_;
  sizes[static_cast<size_t>(FeatureKind::kNgram)] = ngrams_;
  for (size_t i = 0; i < first_ngram_; ++i) ++sizes[static_cast<size_t>(kinds_[i])];
  for (size_t i = end_of_ngrams; i < size_; ++i) ++sizes[static_cast<size_t>(kinds_[i])];
  const auto share_of = [](size_t size) {
    const auto features = static_cast<double>(size);
    return features / (features + kFew);
  };
  double shares = 0;
  for (const size_t size : sizes) shares += share_of(size);
  std::array<float, kFeatureKinds> values{};
  for (size_t kind = 0; kind < kFeatureKinds; ++kind) {
    if (sizes[kind] == 0) continue;
    const double squared = share_of(sizes[kind]) / shares / static_cast<double>(sizes[kind]);
    values[kind] = static_cast<float>(std::sqrt(squared));
  }
  out_->values.resize(size_);
  const auto value_of = [&values](FeatureKind kind) { return values[static_cast<size_t>(kind)]; };
  float* const out = out_->values.data();
  std::transform(kinds_.data(), kinds_.data() + first_ngram_, out, value_of);
  std::fill_n(out + first_ngram_, ngrams_, value_of(FeatureKind::kNgram));
  std::transform(kinds_.data() + end_of_ngrams, kinds_.data() + size_, out + end_of_ngrams, value_of);
}

}  // namespace thresher::tokenizer
