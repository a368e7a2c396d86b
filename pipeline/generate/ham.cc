#include "pipeline/generate/ham.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "pipeline/generate/conversation.h"
#include "pipeline/generate/html.h"
#include "pipeline/generate/languages.h"
#include "pipeline/generate/prose.h"
#include "pipeline/generate/shop_mail.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<size_t, 3> kHamTopics = {kBankHam, kHealthHam, kShoppingHam};
constexpr std::array<size_t, 4> kSpamTopics = {kLoansSpam, kSoftwareSpam, kWorkSpam, kPromotionSpam};
constexpr std::array<std::array<std::string_view, 2>, 5> kFiles = {{{"image/jpeg", "jpg"},
                                                                    {"application/pdf", "pdf"},
                                                                    {"application/zip", "zip"},
                                                                    {"image/png", "png"},
                                                                    {"application/msword", "doc"}}};

Part SomeAttachment(World& world) {
  const auto& [type, extension] = world.random.Pick(kFiles);
  const std::string name = fmt::format("{}.{}", CoinWord(world.random.Next()), extension);
  const size_t bytes = world.random.Between(500, 4500);
  return Attachment(type, name, bytes, world.random);
}

std::string WritePersonal(World& world) {
  Random& random = world.random;
  const size_t who = random.Below(world.people.size());
  const Person& person = world.people[who];
  Thread& thread = world.letters[who];
  Envelope envelope = FromPerson(person, world.Recipient(), world);
  Continue(thread, "", HamTopicOfNow(world), envelope, world);
  const std::string text = Turn(thread, envelope, 3, world);
  Part body = TextPart("plain", text, world);
  if (random.Chance(0.3)) {
    std::vector<Part> forms = {std::move(body), TextPart("html", LetterHtml({text}, random), world)};
    body = Multipart("alternative", std::move(forms));
  }
  if (random.Chance(0.12)) {
    std::vector<Part> parts = {std::move(body), SomeAttachment(world)};
    body = Multipart("mixed", std::move(parts));
  }
  return WriteMessage(envelope, body, world);
}

std::string WriteToList(World& world) {
  Random& random = world.random;
  MailingList& list = world.lists[random.Below(world.lists.size())];
  const Person& person = random.Pick(world.people);
  const std::string address = fmt::format("{}@{}", list.name, list.host);
  Envelope envelope = WrittenBy(person, address, world);
  const Relay host = {list.host, list.ip, "Postfix"};
  const std::string to_list =
      ReceivedLine(FromRelay(*person.relay), host.host, host.software, address, world.now, random);
  const std::string to_us = LocalHops(FromRelay(host), world.Recipient(), world.now + 4, random);
  envelope.received = to_us + to_list + envelope.received;
  envelope.more_headers = fmt::format("List-Id: <{}.{}>\nList-Post: <mailto:{}>\nPrecedence: list\n",
                                      list.name, list.host, address);
  const size_t topic = random.Chance(0.6) ? list.topic : HamTopicOfNow(world);
  Continue(list.thread, fmt::format("[{}] ", list.name), topic, envelope, world);
  std::string text = Turn(list.thread, envelope, 4, world);
  text += fmt::format("\n_______________________________________________\n{} mailing list\n{}\n", list.name,
                      address);
  return WriteMessage(envelope, TextPart("plain", text, world), world);
}

std::string WriteNewsletter(World& world) {
  const Shop& shop = world.random.Pick(world.shops);
  const size_t topic = world.random.Chance(0.6) ? kShoppingHam : HamTopicOfNow(world);
  return WriteShopMail(shop, HamTopics()[topic], Shared().ham_lines, world);
}

std::string WriteOrderMail(World& world) { return WriteReceipt(world.random.Pick(world.shops), world); }

