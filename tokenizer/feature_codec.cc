#include "tokenizer/feature_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

// Layout, numbers little-endian, varint = 7 bits a byte, low first, high bit set on all but the last:
//
//   byte    version (1)
//   byte    flags: 1 truncated, 2 texts follow
//   varint  number of features
//   runs    of neighbouring features until that number is reached, each a
//           varint  2 * length + kind
//           kind 0, ids:      length * 8 bytes
//           kind 1, n-grams:  4 bytes, the first n-gram in reading order, then length - 1 bytes: each n-gram
//                             is the last three bytes of the one before it and this one
//   values  runs of neighbouring features with one value until that number is reached, each a
//           varint  length
//           float   value
//   texts   varint number of texts, then each
//           varint  features between this one and the last one that had a text
//           varint  length, and as many bytes
static_assert(std::endian::native == std::endian::little, "the layout is written by memcpy");

namespace thresher::tokenizer {
namespace {

constexpr char kVersion = 1;
enum Flag : unsigned char { kTruncated = 1, kTexts = 2, kAllFlags = 3 };
constexpr uint64_t kIds = 0;
constexpr uint64_t kNgrams = 1;

void PutVarint(uint64_t number, std::string* out) {
  for (; number >= 0x80; number >>= 7) out->push_back(static_cast<char>(number | 0x80));
  out->push_back(static_cast<char>(number));
}

void PutBytes(const void* bytes, size_t size, std::string* out) {
  out->append(static_cast<const char*>(bytes), size);
}

// The four bytes of an n-gram id; nothing for the id of a token or of another id space.
std::optional<uint32_t> NgramOf(uint64_t id, const IdSpace& id_space) {
  if (!IdSpace::IsNgram(id)) return {};
  const uint32_t bytes = id_space.NgramBytes(id);
  if (id_space.Ngram(bytes) != id) return {};
  return bytes;
}

void PutIdRun(std::span<const uint64_t> ids, std::string* out) {
  if (ids.empty()) return;
  PutVarint(2 * ids.size() + kIds, out);
  PutBytes(ids.data(), ids.size_bytes(), out);
}

// `text`: the overlapping bytes of the run's n-grams.
void PutNgramRun(std::string_view text, std::string* out) {
  if (text.empty()) return;
  PutVarint(2 * (text.size() - 3) + kNgrams, out);
  out->append(text);
}

void PutRuns(std::span<const uint64_t> ids, const IdSpace& id_space, std::string* out) {
  std::string text;
  uint32_t last = 0;
  size_t ids_begin = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::optional<uint32_t> ngram = NgramOf(ids[i], id_space);
    const bool continues = ngram && !text.empty() && *ngram >> 8 == (last & 0xFFFFFF);
    if (!continues) PutNgramRun(text, out);
    if (!ngram) {
      text.clear();
      continue;
    }
    PutIdRun(ids.subspan(ids_begin, i - ids_begin), out);
    ids_begin = i + 1;
    last = *ngram;
    if (continues) {
      text += static_cast<char>(last);
    } else {
      text.clear();
      for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(last >> shift);
    }
  }
  PutNgramRun(text, out);
  PutIdRun(ids.subspan(ids_begin), out);
}

bool SameBits(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

void PutValues(std::span<const float> values, std::string* out) {
  for (size_t begin = 0; begin < values.size();) {
    size_t end = begin + 1;
    while (end < values.size() && SameBits(values[end], values[begin])) ++end;
    PutVarint(end - begin, out);
    PutBytes(&values[begin], sizeof(float), out);
    begin = end;
  }
}

void PutTexts(const Features& features, std::span<const uint8_t> with_text, std::string* out) {
  PutVarint(static_cast<uint64_t>(
                std::count_if(with_text.begin(), with_text.end(), [](uint8_t w) { return w != 0; })),
            out);
  size_t next = 0;
  for (size_t i = 0; i < with_text.size(); ++i) {
    if (with_text[i] == 0) continue;
    const std::string_view text = features.Text(i);
    PutVarint(i - next, out);
    PutVarint(text.size(), out);
    out->append(text);
    next = i + 1;
  }
}

// Reads numbers and bytes from the front of an encoding. After the first read past its end, Ok() is false and
// every read returns zero or nothing.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool Ok() const { return ok_; }
  size_t Left() const { return bytes_.size(); }

  std::string_view Bytes(uint64_t size) {
    if (size > bytes_.size()) return Fail();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  unsigned char Byte() {
    const std::string_view byte = Bytes(1);
    return byte.empty() ? 0 : static_cast<unsigned char>(byte[0]);
  }

  uint64_t Varint() {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned char byte = Byte();
      number |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return number;
    }
    Fail();
    return 0;
  }

  std::string_view Fail() {
    ok_ = false;
    bytes_ = {};
    return {};
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

void TakeIdRun(size_t length, Reader* reader, std::vector<uint64_t>* ids) {
  const std::string_view bytes = reader->Bytes(length * sizeof(uint64_t));
  if (!reader->Ok()) return;
  const size_t begin = ids->size();
  ids->resize(begin + length);
  std::memcpy(ids->data() + begin, bytes.data(), bytes.size());
}

void TakeNgramRun(size_t length, const IdSpace& id_space, Reader* reader, std::vector<uint64_t>* ids) {
  const std::string_view text = reader->Bytes(length + 3);
  uint32_t last_four = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    last_four = last_four << 8 | static_cast<unsigned char>(text[i]);
    if (i >= 3) ids->push_back(id_space.Ngram(last_four));
  }
}

void TakeRuns(size_t count, const IdSpace& id_space, Reader* reader, std::vector<uint64_t>* ids) {
  // A feature takes at least one byte.
  if (count > reader->Left()) reader->Fail();
  if (reader->Ok()) ids->reserve(count);
  while (reader->Ok() && ids->size() < count) {
    const uint64_t head = reader->Varint();
    const uint64_t length = head >> 1;
    if (length == 0 || length > count - ids->size()) {
      reader->Fail();
    } else if ((head & 1) == kNgrams) {
      TakeNgramRun(length, id_space, reader, ids);
    } else {
      TakeIdRun(length, reader, ids);
    }
  }
}

void TakeValues(size_t count, Reader* reader, std::vector<float>* values) {
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

void TakeTexts(Reader* reader, Features* features) {
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

void EncodeFeatures(const Features& features, const IdSpace& id_space, std::span<const uint8_t> with_text,
                    std::string* out) {
  out->push_back(kVersion);
  out->push_back(static_cast<char>((features.truncated ? kTruncated : 0) | (with_text.empty() ? 0 : kTexts)));
  PutVarint(features.size(), out);
  PutRuns(features.ids, id_space, out);
  PutValues(features.values, out);
  if (!with_text.empty()) PutTexts(features, with_text, out);
}

std::optional<Features> DecodeFeatures(std::string_view bytes, const IdSpace& id_space) {
  Reader reader(bytes);
  const unsigned char version = reader.Byte();
  const unsigned char flags = reader.Byte();
  const uint64_t count = reader.Varint();
  if (!reader.Ok() || version != kVersion || flags > kAllFlags) return {};
  Features features;
  features.truncated = (flags & kTruncated) != 0;
  TakeRuns(count, id_space, &reader, &features.ids);
  if (!reader.Ok()) return {};
  TakeValues(count, &reader, &features.values);
  if (!reader.Ok()) return {};
  features.text_ends.resize(count);
  if ((flags & kTexts) != 0) TakeTexts(&reader, &features);
  if (!reader.Ok() || reader.Left() != 0) return {};
  return features;
}

}  // namespace thresher::tokenizer
