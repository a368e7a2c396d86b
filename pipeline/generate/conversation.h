// Messages of people who know each other: current topics, and replies that quote the message before.
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

// A page that a message may link to.
std::string HomePage(World& world);

// Continues a conversation or starts one: sets the subject of the envelope and the headers that refer to the
// message before. A new subject starts with the prefix.
void Continue(Thread& thread, std::string_view prefix, size_t topic, Envelope& envelope, World& world);

// The next message of a conversation, up to `most` paragraphs of plain text; the one after it may quote it.
std::string Turn(Thread& thread, const Envelope& envelope, size_t most, World& world);

}  // namespace thresher::pipeline::synthetic
