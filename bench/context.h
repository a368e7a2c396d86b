// Prints what the results of a benchmark run depend on: processor, compiler, flags, and the options of every
// learner.
//
// The main of the learners' benchmarks. Called by learner_bench.cc, update_bench.cc and
// elastic_net_bench.cc. Thread-safety: none.
#pragma once

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "bench/learner_steps.h"

namespace thresher::bench {

// The processor's name, compiler and flags, and the options of every learner.
inline void DescribeRun() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    if (!line.starts_with("model name")) continue;
    benchmark::AddCustomContext("processor", line.substr(line.find(':') + 2));
    break;
  }
  benchmark::AddCustomContext("compiler", __VERSION__ " " THRESHER_BENCH_FLAGS);
  for (const learners::LearnerSpec& spec : learners::AllLearners()) {
    const auto learner = learners::MakeLearner(spec.name, learners::kEveryExample).value();
    benchmark::AddCustomContext(std::string(spec.name), learner->OptionsText());
  }
}

// What main does: register_all registers the program's benchmarks.
inline void DescribeAndRun(int argc, char** argv, void (*register_all)()) {
  DescribeRun();
  register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace thresher::bench
