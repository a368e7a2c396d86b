// GMime parses the structure and undoes transfer encodings. Parsing all headers into objects would take it 50
// µs per message, so it gets only the three headers that matter and the body. A message that is a single part
// needs no structure. Content is decoded directly from the message's bytes.
#include "tokenizer/mime.h"

#include <gmime/gmime.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/base64.h"
#include "tokenizer/gobject_ptr.h"
#include "tokenizer/line_stream.h"
#include "tokenizer/mime_guard.h"
#include "tokenizer/mime_object.h"
#include "tokenizer/mime_parameters.h"
#include "tokenizer/part_description.h"

namespace thresher::tokenizer {
namespace {

// Allowed per part. Patches, tables and signatures also have many lines that begin with "--".
constexpr size_t kDashLinesPerPart = 16;
constexpr size_t kFieldsPerPart = 64;

void InitialiseGMime() {
  static std::once_flag once;
  std::call_once(once, [] { g_mime_init(); });
}

// What follows the "begin 644 name" line, which GMime's decoder does not skip; empty if there is no such
// line.
std::string_view AfterUuencodeHead(std::string_view raw) {
  size_t line = 0;
  while (line < raw.size() && !raw.substr(line).starts_with("begin ")) {
    line = std::min(raw.find('\n', line), raw.size() - 1) + 1;
  }
  return raw.substr(std::min(raw.find('\n', line), raw.size()));
}

// Whether what follows the padding of base64 is a list server's footer. Mail programs decode what goes on.
bool IsFooter(std::string_view rest) {
  constexpr size_t kLongest = 1024;
  if (rest.size() > kLongest) return false;
  rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  return !std::all_of(line.begin(), line.end(),
                      [](char c) { return IsAsciiWordByte(c) || c == '+' || c == '/' || c == '='; });
}

class Walker {
 public:
  Walker(const MimeLimits& limits, const std::function<void(const MimePart&)>& visit,
         PartDescriptions& descriptions)
      : limits_(limits),
        visit_(visit),
        text_left_(limits.decoded_bytes),
        other_left_(limits.decoded_bytes),
        descriptions_(descriptions) {}

  MimeCut cut() const { return cut_; }
  void SetCut(MimeCut cut) { cut_ = std::max(cut_, cut); }
  size_t leaves() const { return leaves_; }

  void VisitLeaf(const MimeHeaders& headers, std::string_view raw, size_t depth, bool is_beside_root) {
    if (!TakePart()) return;
    ++leaves_;
    std::optional<PartDescription> rare;
    const PartDescription& description = descriptions_.Of(headers, &rare);
    size_t* left = IsReadable(description.type, description.filename) ? &text_left_ : &other_left_;
    MimePart part = PartOf(description, depth, is_beside_root);
    part.bytes = Decode(description.encoding, raw, left);
    visit_(part);
  }

  void VisitContainer(const MimeHeaders& headers, size_t depth) { VisitMessage(headers, {}, depth, false); }

  // An embedded message, before what is in it.
  void VisitMessage(const MimeHeaders& headers, const ShownHeaders& shown, size_t depth,
                    bool is_beside_root) {
    if (!TakePart()) return;
    std::optional<PartDescription> rare;
    MimePart part = PartOf(descriptions_.Of(headers, &rare), depth, is_beside_root);
    part.inner_from = Take(shown.from, &text_left_);
    part.inner_subject = Take(shown.subject, &text_left_);
    visit_(part);
  }

  bool MayDescendTo(size_t depth) {
    const bool may = depth <= limits_.depth && parts_ < limits_.parts;
    if (!may) SetCut(MimeCut::kText);
    return may;
  }

 private:
  bool TakePart() {
    if (parts_ == limits_.parts) {
      SetCut(MimeCut::kText);
      return false;
    }
    ++parts_;
    return true;
  }

  static MimePart PartOf(const PartDescription& description, size_t depth, bool is_beside_root) {
    return {.type = description.type,
            .charset = description.charset,
            .encoding = description.encoding,
            .disposition = description.disposition,
            .filename = description.filename,
            .depth = depth,
            .inner_from = {},
            .inner_subject = {},
            .is_beside_root = is_beside_root,
            .bytes = {}};
  }

  // The first *left bytes; subtracts their number from *left.
  std::string_view Take(std::string_view bytes, size_t* left) {
    if (bytes.size() > *left) {
      bytes = bytes.substr(0, *left);
      SetCut(left == &text_left_ ? MimeCut::kText : MimeCut::kFiles);
    }
    *left -= bytes.size();
    return bytes;
  }

