#include "pipeline/generate/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "pipeline/generate/prose.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<std::string_view, 3> kDocumentationBlocks = {"192.0.2", "198.51.100", "203.0.113"};
constexpr std::array<std::string_view, 7> kShortDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kShortMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr std::array kPersonalMailers = {
    Mailer{"User-Agent: Mozilla Thunderbird\n", 0},
    Mailer{"User-Agent: Mozilla Thunderbird 115.6.0\n", 0},
    Mailer{"X-Mailer: Apple Mail (2.3731)\n", 1},
    Mailer{"X-Mailer: iPhone Mail (21C66)\n", 1},
    Mailer{"X-Mailer: Microsoft Outlook 16.0\n", 2},
    Mailer{"X-Mailer: Microsoft Outlook Express 6.00.2900.2180\n", 2},
    Mailer{"User-Agent: Mutt/2.2.12\n", 3},
    Mailer{"User-Agent: Evolution 3.46\n", 4},
    Mailer{"", 5},
};

constexpr std::array kBulkMailers = {
    Mailer{"X-Mailer: Microsoft Outlook Express 6.00.2900.2180\n", 2},
    Mailer{"X-Mailer: Microsoft Outlook Express 6.00.2600.0000\n", 2},
    Mailer{"X-Mailer: The Bat! (v3.99) Professional\n", 6},
    Mailer{"X-Mailer: PHPMailer 6.8\n", 6},
    Mailer{"X-Mailer: Microsoft Outlook 16.0\n", 2},
    Mailer{"User-Agent: Mozilla Thunderbird\n", 0},
    Mailer{"", 5},
    Mailer{"", 6},
};

std::string QueueId(Random& random) {
  const size_t form = random.Below(3);
  std::string id = Code(form == 0 ? 10 : form == 1 ? 14 : 11, random);
  if (form == 0)
    std::transform(id.begin(), id.end(), id.begin(), [](char c) { return c >= 'a' ? char(c - 32) : c; });
  return id;
}

}  // namespace

std::string DocumentationAddress(Random& random) {
  const std::string_view block = random.Pick(kDocumentationBlocks);
  return fmt::format("{}.{}", block, random.Between(1, 254));
}

std::string DialUpName(std::string_view ip, Random& random) {
  std::string dashed(ip);
  std::replace(dashed.begin(), dashed.end(), '.', '-');
  switch (random.Below(3)) {
    case 0:
      return fmt::format("dyn-{}.pool.example.net", dashed);
    case 1:
      return fmt::format("{}.dsl.example.com", dashed);
    default:
      return fmt::format("host{}.broadband.example", dashed);
  }
}

std::string MailDate(int64_t seconds, int zone_minutes) {
  using std::chrono::days;
  using std::chrono::floor;
  const std::chrono::sys_seconds local{std::chrono::seconds(seconds + int64_t{60} * zone_minutes)};
  const auto day = floor<days>(local);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(local - day);
  const int offset = zone_minutes < 0 ? -zone_minutes : zone_minutes;
  return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} {}{:02}{:02}",
                     kShortDays[std::chrono::weekday(day).c_encoding()], static_cast<unsigned>(date.day()),
                     kShortMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     zone_minutes < 0 ? '-' : '+', offset / 60, offset % 60);
}

std::string ReceivedLine(std::string_view from, std::string_view by, std::string_view software,
                         std::string_view recipient, int64_t seconds, Random& random) {
  const std::string target = recipient.empty() ? "" : fmt::format("\n\tfor <{}>", recipient);
  return fmt::format("Received: from {}\n\tby {} ({}) with {} id {}{};\n\t{}\n", from, by, software,
                     software == "Postfix" ? "ESMTP" : "SMTP", QueueId(random), target, MailDate(seconds, 0));
}

std::string FromRelay(const Relay& relay) {
  return fmt::format("{} ({} [{}])", relay.host, relay.host, relay.ip);
}

std::string LocalHops(std::string_view from, std::string_view recipient, int64_t seconds, Random& random) {
  std::string lines;
  if (random.Chance(0.4)) {
    lines = ReceivedLine(fmt::format("{} (localhost [127.0.0.1])", kOurExchange), "store.example.org",
                         "Postfix", "", seconds + 1, random);
  }
  return lines + ReceivedLine(from, kOurExchange, "Postfix", recipient, seconds, random);
}

const Mailer& PickPersonalMailer(Random& random) { return random.Pick(kPersonalMailers); }

const Mailer& PickBulkMailer(Random& random) { return random.Pick(kBulkMailers); }

std::string MessageId(const Mailer& mailer, std::string_view host, int64_t seconds, Random& random) {
  const std::string code = Code(24, random);
  const std::string_view c = code;
  switch (mailer.id_form) {
    case 0:
      return fmt::format("<{:X}.{}@{}>", seconds, random.Between(1000000, 9999999), host);
    case 1:
      return fmt::format("<{}-{}-{}@{}>", c.substr(0, 8), c.substr(8, 4), c.substr(12), host);
    case 2:
      return fmt::format("<{:012x}${:08x}${}@{}>", random.Below(1U << 31), seconds, c.substr(0, 8), host);
    case 3:
      return fmt::format("<{}.GA{}@{}>", MailDate(seconds, 0).substr(17, 2), random.Below(30000), host);
    case 4:
      return fmt::format("<{}.{}.camel@{}>", seconds, random.Below(30000), host);
    case 5:
      return fmt::format("<CA{}@{}>", c, host);
    default:
      return fmt::format("<{}@{}>", c.substr(0, 20), host);
  }
}

}  // namespace thresher::pipeline::synthetic
