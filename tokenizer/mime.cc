// GMime parses the structure and undoes transfer encodings. Parsing all headers into objects would take it 50
// µs per message, so it gets only the three headers that matter and the body. A message that is a single part
// needs only GMime's decoders. Content is decoded directly from the message's bytes.
#include "tokenizer/mime.h"

#include <gmime/gmime.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "tokenizer/ascii.h"
#include "tokenizer/mime_guard.h"

namespace thresher::tokenizer {
namespace {

// Allowed per part. Patches, tables and signatures also have many lines that begin with "--".
constexpr size_t kDashLinesPerPart = 16;
constexpr size_t kFieldsPerPart = 64;

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
template <typename Object>
using GObjectPtr = std::unique_ptr<Object, Unref>;

void InitialiseGMime() {
  static std::once_flag once;
  std::call_once(once, [] { g_mime_init(); });
}

// The values of a part's MIME headers, as they stand in the message.
struct MimeHeaders {
  std::string type;
  std::string disposition;
  std::string encoding;
};

std::string FirstWord(std::string_view value) {
  value = Trim(value);
  const auto end =
      std::find_if(value.begin(), value.end(), [](char c) { return IsAsciiSpace(c) || c == ';'; });
  return LowerAscii(value.substr(0, static_cast<size_t>(end - value.begin())));
}

// GMime calls a malformed type application/octet-stream; for mail, text is the better guess.
bool IsType(std::string_view value) {
  const std::string_view type = Trim(value.substr(0, value.find(';')));
  const size_t slash = type.find('/');
  return slash != std::string_view::npos && slash > 0 && slash + 1 < type.size();
}

std::string OrEmpty(const char* text) { return text == nullptr ? std::string() : std::string(text); }

// The parsed headers of a part. Owns the strings that a MimePart refers to.
struct Description {
  explicit Description(const MimeHeaders& headers);

  std::string type = "text/plain";
  std::string charset;
  std::string encoding;
  std::string disposition;
  std::string filename;
};

Description::Description(const MimeHeaders& headers) : encoding(FirstWord(headers.encoding)) {
  if (!headers.disposition.empty()) {
    const GObjectPtr<GMimeContentDisposition> parsed(
        g_mime_content_disposition_parse(nullptr, headers.disposition.c_str()));
    disposition = LowerAscii(OrEmpty(g_mime_content_disposition_get_disposition(parsed.get())));
    filename = OrEmpty(g_mime_content_disposition_get_parameter(parsed.get(), "filename"));
  }
  if (!IsType(headers.type)) return;
  const GObjectPtr<GMimeContentType> parsed(g_mime_content_type_parse(nullptr, headers.type.c_str()));
  type = LowerAscii(OrEmpty(g_mime_content_type_get_media_type(parsed.get()))) + "/" +
         LowerAscii(OrEmpty(g_mime_content_type_get_media_subtype(parsed.get())));
  charset = LowerAscii(OrEmpty(g_mime_content_type_get_parameter(parsed.get(), "charset")));
  if (filename.empty()) filename = OrEmpty(g_mime_content_type_get_parameter(parsed.get(), "name"));
}

// Most parts have the headers of an earlier one, and GMime takes microseconds for them.
class Descriptions {
 public:
  // Valid until the next call, or as long as *rare, which gets one with long headers.
  const Description& Of(const MimeHeaders& headers, std::optional<Description>* rare) {
    const size_t size = headers.type.size() + headers.disposition.size() + headers.encoding.size();
    if (size > kLongest) return rare->emplace(headers);
    key_.assign(headers.type)
        .append(1, '\0')
        .append(headers.disposition)
        .append(1, '\0')
        .append(headers.encoding);
    if (known_.size() >= kMost && !known_.contains(key_)) known_.clear();
    return known_.try_emplace(key_, headers).first->second;
  }

 private:
  static constexpr size_t kMost = 64;
  static constexpr size_t kLongest = 256;  // bytes of the headers

  std::unordered_map<std::string, Description> known_;
  std::string key_;
};

// What follows the "begin 644 name" line, which GMime's decoder does not skip; empty if there is no such
// line.
std::string_view AfterUuencodeHead(std::string_view raw) {
  size_t line = 0;
  while (line < raw.size() && !raw.substr(line).starts_with("begin ")) {
    line = std::min(raw.find('\n', line), raw.size() - 1) + 1;
  }
  return raw.substr(std::min(raw.find('\n', line), raw.size()));
}

class Walker {
 public:
  Walker(const MimeLimits& limits, const std::function<void(const MimePart&)>& visit,
         Descriptions& descriptions)
      : limits_(limits),
        visit_(visit),
        text_left_(limits.decoded_bytes),
        other_left_(limits.decoded_bytes),
        descriptions_(descriptions) {}

