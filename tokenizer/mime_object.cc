#include "tokenizer/mime_object.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tokenizer/ascii.h"
#include "tokenizer/mime_guard.h"

namespace thresher::tokenizer {
namespace {

constexpr char kContentIdInStructure[] = "Xontent-ID";
static_assert(kContentIdInStructure[0] == kOtherHeader);
constexpr char kFromInStructure[] = "Zrom";
constexpr char kSubjectInStructure[] = "Zubject";
static_assert(kFromInStructure[0] == kShownHeader && kSubjectInStructure[0] == kShownHeader);

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

// Whether mail programs show it as the body. What they do with other texts differs.
bool IsShownText(std::string_view type) {
  constexpr auto kShown = std::to_array<std::string_view>(
      {"text/calendar", "text/enriched", "text/html", "text/plain", "text/richtext"});
  return std::find(kShown.begin(), kShown.end(), type) != kShown.end();
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

ShownHeaders ShownHeadersOf(GMimeMessage* message) {
  return {.from = RawHeader(GMIME_OBJECT(message), kFromInStructure),
          .subject = RawHeader(GMIME_OBJECT(message), kSubjectInStructure)};
}

int RelatedRoots::RootOf(GMimeMultipart* related) {
  int root = std::max(NamedRootOf(related), 0);
  const int count = g_mime_multipart_get_count(related);
  Shows most = root < count ? WhatShows(g_mime_multipart_get_part(related, root)) : Shows::kText;
  for (int i = 0; i < count && most != Shows::kText; ++i) {
    const Shows shows = WhatShows(g_mime_multipart_get_part(related, i));
    if (shows <= most) continue;
    most = shows;
    root = i;
  }
  return root;
}

RelatedRoots::Shows RelatedRoots::WhatShows(GMimeObject* object) {
  const auto known = known_.find(object);
  if (known != known_.end()) return known->second;
  const Shows shows = LookInto(object);
  known_.emplace(object, shows);
  return shows;
}

RelatedRoots::Shows RelatedRoots::LookInto(GMimeObject* object) {
  if (GMIME_IS_PART(object)) return LookIntoPart(GMIME_PART(object));
  Shows most = Shows::kNothing;
  if (!GMIME_IS_MULTIPART(object)) return most;
  auto* multipart = GMIME_MULTIPART(object);
  const int count = g_mime_multipart_get_count(multipart);
  for (int i = 0; i < count && most != Shows::kText; ++i)
    most = std::max(most, WhatShows(g_mime_multipart_get_part(multipart, i)));
  return most;
}

RelatedRoots::Shows RelatedRoots::LookIntoPart(GMimePart* part) const {
  const MimeHeaders headers = HeadersOfObject(GMIME_OBJECT(part));
  const std::string type = PartDescription::TypeOf(headers.type);
  const bool is_attached = StartsWithIgnoringCase(Trim(headers.disposition), "attachment");
  if (!type.starts_with("text/") || is_attached || Trim(content_(part)).empty()) return Shows::kNothing;
  return IsShownText(type) ? Shows::kText : Shows::kUnknownText;
}

}  // namespace thresher::tokenizer
