// Mail of shops: flyers and receipts.
//
// Used for newsletters and ambiguous mail. Thread-safety: one thread at a time per World.
#pragma once

#include <string>

#include "pipeline/generate/topics.h"
#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

// HTML, with some shops also plain text.
std::string WriteShopMail(const Shop& shop, const Topic& topic, const Phrases& shared, World& world);

std::string WriteReceipt(const Shop& shop, World& world);

}  // namespace thresher::pipeline::synthetic
