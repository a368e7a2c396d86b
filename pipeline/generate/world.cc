#include "pipeline/generate/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/generate/drift.h"
#include "pipeline/generate/prose.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr int64_t kStart = 1704096000;  // 1 January 2024, 08:00 UTC
constexpr size_t kPeople = 48;
constexpr size_t kLists = 8;
constexpr size_t kShops = 12;
constexpr size_t kContested = 5;
constexpr std::array<std::string_view, 10> kProviders = {
    "smtp.example.com",      "mail.example.net",   "out.webmail.example", "relay.isp.example",
    "mail.cs.example.net",   "mx1.office.example", "smtp.school.example", "post.example",
    "mail.home.example.com", "send.phone.example"};
constexpr std::array<std::string_view, 4> kBulk = {"o1.bulk.example.net", "mta7.campaigns.example",
                                                   "send.news.example", "out3.mailer.example.com"};
constexpr std::array<std::string_view, 4> kSoftware = {"Postfix", "Exim 4.96", "Sendmail 8.17.1",
                                                       "Microsoft SMTPSVC"};
constexpr std::array<int, 8> kZones = {0, 60, 60, 120, -300, -480, 330, 540};

std::string LowerCase(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

template <typename Names>
std::vector<Relay> MakeRelays(const Names& names, Random& random) {
  std::vector<Relay> relays;
  for (const std::string_view name : names) {
    std::string ip = DocumentationAddress(random);
    relays.push_back({std::string(name), std::move(ip), std::string(random.Pick(kSoftware))});
  }
  return relays;
}

// The mail domain of a provider: its host without the first label.
std::string DomainOf(const Relay& relay) {
  const std::string domain = relay.host.substr(relay.host.find('.') + 1);
  return domain.find('.') == std::string::npos ? relay.host : domain;
}

}  // namespace

World::World(uint64_t the_seed)
    : seed(the_seed),
      random(the_seed),
      now(kStart),
      recipients({"anna@example.org", "office@example.org", "jens.holm@example.org"}),
      providers(MakeRelays(kProviders, random)),
      bulk(MakeRelays(kBulk, random)) {
  while (people.size() < kPeople) people.push_back(NewPerson());
  letters.resize(kPeople);
  for (size_t i = 0; i < kLists; ++i) {
    const std::string name = CoinWord(Named(i)) + (i % 2 == 0 ? "-devel" : "-users");
    lists.push_back(
        {name, "lists.example.net", DocumentationAddress(random), i % (HamTopics().size() - 3), {}});
  }
  while (shops.size() < kShops) shops.push_back(NewShop());
  while (contested.size() < kContested) contested.push_back(NewShop());
}

Person World::NewPerson() {
  Person person;
  const std::string_view first = random.Pick(Shared().first_names);
  const std::string last =
      random.Chance(0.5) ? std::string(random.Pick(Shared().surnames)) : CoinWord(random.Next());
  person.name = fmt::format("{} {}", first, last);
  if (person.name[first.size() + 1] >= 'a') person.name[first.size() + 1] -= 32;
  person.relay = &random.Pick(providers);
  person.address = fmt::format("{}.{}@{}", LowerCase(first), LowerCase(last), DomainOf(*person.relay));
  person.mailer = &PickPersonalMailer(random);
  person.home_ip = DocumentationAddress(random);
  person.zone_minutes = random.Pick(kZones);
  return person;
}

Shop World::NewShop() {
  Shop shop;
  shop.brand = CoinWord(random.Next());
  shop.domain = shop.brand + ".example";
  shop.brand[0] = static_cast<char>(shop.brand[0] - 32);
  shop.relay = &random.Pick(bulk);
  shop.mailer = &PickBulkMailer(random);
  shop.layout = random.Below(64);
  return shop;
}

uint64_t World::Period() const { return PeriodOf(message); }

void World::Advance() {
  ++message;
  now += static_cast<int64_t>(random.Between(20, 900));
  if (message % (kPeriodMessages / 4) == 0) Replace(random.Below(people.size()));
  if (message % kPeriodMessages != 0) return;
  std::vector<Shop>& group = random.Chance(0.7) ? shops : contested;
  const size_t leaver = random.Below(group.size());
  group[leaver] = NewShop();
}

void World::Replace(size_t person) {
  people[person] = NewPerson();
  letters[person] = {};
}

}  // namespace thresher::pipeline::synthetic
