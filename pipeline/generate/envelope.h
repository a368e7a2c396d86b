// A whole message: headers in the order in which its mail program writes them, then the body.
//
// Called by the writers of every kind of message, which fill an Envelope and a Part. Thread-safety: pure but
// for the World.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pipeline/generate/part.h"
#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

struct Envelope {
  std::string received;  // whole lines, the last hop first
  std::string from_name;
  std::string from;  // address
  std::string to;    // address
  std::string subject;
  std::string charset = "utf-8";  // of header text that is not ASCII
  std::string message_id;
  std::string more_headers;  // whole lines
  const Mailer* mailer = nullptr;
  int64_t date = 0;
  int zone_minutes = 0;
};

// A letter that a person now sends through their provider.
Envelope WrittenBy(const Person& person, std::string_view to, World& world);

// The same, with the hop from the provider to us.
Envelope FromPerson(const Person& person, std::string_view recipient, World& world);

// The path of advertising: through a bulk mailer.
Envelope FromShop(const Shop& shop, std::string_view recipient, World& world);

std::string WriteMessage(const Envelope& envelope, const Part& body, World& world);

// A text part of UTF-8 `text`, with lines wrapped. Without a charset it is ASCII.
Part TextPart(std::string_view subtype, std::string_view utf8, World& world);
Part TextPart(std::string_view subtype, std::string_view utf8, const std::string& charset, Transfer transfer,
              World& world);

}  // namespace thresher::pipeline::synthetic
