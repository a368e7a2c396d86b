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
#include "tokenizer/gobject_ptr.h"
#include "tokenizer/line_stream.h"
#include "tokenizer/mime_guard.h"
#include "tokenizer/mime_object.h"
#include "tokenizer/mime_parameters.h"
#include "tokenizer/part_description.h"
#include "tokenizer/transfer_decoder.h"

namespace thresher::tokenizer {
namespace {

// Of the head of a message within.
constexpr size_t kInnerHeadBytes = size_t{64} << 10;
// Allowed per part. Patches, tables and signatures also have many lines that begin with "--".
constexpr size_t kDashLinesPerPart = 16;
constexpr size_t kFieldsPerPart = 64;

void InitialiseGMime() {
  static std::once_flag once;
  std::call_once(once, [] { g_mime_init(); });
}

class Walker;
// The parts of a message at this depth.
void WalkMessage(const MessageHead& message, size_t depth, bool is_beside_root, Walker* walker);

std::string_view FirstValueOf(const MessageHead& head, std::string_view name) {
  for (const HeaderField& field : head.fields) {
    if (EqualsIgnoringCase(field.name, name)) return field.value;
  }
  return {};
}

class Walker {
 public:
  Walker(const MimeLimits& limits, const std::function<void(const MimePart&)>& visit,
         PartDescriptions& descriptions)
      : limits_(limits),
        visit_(visit),
        text_left_(limits.decoded_bytes),
        other_left_(limits.decoded_bytes),
        messages_left_(limits.decoded_bytes),
        structure_left_({.containers = limits.parts,
                         .boundaries = kDashLinesPerPart * limits.parts,
                         .fields = kFieldsPerPart * limits.parts}),
        descriptions_(descriptions) {}

  MimeCut cut() const { return cut_; }
  void SetCut(MimeCut cut) { cut_ = std::max(cut_, cut); }
  size_t leaves() const { return leaves_; }
  // Of the whole message.
  StructureLimits* structure_left() { return &structure_left_; }

  bool HaveParts(const MimeHeaders& headers) {
    std::optional<PartDescription> rare;
    return HoldsParts(descriptions_.Of(headers, &rare).type);
  }

  void VisitLeaf(const MimeHeaders& headers, std::string_view raw, size_t depth, bool is_beside_root) {
    if (!TakePart()) return;
    ++leaves_;
    std::optional<PartDescription> rare;
    const PartDescription& description = descriptions_.Of(headers, &rare);
    if (IsMessage(description.type, description.filename))
      return VisitEncodedMessage(description, raw, depth, is_beside_root);
    size_t* left = IsReadable(description.type, description.filename) ? &text_left_ : &other_left_;
    MimePart part = PartOf(description, depth, is_beside_root);
    part.bytes = Take(decoder_.Decode(description.encoding, raw, *left), left);
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
  // A message that is a file, or in a transfer encoding, so that GMime does not look into it.
  void VisitEncodedMessage(const PartDescription& description, std::string_view raw, size_t depth,
                           bool is_beside_root) {
    const bool is_file = !HoldsParts(description.type);
    size_t* left = is_file ? &other_left_ : &messages_left_;
    const std::string bytes(Take(decoder_.Decode(description.encoding, raw, *left), left));
    MessageHead head;
    ParseHead(bytes, kInnerHeadBytes, &head);
    MimePart part = PartOf(description, depth, is_beside_root);
    part.inner_from = Take(FirstValueOf(head, "from"), &text_left_);
    part.inner_subject = Take(FirstValueOf(head, "subject"), &text_left_);
    if (is_file) part.bytes = bytes;
    visit_(part);
    if (is_file && head.fields.empty()) return;
    if (MayDescendTo(depth + 1)) WalkMessage(head, depth + 1, is_beside_root, this);
  }

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
      SetCut(left == &other_left_ ? MimeCut::kFiles : MimeCut::kText);
    }
    *left -= bytes.size();
    return bytes;
  }

  const MimeLimits& limits_;
  const std::function<void(const MimePart&)>& visit_;
  size_t parts_ = 0;
  size_t leaves_ = 0;
  // Text has its own decode budget, so that a picture before it cannot use it up.
  size_t text_left_;
  size_t other_left_;
  size_t messages_left_;  // for those in a transfer encoding, whose parts then count as any
  StructureLimits structure_left_;
  MimeCut cut_ = MimeCut::kNothing;
  TransferDecoder decoder_;
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

  void Walk(size_t depth, bool is_beside_root, Walker* walker) {
    if (root_ != nullptr) WalkObject(root_.get(), depth, is_beside_root, walker);
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
                   size_t depth, bool is_beside_root, Walker* walker) {
  const BoundedBody structure = BoundStructure(body, headers.type, limits);
  *walker->structure_left() = structure.left;
  if (structure.PlaceInBody(structure.bytes.size()) < body.size()) walker->SetCut(MimeCut::kText);
  StructuredMessage(headers, body, structure).Walk(depth, is_beside_root, walker);
}

void WalkMessage(const MessageHead& message, size_t depth, bool is_beside_root, Walker* walker) {
  const std::string_view body = message.body;
  MimeHeaders headers = HeadersOf(message);
  if (!BoundHeaders(&headers, &walker->structure_left()->fields)) walker->SetCut(MimeCut::kText);
  if (!walker->HaveParts(headers)) return walker->VisitLeaf(headers, body, depth, is_beside_root);
  const StructureLimits limits = *walker->structure_left();
  const size_t leaves = walker->leaves();
  WalkStructure(headers, body, limits, depth, is_beside_root, walker);
  // Programs read odd parameters in ways of their own, and may find the boundary where GMime does not.
  const std::string_view boundary = walker->leaves() == leaves ? SeemingBoundary(body) : std::string_view();
  if (!boundary.empty()) {
    headers.type = "multipart/mixed; boundary=\"";
    headers.type.append(boundary).append("\"");
    WalkStructure(headers, body, limits, depth, is_beside_root, walker);
  }
  if (walker->leaves() == leaves) walker->VisitLeaf({}, body, depth, is_beside_root);
}

}  // namespace

MimeCut WalkMime(const MessageHead& message, const MimeLimits& limits,
                 const std::function<void(const MimePart&)>& visit) {
  InitialiseGMime();
  static thread_local PartDescriptions descriptions;  // their memory is bounded
  Walker walker(limits, visit, descriptions);
  WalkMessage(message, 0, false, &walker);
  return walker.cut();
}

}  // namespace thresher::tokenizer
