#include "tokenizer/feature_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "tokenizer/codec_bytes.h"
#include "tokenizer/feature_kind.h"
#include "tokenizer/token_run.h"

// Layout, numbers little-endian, varints as in codec_bytes.h:
//
//   byte    version (2)
//   byte    flags: 1 truncated, 4 values by kind
//   varint  number of features
//   runs    of neighbouring features until that number is reached, each a
//           varint  4 * length + kind
//           kind 0, ids:      length * 8 bytes
//           kind 1, n-grams:  4 bytes, the first n-gram in reading order, then length - 1 bytes: each n-gram
//                             is the last three bytes of the one before it and this one
//           kind 2, tokens:   length tokens (token_run.cc), from whose texts the ids follow
//           kind 3, ids with texts: length times an id of 8 bytes, varint length of the text, the text
//   values  by kind: a float for each FeatureKind that occurs, in their order; else runs of neighbouring
//           features with one value until that number is reached, each a
//           varint  length
//           float   value
//
// Version 1, which is only read, differs in this:
//
//   flags   1 truncated, 2 texts follow
//   runs    begin with 2 * length + kind; the kinds are 0 and 1
//   texts   after the values: varint number of texts, then each
//           varint  features between this one and the last one that had a text
//           varint  length, and as many bytes
static_assert(std::endian::native == std::endian::little, "the layout is written by memcpy");

namespace thresher::tokenizer {
namespace {

constexpr char kVersion = 2;
constexpr char kMessage = 3;  // flags, then a message_record.h
constexpr unsigned char kFirstVersion = 1;
enum Flag : unsigned char { kTruncated = 1, kTextsFollow = 2, kValuesByKind = 4 };
enum RunKind : uint64_t { kIds, kNgrams, kTokens, kIdsWithTexts };
constexpr uint64_t kKinds = 4;
constexpr uint64_t kKindsOfFirstVersion = 2;

// The runs of one message, in order. A run is written when the next one begins.
class RunsEncoder {
 public:
  RunsEncoder(const Features& features, const IdSpace& id_space, std::string* out)
      : features_(&features), id_space_(&id_space), tokens_(features, id_space), out_(out) {}

  void PutAll() {
    for (size_t i = 0; i < features_->size(); ++i) Put(i);
    EndRun();
  }

 private:
  void Put(size_t i) {
    const uint64_t id = features_->ids[i];
    const std::string_view text = features_->Text(i);
    const std::optional<uint32_t> ngram = text.empty() ? NgramOf(i) : std::nullopt;
    if (ngram) {
      PutNgram(*ngram);
    } else if (tokens_.Takes(i)) {
      Begin(kTokens);
      tokens_.Put(i, &run_);
    } else {
      Begin(text.empty() ? kIds : kIdsWithTexts);
      PutBytes(&id, sizeof id, &run_);
      if (!text.empty()) {
        PutVarint(text.size(), &run_);
        run_ += text;
      }
    }
    ++length_;
  }

  // The four bytes of an n-gram id; nothing for the id of a token or of another id space.
  std::optional<uint32_t> NgramOf(size_t i) const {
    const uint64_t id = features_->ids[i];
    if (!IdSpace::IsNgram(id)) return {};
    const uint32_t bytes = id_space_->NgramBytes(id);
    if (!AreOf(*features_, *id_space_) && id_space_->Ngram(bytes) != id) return {};
    return bytes;
  }

  void PutNgram(uint32_t ngram) {
    const bool continues = length_ > 0 && kind_ == kNgrams && ngram >> 8 == (last_ngram_ & 0xFFFFFF);
    if (!continues) {
      EndRun();
      kind_ = kNgrams;
      for (int shift = 24; shift > 0; shift -= 8) run_ += static_cast<char>(ngram >> shift);
    }
    run_ += static_cast<char>(ngram);
    last_ngram_ = ngram;
  }

  void Begin(RunKind kind) {
    if (kind_ == kind) return;
    EndRun();
    kind_ = kind;
  }

