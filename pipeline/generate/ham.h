// Ham, and ambiguous mail, which no filter can classify.
//
// Used by MailGenerator, one call per message. Thread-safety: one thread at a time per World.
#pragma once

#include <string>

#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

std::string WriteHam(World& world);

// Has the same distribution in both classes: causes errors that no filter can avoid.
std::string WriteAmbiguous(World& world);

}  // namespace thresher::pipeline::synthetic
