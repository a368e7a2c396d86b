// Many nodes of one log in virtual time, on a network and machines that fail: are all models equal?
//
// Users teach, correct and forget messages at all nodes. Meanwhile calls and answers are lost, copies of
// records come late, nodes are cut off, killed (also in the middle of a batch), away, new, and damaged; the
// servers have no quorum for a while, and take records of other programs. Then all that ends, and all nodes
// are given time. Everything is drawn from one seed, so a run can be repeated.
//
// A run is wrong if
//   - two models ever differ after one record, but for those that it damaged itself;
//   - a model is another one than most, though it was not damaged;
//   - in the end a node does not follow, or has another model than the others;
//   - what was acknowledged to a user is not in the log, or the models have not what the log says by a
//     slow and obvious reading of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/pipeline/cluster/simulation/simulated_node.h"

namespace thresher::pipeline {

struct Simulation {
  uint64_t nodes = 10;
  uint64_t messages = 400;  // that users teach
  uint64_t seed = 1;
  Planted planted = Planted::kNothing;
};

struct SimulationOutcome {
  std::vector<std::string> wrong;  // empty: all is well
  uint64_t records = 0;            // of the log in the end
  uint64_t kills = 0, kills_midway = 0, partitions = 0, late_nodes = 0, damaged = 0, refused = 0;
  SimulatedNode::Counts counts;  // of all nodes
  double virtual_seconds = 0;
  uint64_t trace = 0;  // a digest of what happened when: equal for equal runs
};

// `dir`: for the models, which are removed. It is faster in memory.
SimulationOutcome Simulate(const Simulation& simulation, const std::filesystem::path& dir);

}  // namespace thresher::pipeline