  void EndRun() {
    if (length_ > 0) PutVarint(kKinds * length_ + kind_, out_);
    out_->append(run_);
    run_.clear();
    length_ = 0;
  }

  const Features* features_;
  const IdSpace* id_space_;
  TokenRunEncoder tokens_;
  std::string* out_;
  std::string run_;
  size_t length_ = 0;  // of the run
  RunKind kind_ = kIds;
  uint32_t last_ngram_ = 0;
};

// The values of the kinds that occur.
using ValuesOfKinds = std::array<std::optional<float>, kFeatureKinds>;

// Nothing if features of one kind have different values, or if runs are as short. So the values that earlier
// programs know are written as these programs read them.
std::optional<ValuesOfKinds> ValuesByKind(const Features& features) {
  ValuesOfKinds values;
  size_t runs = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    if (i == 0 || !SameBits(features.values[i], features.values[i - 1])) ++runs;
    auto& value = values[static_cast<size_t>(KindOfFeature(features.ids[i], features.Text(i)))];
    if (!value) value = features.values[i];
    if (!SameBits(*value, features.values[i])) return std::nullopt;
  }
  if (runs <= kFeatureKinds) return std::nullopt;
  return values;
}

// REQUIRES: ids and texts are complete.
void TakeValuesByKind(CodecReader* reader, Features* features) {
  ValuesOfKinds values;
  for (size_t i = 0; i < features->size(); ++i)
    values[static_cast<size_t>(KindOfFeature(features->ids[i], features->Text(i)))] = 0;
  for (std::optional<float>& value : values) {
    if (!value) continue;
    const std::string_view bytes = reader->Bytes(sizeof(float));
    if (!reader->Ok()) return;
    std::memcpy(&*value, bytes.data(), sizeof(float));
  }
  features->values.reserve(features->size());
  for (size_t i = 0; i < features->size(); ++i)
    features->values.push_back(
        *values[static_cast<size_t>(KindOfFeature(features->ids[i], features->Text(i)))]);
}

void PutValues(std::span<const float> values, std::string* out) {
  for (size_t begin = 0; begin < values.size();) {
    size_t end = begin + 1;
    while (end < values.size() && SameBits(values[end], values[begin])) ++end;
    PutVarint(end - begin, out);
    PutBytes(&values[begin], sizeof(float), out);
    begin = end;
  }
}

void AddId(uint64_t id, std::string_view text, Features* features) {
  features->ids.push_back(id);
  features->texts += text;
  features->text_ends.push_back(static_cast<uint32_t>(features->texts.size()));
}

void TakeId(bool with_text, CodecReader* reader, Features* features) {
  const std::string_view bytes = reader->Bytes(sizeof(uint64_t));
  const std::string_view text = with_text ? reader->Bytes(reader->Varint()) : std::string_view();
  if (!reader->Ok()) return;
  uint64_t id = 0;
  std::memcpy(&id, bytes.data(), sizeof id);
  AddId(id, text, features);
}

void TakeNgramRun(size_t length, const IdSpace& id_space, CodecReader* reader, Features* features) {
  const std::string_view text = reader->Bytes(length + 3);
  uint32_t last_four = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    last_four = last_four << 8 | static_cast<unsigned char>(text[i]);
    if (i >= 3) AddId(id_space.Ngram(last_four), {}, features);
  }
}

// `kinds`: how many there are.
void TakeRuns(size_t count, uint64_t kinds, const IdSpace& id_space, CodecReader* reader,
              Features* features) {
  // A feature takes at least one byte.
  if (count > reader->Left()) reader->Fail();
  if (!reader->Ok()) return;
  features->ids.reserve(count);
  features->text_ends.reserve(count);
  TokenRunDecoder tokens(features, id_space);
  while (reader->Ok() && features->size() < count) {
    const uint64_t head = reader->Varint();
    const uint64_t length = head / kinds;
    const uint64_t kind = head % kinds;
    if (length == 0 || length > count - features->size()) {
      reader->Fail();
    } else if (kind == kNgrams) {
      TakeNgramRun(length, id_space, reader, features);
    } else {
      for (uint64_t i = 0; i < length && reader->Ok(); ++i) {
        if (kind == kTokens) {
          tokens.Take(reader);
        } else {
          TakeId(kind == kIdsWithTexts, reader, features);
        }
      }
    }
  }
}

