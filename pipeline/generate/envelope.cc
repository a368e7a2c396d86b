#include "pipeline/generate/envelope.h"

#include <fmt/format.h>

#include <iterator>

#include "pipeline/generate/prose.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<std::string_view, 5> kMailboxes = {"news", "info", "offers", "service", "hello"};

constexpr size_t kTextWidth = 74;

// With or without quotes around the name: mail programs differ.
std::string FormatMailbox(const Envelope& envelope, World& world) {
  const std::string name = world.charsets.EncodeHeader(envelope.from_name, envelope.charset);
  const bool quoted = name.find('=') == std::string::npos && envelope.mailer->id_form % 2 == 0;
  return quoted ? fmt::format("\"{}\" <{}>", name, envelope.from)
                : fmt::format("{} <{}>", name, envelope.from);
}

std::string DomainOf(std::string_view address) { return std::string(address.substr(address.find('@') + 1)); }

}  // namespace

Envelope WrittenBy(const Person& person, std::string_view to, World& world) {
  Envelope envelope;
  Random& random = world.random;
  const auto took = static_cast<int64_t>(random.Between(1, 9));
  if (random.Chance(0.8)) {
    const std::string dial_up = DialUpName(person.home_ip, random);
    const std::string from = fmt::format("[{}] ({} [{}])", person.home_ip, dial_up, person.home_ip);
    envelope.received =
        ReceivedLine(from, person.relay->host, person.relay->software, "", world.now - took, random);
  }
  envelope.from_name = person.name;
  envelope.from = person.address;
  envelope.to = to;
  envelope.mailer = person.mailer;
  envelope.message_id = MessageId(*person.mailer, DomainOf(person.address), world.now - took, random);
  envelope.date = world.now - took - 1;
  envelope.zone_minutes = person.zone_minutes;
  return envelope;
}

Envelope FromPerson(const Person& person, std::string_view recipient, World& world) {
  Envelope envelope = WrittenBy(person, recipient, world);
  envelope.received =
      LocalHops(FromRelay(*person.relay), recipient, world.now, world.random) + envelope.received;
  return envelope;
}

Envelope FromShop(const Shop& shop, std::string_view recipient, World& world) {
  Envelope envelope;
  Random& random = world.random;
  envelope.received = LocalHops(FromRelay(*shop.relay), recipient, world.now, random);
  envelope.from_name = shop.brand;
  envelope.from = fmt::format("{}@{}", kMailboxes[shop.layout % kMailboxes.size()], shop.domain);
  envelope.to = recipient;
  envelope.mailer = shop.mailer;
  envelope.message_id = MessageId(*shop.mailer, shop.relay->host, world.now, random);
  if (random.Chance(0.7)) {
    envelope.more_headers =
        fmt::format("List-Unsubscribe: <https://{}/unsubscribe?u={}>\n", shop.domain, Code(10, random));
  }
  if (shop.layout % 3 == 0) envelope.more_headers += "Precedence: bulk\n";
  envelope.date = world.now - 2;
  return envelope;
}

std::string WriteMessage(const Envelope& envelope, const Part& body, World& world) {
  std::string out = envelope.received;
  const auto append = std::back_inserter(out);
  const std::string from = FormatMailbox(envelope, world);
  const std::string subject = world.charsets.EncodeHeader(envelope.subject, envelope.charset);
  const std::string date = MailDate(envelope.date, envelope.zone_minutes);
  if (envelope.mailer->id_form < 3) {
    fmt::format_to(append, "Message-ID: {}\nDate: {}\n{}MIME-Version: 1.0\nFrom: {}\nTo: {}\nSubject: {}\n",
                   envelope.message_id, date, envelope.mailer->header, from, envelope.to, subject);
  } else {
    fmt::format_to(append, "From: {}\nTo: {}\nSubject: {}\nDate: {}\nMessage-ID: {}\nMIME-Version: 1.0\n{}",
                   from, envelope.to, subject, date, envelope.message_id, envelope.mailer->header);
  }
  out += envelope.more_headers;
  AppendPart(body, world.random, out);
  return out;
}

Part TextPart(std::string_view subtype, std::string_view utf8, World& world) {
  return TextPart(subtype, utf8, "us-ascii", Transfer::k7Bit, world);
}

Part TextPart(std::string_view subtype, std::string_view utf8, const std::string& charset, Transfer transfer,
              World& world) {
  return {.type = fmt::format("text/{}; charset={}", subtype, charset),
          .transfer = transfer,
          .content = world.charsets.Encode(Wrap(utf8, kTextWidth), charset)};
}

}  // namespace thresher::pipeline::synthetic
