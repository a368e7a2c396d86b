// The traces mail leaves on its way: dates, Received lines, message ids, and who runs which mail program.
//
// Hosts are below example.com, example.net, example.org and .example, addresses in the blocks reserved for
// documentation: nothing generated points at anybody. Thread-safety: pure but for the Random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/generate/random.h"

namespace thresher::pipeline::synthetic {

// A host that passes mail on.
struct Relay {
  std::string host;
  std::string ip;
  std::string software;
};

// Where all the mail ends up.
inline constexpr std::string_view kOurDomain = "example.org";
inline constexpr std::string_view kOurExchange = "mx.example.org";

std::string DocumentationAddress(Random& random);

// A line machine of somebody's home: its name tells its address.
std::string DialUpName(std::string_view ip, Random& random);

// "Mon, 01 Jan 2024 09:30:00 +0100" of seconds since 1970.
std::string MailDate(int64_t seconds, int zone_minutes);

// One whole Received line; `from` as "helo (name [ip])", `recipient` empty where the hop does not name it.
std::string ReceivedLine(std::string_view from, std::string_view by, std::string_view software,
                         std::string_view recipient, int64_t seconds, Random& random);
std::string FromRelay(const Relay& relay);
// The hop into our own exchange, and sometimes one more inside.
std::string LocalHops(std::string_view from, std::string_view recipient, int64_t seconds, Random& random);

// A mail program: what it says of itself (a whole header line, or none) and the form of its message ids.
struct Mailer {
  std::string_view header;
  int id_form;
};
const Mailer& PickPersonalMailer(Random& random);
const Mailer& PickBulkMailer(Random& random);  // also what spammers pretend to be

std::string MessageId(const Mailer& mailer, std::string_view host, int64_t seconds, Random& random);

}  // namespace thresher::pipeline::synthetic
