// Wanted mail, and the mail nobody can tell.
//
// Used by MailGenerator, one call per message. Thread-safety: one thread at a time per World.
#pragma once

#include <string>

#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

std::string WriteHam(World& world);

// Distributed alike whichever class it is called: the share of errors nobody can avoid.
std::string WriteAmbiguous(World& world);

}  // namespace thresher::pipeline::synthetic