// Machines that report: cron, a bug tracker, a calendar.
std::string WriteNotice(World& world) {
  Random& random = world.random;
  const std::string url = HomePage(world);
  const Scene scene = HamScene(random.Below(3), url, world);
  const Relay& relay = random.Pick(world.providers);
  const Person robot = {.name = Said("{coined} tracker", scene, random),
                        .address = "noreply@" + relay.host,
                        .relay = &relay,
                        .mailer = &PickBulkMailer(random),
                        .home_ip = relay.ip,
                        .zone_minutes = 0};
  Envelope envelope = FromPerson(robot, world.Recipient(), world);
  envelope.more_headers = "Auto-Submitted: auto-generated\n";
  envelope.subject =
      Said(random.Chance(0.5) ? "[{coined} {number}] {quality} {thing}" : "Cron <root@{coined}> {thing}",
           scene, random);
  std::string text = Said("{name} {surname} changed this on {day} at {time}.\n\n", scene, random);
  for (size_t left = random.Between(2, 9); left > 0; --left) {
    Say("  {thing} {number}: {quality}\n", scene, random, text);
  }
  Say("\n{url}\n", scene, random, text);
  Part body = TextPart("plain", text, world);
  if (random.Chance(0.2)) {
    const std::string event = Said(
        "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nSUMMARY:{thing}\nLOCATION:{place}\n"
        "END:VEVENT\nEND:VCALENDAR\n",
        scene, random);
    std::vector<Part> forms = {std::move(body), TextPart("calendar", event, world)};
    body = Multipart("alternative", std::move(forms));
  }
  return WriteMessage(envelope, body, world);
}

std::string WriteFromAbroad(World& world) {
  Random& random = world.random;
  const Language& language = random.Pick(Languages());
  const Charset& charset = random.Pick(language.charsets);
  const std::string url = HomePage(world);
  const Scene scene = HamScene(HamTopicOfNow(world), url, world);
  const Person& person = random.Pick(world.people);
  Envelope envelope = FromPerson(person, world.Recipient(), world);
  envelope.charset = charset.name;
  envelope.from_name = random.Pick(language.names);
  envelope.subject = Said(random.Pick(language.ham_subjects), scene, random);
  std::string text;
  for (size_t left = random.Between(2, 9); left > 0; --left) {
    Say(random.Pick(language.ham_lines), scene, random, text);
    text += random.Chance(0.4) ? "\n\n" : "\n";
  }
  text += envelope.from_name + "\n";
  return WriteMessage(envelope, TextPart("plain", text, charset.name, charset.transfer, world), world);
}

// A line or two from somebody, who may be a stranger.
std::string WriteNote(World& world) {
  Random& random = world.random;
  const std::string url = HomePage(world);
  const Scene scene = HamScene(HamTopicOfNow(world), url, world);
  const Person stranger = world.NewPerson();
  const Person& person = random.Chance(0.2) ? stranger : random.Pick(world.people);
  Envelope envelope = FromPerson(person, world.Recipient(), world);
  envelope.subject = random.Chance(0.3) ? "" : Said(random.Pick(scene.topic.subjects), scene, random);
  std::string text = Paragraph(scene, Shared().ham_lines, random.Between(1, 2), 0.3, random) + "\n";
  if (random.Chance(0.5)) text += url + "\n";
  return WriteMessage(envelope, TextPart("plain", text, world), world);
}

using Writer = std::string (*)(World&);
struct Kind {
  size_t share;
  Writer write;
};
constexpr std::array<Kind, 7> kKinds = {{{30, WritePersonal},
                                         {26, WriteToList},
                                         {15, WriteNewsletter},
                                         {8, WriteOrderMail},
                                         {9, WriteNotice},
                                         {8, WriteFromAbroad},
                                         {4, WriteNote}}};

}  // namespace

std::string WriteAmbiguous(World& world) {
  Random& random = world.random;
  if (random.Chance(0.35)) return WriteNote(world);
  const bool of_ham = random.Chance(0.5);
  const Topic& topic = of_ham ? HamTopics()[random.Pick(kHamTopics)] : SpamTopics()[random.Pick(kSpamTopics)];
  const Phrases& shared = random.Chance(0.5) ? Shared().ham_lines : Shared().spam_lines;
  return WriteShopMail(random.Pick(world.contested), topic, shared, world);
}

std::string WriteHam(World& world) {
  size_t draw = world.random.Below(100);
  size_t kind = 0;
  for (; draw >= kKinds[kind].share; ++kind) draw -= kKinds[kind].share;
  return kKinds[kind].write(world);
}

}  // namespace thresher::pipeline::synthetic
