#include "tokenizer/mime_object.h"

#include <optional>
#include <string>
#include <string_view>

#include "tokenizer/ascii.h"
#include "tokenizer/mime_guard.h"

namespace thresher::tokenizer {
namespace {

constexpr char kContentIdInStructure[] = "Xontent-ID";
static_assert(kContentIdInStructure[0] == kOtherHeader);

std::string RawHeader(GMimeObject* object, const char* name) {
  GMimeHeader* header = g_mime_header_list_get_header(g_mime_object_get_header_list(object), name);
  if (header == nullptr) return {};
  const char* value = g_mime_header_get_raw_value(header);
  return value == nullptr ? std::string() : std::string(value);
}

std::string_view WithoutBrackets(std::string_view id) {
  id = Trim(id);
  return id.starts_with('<') && id.ends_with('>') ? id.substr(1, id.size() - 2) : id;
}

bool HasText(GMimeObject* object, PartDescriptions* descriptions) {
  if (GMIME_IS_MULTIPART(object)) {
    auto* multipart = GMIME_MULTIPART(object);
    const int count = g_mime_multipart_get_count(multipart);
    for (int i = 0; i < count; ++i) {
      if (HasText(g_mime_multipart_get_part(multipart, i), descriptions)) return true;
    }
    return false;
  }
  std::optional<PartDescription> rare;
  return descriptions->Of(HeadersOfObject(object), &rare).type.starts_with("text/");
}

// -1 if "start" names no part.
int NamedRootOf(GMimeMultipart* related) {
  const char* start = g_mime_object_get_content_type_parameter(GMIME_OBJECT(related), "start");
  const std::string_view id = start == nullptr ? std::string_view() : WithoutBrackets(start);
  const int count = id.empty() ? 0 : g_mime_multipart_get_count(related);
  for (int i = 0; i < count; ++i) {
    const std::string value = RawHeader(g_mime_multipart_get_part(related, i), kContentIdInStructure);
    if (WithoutBrackets(value) == id) return i;
  }
  return -1;
}

}  // namespace

MimeHeaders HeadersOfObject(GMimeObject* object) {
  return {.type = RawHeader(object, "Content-Type"),
          .disposition = RawHeader(object, "Content-Disposition"),
          .encoding = RawHeader(object, "Content-Transfer-Encoding")};
}

int RootOfRelated(GMimeMultipart* related, PartDescriptions* descriptions) {
  const int named = NamedRootOf(related);
  if (named >= 0 && HasText(g_mime_multipart_get_part(related, named), descriptions)) return named;
  const int count = g_mime_multipart_get_count(related);
  for (int i = 0; i < count; ++i) {
    if (HasText(g_mime_multipart_get_part(related, i), descriptions)) return i;
  }
  return 0;
}

}  // namespace thresher::tokenizer