  // The first *left bytes of the decoded content; subtracts their number from *left.
  std::string_view Decode(const std::string& encoding, std::string_view raw, size_t* left) {
    const GMimeContentEncoding kind = g_mime_content_encoding_from_string(encoding.c_str());
    const bool is_encoded = kind == GMIME_CONTENT_ENCODING_BASE64 ||
                            kind == GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE ||
                            kind == GMIME_CONTENT_ENCODING_UUENCODE;
    std::string_view bytes = raw;
    if (is_encoded) bytes = DecodeAs(kind, raw, *left);
    return Take(bytes, left);
  }

  // The decoded content; stops soon after `limit` bytes.
  std::string_view DecodeAs(GMimeContentEncoding kind, std::string_view raw, size_t limit) {
    decoded_.clear();
    if (kind == GMIME_CONTENT_ENCODING_BASE64) {
      DecodeBase64(raw, limit);
    } else if (kind != GMIME_CONTENT_ENCODING_UUENCODE) {
      DecodeByGMime(kind, raw, limit);
    } else if (const std::string_view encoded = AfterUuencodeHead(raw); !encoded.empty()) {
      DecodeByGMime(kind, encoded, limit);
    } else {
      return raw;
    }
    return decoded_;
  }

  void DecodeBase64(std::string_view raw, size_t limit) {
    Base64Decoder decoder;
    for (size_t i = 0; i < raw.size() && decoded_.size() <= limit; ++i) {
      if (decoder.Add(raw[i], &decoded_) && IsFooter(raw.substr(i + 1))) break;
    }
    decoder.Finish(&decoded_);
  }

  void DecodeByGMime(GMimeContentEncoding kind, std::string_view raw, size_t limit) {
    constexpr size_t kStep = size_t{64} << 10;
    GMimeEncoding state;
    g_mime_encoding_init_decode(&state, kind);
    if (kind == GMIME_CONTENT_ENCODING_UUENCODE) state.state |= GMIME_UUDECODE_STATE_BEGIN;
    size_t size = 0;
    while (!raw.empty() && size <= limit) {
      const std::string_view step = raw.substr(0, kStep);
      raw.remove_prefix(step.size());
      decoded_.resize(size + g_mime_encoding_outlen(&state, step.size()));
      size += raw.empty() ? g_mime_encoding_flush(&state, step.data(), step.size(), decoded_.data() + size)
                          : g_mime_encoding_step(&state, step.data(), step.size(), decoded_.data() + size);
    }
    decoded_.resize(size);
  }