  bool is_cut() const { return is_cut_; }
  void SetCut() { is_cut_ = true; }
  size_t leaves() const { return leaves_; }

  void VisitLeaf(const MimeHeaders& headers, std::string_view raw, size_t depth) {
    if (!TakePart()) return;
    ++leaves_;
    std::optional<Description> rare;
    const Description& description = descriptions_.Of(headers, &rare);
    size_t* left = description.type.starts_with("text/") ? &text_left_ : &other_left_;
    Visit(description, Decode(description.encoding, raw, left), depth);
  }

  void VisitContainer(const MimeHeaders& headers, size_t depth) {
    std::optional<Description> rare;
    if (TakePart()) Visit(descriptions_.Of(headers, &rare), {}, depth);
  }

  bool MayDescendTo(size_t depth) {
    if (depth > limits_.depth) SetCut();
    return depth <= limits_.depth && parts_ < limits_.parts;
  }

 private:
  bool TakePart() {
    if (parts_ == limits_.parts) {
      SetCut();
      return false;
    }
    ++parts_;
    return true;
  }

  void Visit(const Description& description, std::string_view bytes, size_t depth) {
    visit_({.type = description.type,
            .charset = description.charset,
            .encoding = description.encoding,
            .disposition = description.disposition,
            .filename = description.filename,
            .depth = depth,
            .bytes = bytes});
  }

  // The first *left bytes of the decoded content; subtracts their number from *left.
  std::string_view Decode(const std::string& encoding, std::string_view raw, size_t* left) {
    const GMimeContentEncoding kind = g_mime_content_encoding_from_string(encoding.c_str());
    const bool is_encoded = kind == GMIME_CONTENT_ENCODING_BASE64 ||
                            kind == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE ||
                            kind == GMIME_CONTENT_ENCODING_UUENCODE;
    std::string_view bytes = raw;
    if (is_encoded) bytes = DecodeAs(kind, raw, *left);
    if (bytes.size() > *left) {
      bytes = bytes.substr(0, *left);
      SetCut();
    }
    *left -= bytes.size();
    return bytes;
  }

  // The decoded content; stops soon after `limit` bytes.
  std::string_view DecodeAs(GMimeContentEncoding kind, std::string_view raw, size_t limit) {
    constexpr size_t kStep = size_t{64} << 10;
    GMimeEncoding state;
    g_mime_encoding_init_decode(&state, kind);
    if (kind == GMIME_CONTENT_ENCODING_UUENCODE) {
      const std::string_view encoded = AfterUuencodeHead(raw);
      if (encoded.empty()) return raw;
      raw = encoded;
      state.state |= GMIME_UUDECODE_STATE_BEGIN;
    }
    size_t size = 0;
    while (!raw.empty() && size <= limit) {
      const std::string_view step = raw.substr(0, kStep);
      raw.remove_prefix(step.size());
      decoded_.resize(size + g_mime_encoding_outlen(&state, step.size()));
      size += raw.empty() ? g_mime_encoding_flush(&state, step.data(), step.size(), decoded_.data() + size)
                          : g_mime_encoding_step(&state, step.data(), step.size(), decoded_.data() + size);
    }
    return std::string_view(decoded_).substr(0, size);
  }

  const MimeLimits& limits_;
  const std::function<void(const MimePart&)>& visit_;
  size_t parts_ = 0;
  size_t leaves_ = 0;
  // Text has its own decode budget, so that a picture before it cannot use it up.
  size_t text_left_;
  size_t other_left_;
  bool is_cut_ = false;
  std::string decoded_;
  Descriptions& descriptions_;
};

MimeHeaders HeadersOf(const MessageHead& head) {
  MimeHeaders headers;
  const auto take = [](std::string_view value, std::string* header) {
    if (header->empty()) header->assign(value);
  };
  for (const HeaderField& field : head.fields) {
    if (!StartsWithIgnoringCase(field.name, "content-")) continue;
    const std::string_view name = field.name.substr(8);
    if (EqualsIgnoringCase(name, "type")) take(field.value, &headers.type);
    if (EqualsIgnoringCase(name, "disposition")) take(field.value, &headers.disposition);
    if (EqualsIgnoringCase(name, "transfer-encoding")) take(field.value, &headers.encoding);
  }
  return headers;
}

// A message whose structure GMime parses.
class StructuredMessage {
 public:
  StructuredMessage(const MimeHeaders& headers, std::string_view body) : bytes_(g_byte_array_new()) {
    g_byte_array_set_size(bytes_,
                          static_cast<guint>(body.size() + headers.type.size() + headers.encoding.size() +
                                             headers.disposition.size() + 128));
    g_byte_array_set_size(bytes_, 0);
    AppendHeader("Content-Type:", headers.type);
    AppendHeader("Content-Transfer-Encoding:", headers.encoding);
    AppendHeader("Content-Disposition:", headers.disposition);
    Append("\n");
    Append(body);
    const GObjectPtr<GMimeStream> stream(g_mime_stream_mem_new_with_byte_array(bytes_));  // owns bytes_ now
    parser_.reset(g_mime_parser_new_with_stream(stream.get()));
    root_.reset(g_mime_parser_construct_part(parser_.get(), nullptr));
  }

