#include "tokenizer/encoded_words.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "tokenizer/ascii.h"
#include "tokenizer/base64.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kCharsetBytes = 64;
constexpr std::string_view kEnd = "?=";

struct EncodedWord {
  std::string_view charset;
  char encoding;  // 'b' or 'q'
  std::string_view text;
  size_t size;  // of the whole, "=?" and "?=" included
};

// Where a '?' ends the text of an encoded word, or makes it a broken one; else the value's size. Some
// programs do not encode each '?' of a text. The search stays within a broken word: the next one begins with
// "=?".
size_t EndOfText(std::string_view value, size_t begin, char encoding) {
  size_t end = value.find('?', begin);
  const auto is_in_text = [&] { return !value.substr(end).starts_with(kEnd) && value[end - 1] != '='; };
  while (encoding == 'q' && end != std::string_view::npos && is_in_text()) end = value.find('?', end + 1);
  return std::min(end, value.size());
}

// The encoded word that `value` starts with.
std::optional<EncodedWord> ParseEncodedWord(std::string_view value) {
  if (!value.starts_with("=?")) return std::nullopt;
  const size_t charset_end = value.substr(0, kCharsetBytes).find('?', 2);
  if (charset_end == std::string_view::npos || charset_end == 2) return std::nullopt;
  if (charset_end + 2 >= value.size() || value[charset_end + 2] != '?') return std::nullopt;
  const char encoding = ToLowerAscii(value[charset_end + 1]);
  if (encoding != 'b' && encoding != 'q') return std::nullopt;
  const size_t text = charset_end + 3;
  const size_t end = EndOfText(value, text, encoding);
  if (!value.substr(end).starts_with(kEnd)) return std::nullopt;
  std::string_view charset = value.substr(2, charset_end - 2);
  charset = charset.substr(0, charset.find('*'));  // RFC 2231: a language after it
  return EncodedWord{charset, encoding, value.substr(text, end - text), end + 2};
}

void AppendQ(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '=' && AppendHexByte(text, i + 1, out)) {
      i += 2;
    } else {
      out->push_back(text[i] == '_' ? ' ' : text[i]);
    }
  }
}

void AppendBase64(std::string_view text, std::string* out) {
  Base64Decoder decoder;
  for (const char c : text) decoder.Add(c, out);
  decoder.Finish(out);
}

// Joins neighbouring encoded words of one charset.
class PieceWriter {
 public:
  explicit PieceWriter(const std::function<void(std::string_view, std::string_view)>& append)
      : append_(append) {}

  void Plain(std::string_view text) {
    if (text.empty()) return;
    Flush();
    append_(text, {});
  }

  void Encoded(const EncodedWord& word) {
    if (!EqualsIgnoringCase(word.charset, charset_)) Flush();
    charset_ = word.charset;
    if (word.encoding == 'b') {
      AppendBase64(word.text, &decoded_);
    } else {
      AppendQ(word.text, &decoded_);
    }
  }

  void Flush() {
    if (!decoded_.empty()) append_(decoded_, charset_);
    decoded_.clear();
  }

 private:
  const std::function<void(std::string_view, std::string_view)>& append_;
  std::string decoded_;
  std::string_view charset_;
};

}  // namespace

void ForEachHeaderPiece(std::string_view value,
                        const std::function<void(std::string_view, std::string_view)>& append) {
  PieceWriter writer(append);
  size_t plain = 0;  // begin of the plain text that is not written yet
  bool after_word = false;
  for (size_t i = value.find("=?"); i != std::string_view::npos; i = value.find("=?", i)) {
    const std::optional<EncodedWord> word = ParseEncodedWord(value.substr(i));
    if (!word) {
      i += 2;
      continue;
    }
    const std::string_view between = value.substr(plain, i - plain);
    if (!after_word || !std::all_of(between.begin(), between.end(), IsAsciiSpace)) writer.Plain(between);
    writer.Encoded(*word);
    after_word = true;
    i += word->size;
    plain = i;
  }
  writer.Flush();
  writer.Plain(value.substr(plain));
}

}  // namespace thresher::tokenizer
