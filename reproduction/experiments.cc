#include "reproduction/experiments.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr auto kExperiments = std::to_array<Experiment>({
    {"ball-digits", "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Fig. 7", BallDigits},
    {"ball-online", "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Fig. 8", BallOnline},
    {"ball-synthetic", "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Fig. 4 and 5", BallSynthetic},
    {"ball-text", "Duchi, Shalev-Shwartz, Singer & Chandra 2008, Fig. 6", BallText},
    {"coordinate-descent", "Shalev-Shwartz & Tewari 2009, Fig. 1", CoordinateDescent},
    {"coordinate-descent-bounds", "Shalev-Shwartz & Tewari 2009, Theorems 1 and 2", CoordinateDescentBounds},
    {"coordinate-descent-box", "Shalev-Shwartz & Tewari 2009, Section 1: boxed constraints",
     CoordinateDescentBox},
    {"coordinate-descent-costly", "Shalev-Shwartz & Tewari 2009, Section 3.1: features that cost",
     CoordinateDescentCostly},
    {"coordinate-descent-dense", "Shalev-Shwartz & Tewari 2009, Fig. 1: MAGIC04D", CoordinateDescentDense},
    {"coordinate-descent-greedy", "Shalev-Shwartz & Tewari 2009, Section 1.1: l1 domain",
     CoordinateDescentGreedy},
    {"dual-ascent-batches", "Shalev-Shwartz & Zhang 2013, experimental demonstration", DualAscentBatches},
    {"dual-ascent-bounds", "Shalev-Shwartz & Zhang 2013, the bounds and the main lemma", DualAscentBounds},
    {"dual-ascent-example", "Shalev-Shwartz & Zhang 2013, Dual vs. Primal sub-optimality", DualAscentExample},
    {"dual-ascent-l1", "Shalev-Shwartz & Zhang 2013, run times for l1", DualAscentL1},
    {"dual-ascent-order", "Shalev-Shwartz & Zhang 2013, SDCA vs. DCA", DualAscentOrder},
    {"dual-ascent-regimes", "Shalev-Shwartz & Zhang 2013, interpolating between AGD and SDCA",
     DualAscentRegimes},
    {"dual-ascent-sgd", "Shalev-Shwartz & Zhang 2013, SDCA vs. SGD", DualAscentSgd},
    {"dual-ascent-smoothing", "Shalev-Shwartz & Zhang 2013, smoothing the hinge-loss", DualAscentSmoothing},
    {"interior-point-accuracy", "Carbonetto, Schmidt & de Freitas 2008, Fig. 2 and 3", InteriorPointAccuracy},
    {"interior-point-constraints", "Carbonetto, Schmidt & de Freitas 2008, Sec. 2 to 4.1",
     InteriorPointConstraints},
    {"interior-point-shrinkage", "Carbonetto, Schmidt & de Freitas 2008, Fig. 4", InteriorPointShrinkage},
});

}  // namespace

std::span<const Experiment> AllExperiments() { return kExperiments; }

tl::expected<Report, std::string> Run(std::string_view name, const Setting& setting) {
  const auto found = std::ranges::find(kExperiments, name, &Experiment::name);
  if (found == kExperiments.end()) return tl::unexpected("no experiment is called " + std::string(name));
  try {
    return found->run(setting);
  } catch (const std::exception& error) {
    return tl::unexpected(std::string(name) + ": " + error.what());
  }
}

}  // namespace thresher::reproduction
