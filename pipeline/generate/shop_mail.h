// Mail of those who sell: flyers, and receipts of what was ordered.
//
// Newsletters and ambiguous mail are made of it. Thread-safety: one thread at a time per World.
#pragma once

#include <string>

#include "pipeline/generate/topics.h"
#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

// HTML, with some shops also plain text.
std::string WriteShopMail(const Shop& shop, const Topic& topic, const Phrases& shared, World& world);

std::string WriteReceipt(const Shop& shop, World& world);

}  // namespace thresher::pipeline::synthetic
