// What transport adds to mail: dates, Received lines, message ids; and which mail program wrote it.
//
// Hosts are below example.com, example.net, example.org and .example, addresses in the blocks reserved for
// documentation: nothing generated refers to a real host or person. Used by World and disguise.cc.
// Thread-safety: pure but for the Random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/generate/random.h"

namespace thresher::pipeline::synthetic {

// A host that relays mail.
struct Relay {
  std::string host;
  std::string ip;
  std::string software;
};

// The host that receives all the mail.
inline constexpr std::string_view kOurExchange = "mx.example.org";

std::string DocumentationAddress(Random& random);

// A host of a home connection: its name contains its address.
std::string DialUpName(std::string_view ip, Random& random);

// "Mon, 01 Jan 2024 09:30:00 +0100" of seconds since 1970.
std::string MailDate(int64_t seconds, int zone_minutes);

// One whole Received line; `from` as "helo (name [ip])", `recipient` empty where the hop does not name it.
std::string ReceivedLine(std::string_view from, std::string_view by, std::string_view software,
                         std::string_view recipient, int64_t seconds, Random& random);
std::string FromRelay(const Relay& relay);
// The hop to our mail exchange, and sometimes one more behind it.
std::string LocalHops(std::string_view from, std::string_view recipient, int64_t seconds, Random& random);

// A mail program: the header line in which it names itself, if any, and the form of its message ids.
struct Mailer {
  std::string_view header;
  int id_form;
};
const Mailer& PickPersonalMailer(Random& random);
const Mailer& PickBulkMailer(Random& random);  // spammers pretend to use them as well

std::string MessageId(const Mailer& mailer, std::string_view host, int64_t seconds, Random& random);

}  // namespace thresher::pipeline::synthetic