void TakeValues(size_t count, CodecReader* reader, std::vector<float>* values) {
  values->reserve(count);
  while (reader->Ok() && values->size() < count) {
    const uint64_t length = reader->Varint();
    const std::string_view bytes = reader->Bytes(sizeof(float));
    if (!reader->Ok() || length == 0 || length > count - values->size()) {
      reader->Fail();
      return;
    }
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    values->insert(values->end(), length, value);
  }
}

// Of version 1.
void TakeTexts(CodecReader* reader, Features* features) {
  const size_t count = features->size();
  size_t next = 0;
  for (uint64_t left = reader->Varint(); left > 0 && reader->Ok(); --left) {
    const uint64_t gap = reader->Varint();
    const std::string_view text = reader->Bytes(reader->Varint());
    if (!reader->Ok() || next >= count || gap >= count - next) {
      reader->Fail();
      return;
    }
    std::fill_n(features->text_ends.begin() + static_cast<std::ptrdiff_t>(next), gap,
                static_cast<uint32_t>(features->texts.size()));
    features->texts.append(text);
    next += gap + 1;
    features->text_ends[next - 1] = static_cast<uint32_t>(features->texts.size());
  }
  std::fill(features->text_ends.begin() + static_cast<std::ptrdiff_t>(next), features->text_ends.end(),
            static_cast<uint32_t>(features->texts.size()));
}

}  // namespace

void EncodeFeatures(const Features& features, const IdSpace& id_space, std::string* out) {
  const bool as_message = !features.message.empty();
  const int truncated = features.truncated ? kTruncated : 0;
  if (as_message) {
    *out += {kMessage, static_cast<char>(truncated)};
    out->append(features.message);
    return;
  }
  const auto by_kind = ValuesByKind(features);
  *out += {kVersion, static_cast<char>(truncated | (by_kind ? kValuesByKind : 0))};
  PutVarint(features.size(), out);
  RunsEncoder(features, id_space, out).PutAll();
  if (!by_kind) return PutValues(features.values, out);
  for (const std::optional<float>& value : *by_kind) {
    if (value) PutBytes(&*value, sizeof(float), out);
  }
}

std::optional<EncodedMessage> MessageIn(std::string_view bytes) {
  CodecReader reader(bytes);
  const unsigned char version = reader.Byte();
  const unsigned char flags = reader.Byte();
  if (!reader.Ok() || version != kMessage || flags > kTruncated) return std::nullopt;
  return EncodedMessage{flags == kTruncated, reader.Bytes(reader.Left())};
}

std::optional<Features> DecodeFeatures(std::string_view bytes, const IdSpace& id_space) {
  CodecReader reader(bytes);
  const unsigned char version = reader.Byte();
  const unsigned char flags = reader.Byte();
  const uint64_t count = reader.Varint();
  const bool is_first = version == kFirstVersion;
  const unsigned char all_flags = kTruncated | (is_first ? kTextsFollow : kValuesByKind);
  if (!reader.Ok() || (!is_first && version != kVersion) || (flags & ~all_flags) != 0) return {};
  Features features;
  features.truncated = (flags & kTruncated) != 0;
  TakeRuns(count, is_first ? kKindsOfFirstVersion : kKinds, id_space, &reader, &features);
  if (!reader.Ok()) return {};
  if ((flags & kValuesByKind) != 0) {
    TakeValuesByKind(&reader, &features);
  } else {
    TakeValues(count, &reader, &features.values);
  }
  if (!reader.Ok()) return {};
  if ((flags & kTextsFollow) != 0) TakeTexts(&reader, &features);
  if (!reader.Ok() || reader.Left() != 0) return {};
  return features;
}

}  // namespace thresher::tokenizer
