#include "tokenizer/calendar_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tokenizer/ascii.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/shape.h"

namespace thresher::tokenizer {
namespace {

// Those of RFC 5546. Whatever else a sender writes is one token.
std::string_view NameOfMethod(std::string_view method) {
  constexpr auto kMethods = std::to_array<std::string_view>(
      {"add", "cancel", "counter", "declinecounter", "publish", "refresh", "reply", "request"});
  if (method.empty()) return "none";
  const auto* const known = std::ranges::find_if(
      kMethods, [method](std::string_view name) { return EqualsIgnoringCase(name, method); });
  return known == kMethods.end() ? "other" : *known;
}

}  // namespace

void AddCalendar(const Calendar& calendar, std::string_view sender, FeatureBuilder* builder) {
  builder->Add("calendar:method:", NameOfMethod(calendar.method));
  builder->Add("calendar:attendees:", Bucket(calendar.attendees).Text());
  bool has_organizer = false;
  calendar.organizers.ForEach([&](std::string_view value) {
    const std::string address = FirstAddress(value);
    if (address.empty()) return;
    has_organizer = true;
    const bool is_sender = AreAligned(DomainOf(address), DomainOf(sender));
    builder->Add("calendar:organizer:", is_sender ? "from-domain" : "other-domain");
  });
  if (!has_organizer) builder->Add("calendar:organizer:", "none");
}

}  // namespace thresher::tokenizer