  void Walk(Walker* walker) const {
    if (root_ != nullptr) WalkObject(root_.get(), 0, walker);
  }

 private:
  void Append(std::string_view text) {
    g_byte_array_append(bytes_, reinterpret_cast<const guint8*>(text.data()),
                        static_cast<guint>(text.size()));
  }

  void AppendHeader(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    Append(name);
    Append(value);
    Append("\n");
  }

  static std::string RawHeader(GMimeObject* object, const char* name) {
    GMimeHeader* header = g_mime_header_list_get_header(g_mime_object_get_header_list(object), name);
    return header == nullptr ? std::string() : OrEmpty(g_mime_header_get_raw_value(header));
  }

  static MimeHeaders HeadersOf(GMimeObject* object) {
    return {.type = RawHeader(object, "Content-Type"),
            .disposition = RawHeader(object, "Content-Disposition"),
            .encoding = RawHeader(object, "Content-Transfer-Encoding")};
  }

  // The part's content, still encoded.
  std::string_view RawContent(GMimePart* part) const {
    GMimeDataWrapper* content = g_mime_part_get_content(part);
    if (content == nullptr) return {};
    const GMimeStream* stream = g_mime_data_wrapper_get_stream(content);
    const auto size = static_cast<gint64>(bytes_->len);
    const gint64 begin = std::clamp<gint64>(stream->bound_start, 0, size);
    const gint64 end = stream->bound_end < 0 ? size : std::clamp<gint64>(stream->bound_end, begin, size);
    return {reinterpret_cast<const char*>(bytes_->data) + begin, static_cast<size_t>(end - begin)};
  }

  void WalkObject(GMimeObject* object, size_t depth, Walker* walker) const {
    if (!walker->MayDescendTo(depth)) return;
    const MimeHeaders headers = HeadersOf(object);
    if (GMIME_IS_MULTIPART(object)) {
      walker->VisitContainer(headers, depth);
      auto* multipart = GMIME_MULTIPART(object);
      const int count = g_mime_multipart_get_count(multipart);
      for (int i = 0; i < count; ++i) WalkObject(g_mime_multipart_get_part(multipart, i), depth + 1, walker);
    } else if (GMIME_IS_MESSAGE_PART(object)) {
      walker->VisitContainer(headers, depth);
      GMimeMessage* message = g_mime_message_part_get_message(GMIME_MESSAGE_PART(object));
      GMimeObject* inner = message == nullptr ? nullptr : g_mime_message_get_mime_part(message);
      if (inner != nullptr) WalkObject(inner, depth + 1, walker);
    } else if (GMIME_IS_PART(object)) {
      walker->VisitLeaf(headers, RawContent(GMIME_PART(object)), depth);
    }
  }

  GByteArray* bytes_;  // the three headers and the body
  GObjectPtr<GMimeParser> parser_;
  GObjectPtr<GMimeObject> root_;
};

bool IsContainer(std::string_view type) {
  type = Trim(type);
  return StartsWithIgnoringCase(type, "multipart/") || StartsWithIgnoringCase(type, "message/");
}

}  // namespace

bool WalkMime(const MessageHead& message, const MimeLimits& limits,
              const std::function<void(const MimePart&)>& visit) {
  InitialiseGMime();
  static thread_local Descriptions descriptions;  // their memory is bounded
  Walker walker(limits, visit, descriptions);
  const std::string_view body = message.body;
  const MimeHeaders headers = HeadersOf(message);
  if (IsContainer(headers.type)) {
    const std::string_view bounded = BoundStructure(body, headers.type,
                                                    {.containers = limits.parts,
                                                     .boundaries = kDashLinesPerPart * limits.parts,
                                                     .fields = kFieldsPerPart * limits.parts});
    if (bounded.size() < body.size()) walker.SetCut();
    StructuredMessage(headers, bounded).Walk(&walker);
    if (walker.leaves() == 0) walker.VisitLeaf({}, body, 0);
  } else {
    walker.VisitLeaf(headers, body, 0);
  }
  return walker.is_cut();
}

}  // namespace thresher::tokenizer
