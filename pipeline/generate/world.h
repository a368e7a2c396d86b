// The people, lists and shops that write to one mailbox, and the clock: shared by the ham and spam writers.
//
// Owned by MailGenerator. Thread-safety: one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/generate/charset.h"
#include "pipeline/generate/random.h"
#include "pipeline/generate/topics.h"
#include "pipeline/generate/transport.h"

namespace thresher::pipeline::synthetic {

struct Person {
  std::string name;
  std::string address;
  const Relay* relay;
  const Mailer* mailer;
  std::string home_ip;
  int zone_minutes;
};

// The last message of a conversation, for replies to quote.
struct Thread {
  std::string subject = {};
  std::string message_id = {};  // empty before the first message
  std::string author = {};
  std::string text = {};
  size_t topic = 0;
};

struct MailingList {
  std::string name;
  std::string host;
  std::string ip;
  size_t topic;
  Thread thread;
};

// A sender of advertising, wanted or not.
struct Shop {
  std::string brand;
  std::string domain;
  const Relay* relay;
  const Mailer* mailer;
  size_t layout;  // of its pages
};

struct World {
  explicit World(uint64_t the_seed);

  Person NewPerson();
  Shop NewShop();
  uint64_t Period() const;
  // A constant number of this world: for instance the seed of a company's name or of its words in fashion.
  uint64_t Named(uint64_t what) const { return Scramble(seed ^ Scramble(what)); }
  std::string_view Recipient() { return random.Pick(recipients); }
  // Advances the clock and replaces some of the people.
  void Advance();

  uint64_t seed;
  Random random;
  CharsetEncoder charsets;
  uint64_t message = 0;  // from 0
  int64_t now = 0;       // seconds since 1970

  std::vector<std::string> recipients;
  std::vector<Relay> providers;  // of people
  std::vector<Relay> bulk;       // bulk mailers, used by shops and by spammers
  std::vector<Person> people;
  std::vector<Thread> letters;  // one conversation with each of the people
  std::vector<MailingList> lists;
  std::vector<Shop> shops;
  std::vector<Shop> contested;  // shops whose mail is equally often ham and spam

 private:
  void Replace(size_t person);
};

}  // namespace thresher::pipeline::synthetic
