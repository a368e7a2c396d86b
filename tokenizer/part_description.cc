#include "tokenizer/part_description.h"

#include <gmime/gmime.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tokenizer/ascii.h"
#include "tokenizer/gobject_ptr.h"

namespace thresher::tokenizer {
namespace {

bool IsQuote(char c) { return c == '"' || c == '\''; }

// Some programs write it in quotes.
std::string FirstWord(std::string_view value) {
  value = Trim(value);
  if (value.size() > 1 && IsQuote(value.front())) value.remove_prefix(1);
  const auto end = std::find_if(value.begin(), value.end(),
                                [](char c) { return IsAsciiSpace(c) || IsQuote(c) || c == ';' || c == ','; });
  return LowerAscii(value.substr(0, static_cast<size_t>(end - value.begin())));
}

// ".html", as the system sees it; "" if the name has none.
std::string_view EndOf(std::string_view filename) {
  while (filename.ends_with('.') || filename.ends_with(' ')) filename.remove_suffix(1);
  return filename.substr(std::min(filename.rfind('.'), filename.size()));
}

std::string OrEmpty(const char* text) { return text == nullptr ? std::string() : std::string(text); }

// The value of a Content-Type.
class DeclaredType {
 public:
  DeclaredType(std::string_view value, bool with_parameters) : value_(Trim(value)) {
    // Some programs write the type in quotes.
    is_quoted_ = !value_.empty() && IsQuote(value_.front());
    if (is_quoted_) {
      const auto end = std::find(value_.begin(), value_.end(), ';');
      value_.erase(std::remove_if(value_.begin(), end, IsQuote), end);
    }
    if (value_.empty()) return;
    const std::string parsed = with_parameters ? value_ : value_.substr(0, value_.find(';'));
    parsed_.reset(g_mime_content_type_parse(nullptr, parsed.c_str()));
  }

  // "text/plain" if it is absent or malformed.
  std::string Name() const {
    constexpr const char* none = "text/plain";
    if (parsed_ == nullptr) return none;
    const std::string major = LowerAscii(OrEmpty(g_mime_content_type_get_media_type(parsed_.get())));
    const std::string minor = LowerAscii(OrEmpty(g_mime_content_type_get_media_subtype(parsed_.get())));
    // GMime calls a malformed type an application; for mail, text is the better guess.
    const size_t slash = value_.find('/');
    const bool has_minor =
        slash != std::string::npos && !Trim(std::string_view(value_).substr(slash + 1)).empty();
    const bool is_guess = major == "application" && !(has_minor && StartsWithIgnoringCase(value_, major));
    if (is_guess || major.empty() || minor.empty()) return none;
    std::string name = major + "/" + minor;
    // Where it looks for parts, GMime takes a quoted type for an application, and finds none.
    return is_quoted_ && HoldsParts(name) ? none : name;
  }

  std::string Parameter(const char* name) const {
    return parsed_ == nullptr ? "" : OrEmpty(g_mime_content_type_get_parameter(parsed_.get(), name));
  }

 private:
  std::string value_;
  bool is_quoted_ = false;
  GObjectPtr<GMimeContentType> parsed_;  // null if there is none
};

constexpr ByteSet kInType("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-");
constexpr ByteSet kInBoundary("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_=:/?'");

// Whether it is not empty and has only these.
bool IsAll(const ByteSet& bytes, std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) { return bytes.Has(c); });
}

// "multipart/mixed" of "multipart/mixed; boundary=x". Each message has another boundary, which describes
// nothing. Values of any other form stay as they are.
std::string_view WithoutBoundary(std::string_view value) {
  constexpr std::string_view kName = "boundary=";
  const size_t end = std::min(value.find(';'), value.size());
  const std::string_view type = Trim(value.substr(0, end));
  const size_t slash = std::min(type.find('/'), type.size());
  std::string_view parameter = Trim(value.substr(std::min(end + 1, value.size())));
  if (!StartsWithIgnoringCase(parameter, kName)) return value;
  parameter.remove_prefix(kName.size());
  if (parameter.size() > 1 && parameter.starts_with('"') && parameter.ends_with('"'))
    parameter = parameter.substr(1, parameter.size() - 2);
  const bool is_plain = IsAll(kInType, type.substr(0, slash)) && slash < type.size() &&
                        IsAll(kInType, type.substr(slash + 1)) && IsAll(kInBoundary, parameter);
  return is_plain ? type : value;
}

}  // namespace

bool HoldsParts(std::string_view type) {
  return type.starts_with("multipart/") || type.starts_with("message/");
}

bool IsCalendar(std::string_view type, std::string_view filename) {
  if (type == "text/calendar" || type == "application/ics") return true;
  return type != "text/html" && !HoldsParts(type) && EqualsIgnoringCase(EndOf(filename), ".ics");
}

bool IsWebFile(std::string_view type, std::string_view filename) {
  if (HoldsParts(type)) return false;
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"application/xhtml+xml", "image/svg+xml", "text/watch-html", "text/x-amp-html"});
  if (std::ranges::find(kTypes, type) != kTypes.end()) return true;
  const std::string_view end = EndOf(filename);
  constexpr auto kEnds =
      std::to_array<std::string_view>({".htm", ".html", ".shtml", ".svg", ".xht", ".xhtml"});
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [end](std::string_view known) { return EqualsIgnoringCase(end, known); });
}

bool IsReadable(std::string_view type, std::string_view filename) {
  return type.starts_with("text/") || type.starts_with("message/") || IsWebFile(type, filename) ||
         IsCalendar(type, filename);
}

bool IsMessage(std::string_view type, std::string_view filename) {
  if (type == "message/rfc822" || type == "message/global" || type == "message/news") return true;
  const bool may_be_file = !HoldsParts(type) && !IsReadable(type, filename);
  return may_be_file && EqualsIgnoringCase(EndOf(filename), ".eml");
}

PartDescription::PartDescription(const MimeHeaders& headers) : encoding(FirstWord(headers.encoding)) {
  if (!headers.disposition.empty()) ReadDisposition(headers.disposition);
  const DeclaredType declared(headers.type, true);
  type = declared.Name();
  charset = LowerAscii(declared.Parameter("charset"));
  if (filename.empty()) filename = declared.Parameter("name");
}

std::string PartDescription::TypeOf(std::string_view value) { return DeclaredType(value, false).Name(); }

void PartDescription::ReadDisposition(const std::string& value) {
  const GObjectPtr<GMimeContentDisposition> parsed(g_mime_content_disposition_parse(nullptr, value.c_str()));
  disposition = LowerAscii(OrEmpty(g_mime_content_disposition_get_disposition(parsed.get())));
  filename = OrEmpty(g_mime_content_disposition_get_parameter(parsed.get(), "filename"));
}

const PartDescription& PartDescriptions::Of(const MimeHeaders& headers,
                                            std::optional<PartDescription>* rare) {
  const std::string_view type = WithoutBoundary(headers.type);
  const size_t size = type.size() + headers.disposition.size() + headers.encoding.size();
  if (size > kLongest) return rare->emplace(headers);
  key_.assign(type).append(1, '\0').append(headers.disposition).append(1, '\0').append(headers.encoding);
  if (known_.size() >= kMost && !known_.contains(key_)) known_.clear();
  return known_.try_emplace(key_, headers).first->second;
}

}  // namespace thresher::tokenizer
