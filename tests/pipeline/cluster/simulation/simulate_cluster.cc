// The simulation as a program, which scripts/simulate-cluster runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "tests/pipeline/cluster/simulation/simulation.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

void Print(const SimulationOutcome& outcome) {
  const SimulatedNode::Counts& counts = outcome.counts;
  fmt::print(
      "{:.0f} virtual seconds, {} records; {} kills, {} of them midway, {} partitions, {} late nodes\n",
      outcome.virtual_seconds, outcome.records, outcome.kills + outcome.kills_midway, outcome.kills_midway,
      outcome.partitions, outcome.late_nodes);
  fmt::print(
      "applied {}, duplicates {}, foreign {}; snapshots: {} given, {} taken; models damaged: {}, found {}\n",
      counts.applied, counts.duplicates, counts.foreign, counts.given, counts.taken, outcome.damaged,
      counts.found_to_differ);
  fmt::print("trace {:016x}\n", outcome.trace);
  for (const std::string& each : outcome.wrong) fmt::print("WRONG: {}\n", each);
  if (outcome.wrong.empty()) fmt::print("all models are equal\n");
}

int Main(int argc, char** argv) {
  CLI::App app("Simulates nodes with one model in virtual time");
  Simulation simulation;
  app.add_option("--nodes", simulation.nodes)->check(CLI::Range(2, 100000));
  app.add_option("--messages", simulation.messages)->check(CLI::Range(10, 100000000));
  app.add_option("--seed", simulation.seed);
  CLI11_PARSE(app, argc, argv);
  const TestDirectory directory;
  const auto begin = std::chrono::steady_clock::now();
  const SimulationOutcome outcome = Simulate(simulation, directory.path());
  fmt::print("{} nodes, seed {}: {:.0f} s\n", simulation.nodes, simulation.seed,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  Print(outcome);
  return outcome.wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace thresher::pipeline

int main(int argc, char** argv) {
  try {
    return thresher::pipeline::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulate_cluster: %s\n", error.what());
    return 70;
  }
}
