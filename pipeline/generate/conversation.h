// What people who know each other write: topics of the moment, and turns of a conversation that quote the
// last one.
//
// Used by the ham writer. Thread-safety: one thread at a time per World.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/generate/envelope.h"
#include "pipeline/generate/prose.h"
#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

size_t HamTopicOfNow(World& world);
Scene HamScene(size_t topic, std::string_view url, const World& world);

// A page somebody might point to.
std::string HomePage(World& world);

// Goes on with a conversation or begins one: gives the envelope its subject, and the headers that tie a reply
// to the message before. A new subject begins with the prefix.
void Continue(Thread& thread, std::string_view prefix, size_t topic, Envelope& envelope, World& world);

// One turn of a conversation as plain text of up to `most` paragraphs, remembered for the next one to quote.
std::string Turn(Thread& thread, const Envelope& envelope, size_t most, World& world);

}  // namespace thresher::pipeline::synthetic
