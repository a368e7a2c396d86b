// What the MIME headers of a part say: its type, charset, transfer encoding, disposition and file name.
//
// Called by mime.cc and mime_object.cc. GMime parses the values. Accepts any bytes. Thread-safety: a
// PartDescriptions serves one thread; GMime must have been initialised.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace thresher::tokenizer {

// `type` in these is in lower case.

// Whether it is the type of a multipart or of an embedded message.
bool HoldsParts(std::string_view type);
// Whether the part is a file of HTML or SVG, by type or name: such files lead to a page or are one.
bool IsWebFile(std::string_view type, std::string_view filename);
// Whether the part is a file for calendars (calendar.h), by type or name.
bool IsCalendar(std::string_view type, std::string_view filename);
// Whether the part is a message, by type, or by name if it is not read as text.
bool IsMessage(std::string_view type, std::string_view filename);
// Whether it is read as text: a text, a web file or calendar, a report such as message/delivery-status.
bool IsReadable(std::string_view type, std::string_view filename);

// The values of a part's MIME headers, as they stand in the message.
struct MimeHeaders {
  std::string type;
  std::string disposition;
  std::string encoding;
};

// As in MimePart (mime.h). Owns the strings that a MimePart refers to.
struct PartDescription {
  explicit PartDescription(const MimeHeaders& headers);

  // Only the type that the value of a Content-Type gives, in which mime_parameters.h has blanked what is bad.
  // No parameter is read, so no charset is converted.
  static std::string TypeOf(std::string_view value);

  std::string type = "text/plain";
  std::string charset;
  std::string encoding;
  std::string disposition;
  std::string filename;

 private:
  void ReadDisposition(const std::string& value);
};

// Most parts have the headers of an earlier one, and GMime takes microseconds for them.
class PartDescriptions {
 public:
  // Valid until the next call, or as long as *rare, which gets one with long headers.
  const PartDescription& Of(const MimeHeaders& headers, std::optional<PartDescription>* rare);

 private:
  static constexpr size_t kMost = 64;
  static constexpr size_t kLongest = 256;  // bytes of the headers

  std::unordered_map<std::string, PartDescription> known_;
  std::string key_;
};

}  // namespace thresher::tokenizer
