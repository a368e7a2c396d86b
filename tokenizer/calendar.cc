#include "tokenizer/calendar.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"
#include "tokenizer/base64.h"
#include "tokenizer/lines.h"
#include "tokenizer/urls.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kMostOrganizers = 16;
// Each is rendered by itself: what one leaves open or hidden says nothing about the others.
constexpr size_t kMostPages = 16;

// "NAME;PARAMETERS:value"
struct Property {
  std::string_view name;
  std::string_view parameters;
  std::string_view value;
};

// Where the value begins, behind a colon that is not in quotation marks, or, if these do not end, behind the
// first colon; 0 if there is none.
size_t PlaceOfValue(std::string_view line) {
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (line[i] == ':' && !is_quoted) return i + 1;
  }
  return is_quoted ? line.find(':') + 1 : 0;
}

Property PropertyOf(std::string_view line) {
  const size_t value = PlaceOfValue(line);
  if (value == 0) return {{}, {}, line};
  const std::string_view before = line.substr(0, value - 1);
  const size_t name = std::min(before.find(';'), before.size());
  return {Trim(before.substr(0, name)), before.substr(name), line.substr(value)};
}

// Some programs declare HTML, others write it into the description. There "<https://…>" is a link in text.
bool IsPage(const Property& property) {
  constexpr auto kPages = std::to_array<std::string_view>({"x-alt-desc", "styled-description"});
  const auto is_named = [&](std::string_view name) { return EqualsIgnoringCase(property.name, name); };
  if (std::ranges::any_of(kPages, is_named) || ContainsIgnoringCase(property.parameters, "text/html"))
    return true;
  return is_named("description") &&
         (ContainsIgnoringCase(property.value, "</") || ContainsIgnoringCase(property.value, "<br"));
}

// The page that a property points to as a link that contains it: the text of its description in HTML. Empty
// if there is none.
std::string PageInLink(std::string_view parameters) {
  constexpr std::string_view kLink = "data:text/html";
  const std::string_view link = parameters.substr(FindIgnoringCase(parameters, kLink));
  const size_t text = link.find(',') + 1;
  if (text == 0) return {};
  std::string page;
  PercentDecode(link.substr(text, link.find('"', text) - text), &page);
  if (!ContainsIgnoringCase(link.substr(0, text), ";base64")) return page;
  std::string decoded;
  Base64Decoder decoder;
  for (const char c : page) decoder.Add(c, &decoded);
  decoder.Finish(&decoded);
  return decoded;
}

void AppendUnescaped(std::string_view value, std::string* out) {
  while (!value.empty()) {
    const size_t plain = std::min(value.find('\\'), value.size());
    out->append(value.substr(0, plain));
    value.remove_prefix(plain);
    if (value.size() < 2) break;
    out->push_back(ToLowerAscii(value[1]) == 'n' ? '\n' : value[1]);
    value.remove_prefix(2);
  }
}

class CalendarReader {
 public:
  explicit CalendarReader(Calendar* out) : out_(out) {}

  void Add(std::string_view line) {
    const Property property = PropertyOf(line);
    const auto is_named = [&](std::string_view name) { return EqualsIgnoringCase(property.name, name); };
    if (out_->method.empty() && is_named("method")) out_->method = Trim(property.value);
    if (is_named("attendee")) ++out_->attendees;
    if (is_named("organizer") && ++organizers_ <= kMostOrganizers) out_->organizers.Add(property.value);
    const std::string page = pages_ < kMostPages ? PageInLink(property.parameters) : std::string();
    if (!page.empty()) {
      ++pages_;
      out_->pages.Add(page);
    }
    const bool is_page = pages_ < kMostPages && IsPage(property);
    const auto before = static_cast<size_t>(property.value.data() - line.data());
    out_->text.append(line.substr(0, before));
    if (is_page) {
      ++pages_;
      page_.clear();
      AppendUnescaped(property.value, &page_);
      out_->pages.Add(page_);
    } else {
      AppendUnescaped(property.value, &out_->text);
    }
    out_->text.push_back('\n');
  }

 private:
  Calendar* out_;
  size_t organizers_ = 0;
  size_t pages_ = 0;
  std::string page_;
};

}  // namespace

void UnfoldCalendar(std::string_view bytes, std::string* out) {
  out->clear();
  while (!bytes.empty()) {
    std::string_view line = FirstLine(bytes);
    bytes.remove_prefix(line.size());
    if (IsContinuation(bytes)) {
      line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
      bytes.remove_prefix(1);
    }
    out->append(line);
  }
}

void ReadCalendar(std::string_view utf8, Calendar* out) {
  out->method.clear();
  out->organizers.Clear();
  out->attendees = 0;
  out->text.clear();
  out->pages.Clear();
  CalendarReader reader(out);
  while (!utf8.empty()) {
    const std::string_view line = FirstLine(utf8);
    utf8.remove_prefix(line.size());
    if (!Trim(line).empty()) reader.Add(Trim(line));
  }
}

}  // namespace thresher::tokenizer
