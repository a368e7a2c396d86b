#include "bench/choose/result_lines.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "bench/must.h"

namespace thresher::bench {
namespace {

constexpr size_t kFields = 10;

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

}  // namespace

std::string TextOf(const Teaching& teaching) {
  return fmt::format("{} {} {}", teaching.learner->Name(), teaching.learner->OptionsText(),
                     learners::RehearsalText(teaching.rehearsal));
}

Results ReadResults(const std::string& path) {
  Results results;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = Fields(line);
    if (in.eof() || fields.size() != kFields) continue;
    results[{fields[0], fields[1], std::stoull(fields[2]), fields[3]}] = {
        .area = std::stod(fields[4]),
        .log_loss = std::stod(fields[5]),
        .nonzeros = std::stoull(fields[6]),
        .messages = std::stoull(fields[7]),
        .smaller_class = std::stoull(fields[8])};
  }
  return results;
}

ResultWriter::ResultWriter(const std::string& path) {
  std::ifstream before(path, std::ios::binary | std::ios::ate);
  bool is_whole = true;
  if (before && before.tellg() > 0) {
    before.seekg(-1, std::ios::end);
    is_whole = before.get() == '\n';
  }
  out_.open(path, std::ios::app);
  if (!is_whole) out_ << '\n';
  if (!out_) GiveUp(path + ": cannot be written");
}

void ResultWriter::Add(const Measurement& what, const Quality& quality, double seconds) {
  out_ << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.2f}\n", what.stream, what.condition, what.seed,
                      what.teaching, quality.area, quality.log_loss, quality.nonzeros, quality.messages,
                      quality.smaller_class, seconds)
       << std::flush;
  if (!out_) GiveUp("the results cannot be written");
}

}  // namespace thresher::bench
