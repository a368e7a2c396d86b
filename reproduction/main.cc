// The program behind scripts/reproduce:
//   reproduce --list                 names and sources
//   reproduce NAME FOLDER [--quick]  runs one; writes its picture and tables, FOLDER/NAME.svg and .md
//   reproduce --plot FILE            draws the panels that it reads from standard input (plot_text.h)
//   reproduce --examples FILE        writes the examples of dual_tasks.h in libsvm's format
// Real data sets are read from $THRESHER_CORPORA/sets.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "pipeline/plot/chart.h"
#include "reproduction/dual_tasks.h"
#include "reproduction/experiments.h"
#include "reproduction/markdown.h"
#include "reproduction/plot_text.h"

namespace thresher::reproduction {
namespace {

std::string Sets() {
  const char* const corpora = std::getenv("THRESHER_CORPORA");
  return corpora == nullptr ? "" : std::string(corpora) + "/sets";
}

int List() {
  for (const Experiment& experiment : AllExperiments()) {
    fmt::print("{:<26} {}\n", experiment.name, experiment.source);
  }
  return 0;
}

bool Write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fmt::print(stderr, "{}: cannot be written\n", path);
  return bool(file);
}

int Plot(const std::string& path) {
  try {
    return Write(path, pipeline::Svg(ReadPanels(std::cin))) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 65;
  }
}

int WriteExamples(const std::string& path) {
  try {
    const DataSet data = DualData({.sets = Sets()});
    std::ofstream file(path, std::ios::binary);
    for (size_t i = 0; i < data.size(); ++i) {
      file << (data.targets[i] > 0 ? "1" : "-1");
      const DataSet::Line row = data[i];
      for (size_t k = 0; k < row.indices.size(); ++k) {
        file << fmt::format(" {}:{}", row.indices[k] + 1, row.values[k]);
      }
      file << '\n';
    }
    file.close();
    if (!file) fmt::print(stderr, "{}: cannot be written\n", path);
    return file ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 65;
  }
}

int RunOne(const std::string& name, const std::string& folder, Size size) {
  const auto report = Run(name, {.size = size, .sets = Sets()});
  if (!report) {
    fmt::print(stderr, "{}\n", report.error());
    return 1;
  }
  const std::string tables = Markdown(report->tables);
  fmt::print("{}", tables);
  const bool written = Write(folder + "/" + name + ".svg", pipeline::Svg(report->panels)) &&
                       Write(folder + "/" + name + ".md", tables);
  return written ? 0 : 1;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"--list"}) return List();
  if (arguments.size() == 2 && arguments[0] == "--plot") return Plot(arguments[1]);
  if (arguments.size() == 2 && arguments[0] == "--examples") return WriteExamples(arguments[1]);
  if (arguments.size() == 2) return RunOne(arguments[0], arguments[1], Size::kFull);
  if (arguments.size() == 3 && arguments[2] == "--quick")
    return RunOne(arguments[0], arguments[1], Size::kQuick);
  fmt::print(stderr, "usage: reproduce --list | NAME FOLDER [--quick] | --plot FILE | --examples FILE\n");
  return 64;
}

}  // namespace
}  // namespace thresher::reproduction

int main(int argc, char** argv) {
  return thresher::reproduction::Main(std::vector<std::string>(argv + 1, argv + argc));
}