  const MimeLimits& limits_;
  const std::function<void(const MimePart&)>& visit_;
  size_t parts_ = 0;
  size_t leaves_ = 0;
  // Text has its own decode budget, so that a picture before it cannot use it up.
  size_t text_left_;
  size_t other_left_;
  MimeCut cut_ = MimeCut::kNothing;
  std::string decoded_;
  PartDescriptions& descriptions_;
};

MimeHeaders HeadersOf(const MessageHead& head) {
  MimeHeaders headers;
  const auto take = [](std::string_view value, std::string* header) {
    if (Trim(*header).empty()) header->assign(value);
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

// Makes of the values what GMime may parse, as BoundStructure does in the body. Returns false if something is
// left out.
bool BoundHeaders(MimeHeaders* headers, size_t* fields) {
  bool whole = true;
  for (std::string* value : {&headers->type, &headers->disposition, &headers->encoding}) {
    const size_t size = BoundValue(*value, fields).size();
    whole = whole && size == value->size();
    value->resize(size);
    BlankBadParameters(*value);
  }
  if (const size_t place = PlaceOfMissingSubtype(headers->type); place != std::string::npos)
    headers->type.insert(place, kMissingSubtype);
  return whole;
}

// A message whose structure GMime parses.
class StructuredMessage {
 public:
  // `structure`: that of `body`, which both must outlive this.
  StructuredMessage(const MimeHeaders& headers, std::string_view body, const BoundedBody& structure)
      : body_(body.substr(0, structure.PlaceInBody(structure.bytes.size()))), structure_(structure) {
    GByteArray* bytes = g_byte_array_new();
    AppendHeader("Content-Type:", headers.type, bytes);
    AppendHeader("Content-Transfer-Encoding:", headers.encoding, bytes);
    AppendHeader("Content-Disposition:", headers.disposition, bytes);
    Append("\n", bytes);
    head_bytes_ = bytes->len;
    Append(structure.bytes, bytes);
    const GObjectPtr<GMimeStream> stream = MakeLineStream(bytes);
    parser_.reset(g_mime_parser_new_with_stream(stream.get()));
    root_.reset(g_mime_parser_construct_part(parser_.get(), nullptr));
  }

  void Walk(Walker* walker) {
    if (root_ != nullptr) WalkObject(root_.get(), 0, false, walker);
  }

 private:
  static void Append(std::string_view text, GByteArray* bytes) {
    g_byte_array_append(bytes, reinterpret_cast<const guint8*>(text.data()), static_cast<guint>(text.size()));
  }

  static void AppendHeader(std::string_view name, std::string_view value, GByteArray* bytes) {
    if (value.empty()) return;
    Append(name, bytes);
    Append(value, bytes);
    Append("\n", bytes);
  }

  // The part's content, still encoded.
  std::string_view RawContent(GMimePart* part) const {
    GMimeDataWrapper* content = g_mime_part_get_content(part);
    if (content == nullptr) return {};
    const GMimeStream* stream = g_mime_data_wrapper_get_stream(content);
    const size_t begin = PlaceInBody(stream->bound_start);
    const size_t end = stream->bound_end < 0 ? body_.size() : std::max(begin, PlaceInBody(stream->bound_end));
    return body_.substr(begin, end - begin);
  }

  size_t PlaceInBody(gint64 place) const {
    const auto size = static_cast<gint64>(structure_.bytes.size());
    return structure_.PlaceInBody(static_cast<size_t>(std::clamp<gint64>(place - head_bytes_, 0, size)));
  }

  void WalkObject(GMimeObject* object, size_t depth, bool is_beside_root, Walker* walker) {
    if (!walker->MayDescendTo(depth)) return;
    const MimeHeaders headers = HeadersOfObject(object);
    if (GMIME_IS_MULTIPART(object)) {
      walker->VisitContainer(headers, depth);
      auto* multipart = GMIME_MULTIPART(object);
      const int count = g_mime_multipart_get_count(multipart);
      const bool has_root =
          !is_beside_root && g_mime_content_type_is_type(g_mime_object_get_content_type(object), "multipart",
                                                         "related") != FALSE;
      const int root = has_root ? roots_.RootOf(multipart) : -1;
      for (int i = 0; i < count; ++i) {
        const bool is_beside = is_beside_root || (has_root && i != root);
        WalkObject(g_mime_multipart_get_part(multipart, i), depth + 1, is_beside, walker);
      }
    } else if (GMIME_IS_MESSAGE_PART(object)) {
      GMimeMessage* message = g_mime_message_part_get_message(GMIME_MESSAGE_PART(object));
      const ShownHeaders shown = message == nullptr ? ShownHeaders() : ShownHeadersOf(message);
      walker->VisitMessage(headers, shown, depth, is_beside_root);
      GMimeObject* inner = message == nullptr ? nullptr : g_mime_message_get_mime_part(message);
      if (inner != nullptr) WalkObject(inner, depth + 1, is_beside_root, walker);
    } else if (GMIME_IS_PART(object)) {
      walker->VisitLeaf(headers, RawContent(GMIME_PART(object)), depth, is_beside_root);
    }
  }

  std::string_view body_;  // what is parsed of it
  const BoundedBody& structure_;
  gint64 head_bytes_ = 0;  // that come before it for the parser
  GObjectPtr<GMimeParser> parser_;
  GObjectPtr<GMimeObject> root_;
  RelatedRoots roots_{[this](GMimePart* part) { return RawContent(part); }};
};

// Walks the parts that GMime finds in the body of a message with these headers.
void WalkStructure(const MimeHeaders& headers, std::string_view body, const StructureLimits& limits,
                   Walker* walker) {
  const BoundedBody structure = BoundStructure(body, headers.type, limits);
  if (structure.PlaceInBody(structure.bytes.size()) < body.size()) walker->SetCut(MimeCut::kText);
  StructuredMessage(headers, body, structure).Walk(walker);
}

}  // namespace

MimeCut WalkMime(const MessageHead& message, const MimeLimits& limits,
                 const std::function<void(const MimePart&)>& visit) {
  InitialiseGMime();
  static thread_local PartDescriptions descriptions;  // their memory is bounded
  Walker walker(limits, visit, descriptions);
  const std::string_view body = message.body;
  StructureLimits structure_limits = {.containers = limits.parts,
                                      .boundaries = kDashLinesPerPart * limits.parts,
                                      .fields = kFieldsPerPart * limits.parts};
  MimeHeaders headers = HeadersOf(message);
  if (!BoundHeaders(&headers, &structure_limits.fields)) walker.SetCut(MimeCut::kText);
  std::optional<PartDescription> rare;
  if (HoldsParts(descriptions.Of(headers, &rare).type)) {
    WalkStructure(headers, body, structure_limits, &walker);
    // Programs read odd parameters in ways of their own, and may find the boundary where GMime does not.
    const std::string_view boundary = walker.leaves() == 0 ? SeemingBoundary(body) : std::string_view();
    if (!boundary.empty()) {
      headers.type = "multipart/mixed; boundary=\"";
      headers.type.append(boundary).append("\"");
      WalkStructure(headers, body, structure_limits, &walker);
    }
    if (walker.leaves() == 0) walker.VisitLeaf({}, body, 0, false);
  } else {
    walker.VisitLeaf(headers, body, 0, false);
  }
  return walker.cut();
}

}  // namespace thresher::tokenizer
