// Readers of the data sets whose files are lines of numbers.
#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "pipeline/input/file_reader.h"
#include "reproduction/sets/readers.h"

namespace thresher::reproduction {
namespace {

constexpr size_t kLargestFile = 1u << 30;

// Removes the text up to and including `end` (or all of it) from `rest`; returns it without `end`.
std::string_view Take(std::string_view* rest, char end) {
  const std::string_view taken = rest->substr(0, rest->find(end));
  rest->remove_prefix(std::min(rest->size(), taken.size() + 1));
  return taken;
}

template <class T>
T Number(std::string_view text, std::string_view name) {
  T number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  throw std::runtime_error(std::string(name) + ": \"" + std::string(text) + "\" is not a number");
}

// Calls visit(line) for each line that is not empty, without its line end and trailing spaces.
template <class Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::string_view line = Take(&text, '\n');
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) visit(line);
  }
}

}  // namespace

std::string ReadSet(const std::string& folder, const std::string& name) {
  if (folder.empty())
    throw std::runtime_error("THRESHER_CORPORA is not set: no folder to read " + name + " from");
  std::string bytes;
  const auto read = pipeline::ReadFile(folder + "/" + name, &bytes, kLargestFile);
  if (!read) throw std::runtime_error(read.error().message);
  return bytes;
}

DataSet ReadLibsvm(const std::string& folder, const std::string& name) {
  DataSet data;
  ForEachLine(ReadSet(folder, name), [&](std::string_view line) {
    const auto target = Number<float>(Take(&line, ' '), name);
    while (!line.empty()) {
      const auto index = Number<uint32_t>(Take(&line, ':'), name);
      data.width = std::max(data.width, index);
      data.AddEntry(index - 1, Number<float>(Take(&line, ' '), name));
    }
    data.EndExample(target);
  });
  NormaliseExamples(&data);
  return data;
}

DataSet ReadArcene(const std::string& folder) {
  const std::string numbers = "arcene_train.data.xz";
  const std::string labels = "arcene_train.labels.xz";
  std::vector<float> targets;
  ForEachLine(ReadSet(folder, labels),
              [&](std::string_view line) { targets.push_back(Number<float>(line, labels)); });
  DataSet data;
  ForEachLine(ReadSet(folder, numbers), [&](std::string_view line) {
    uint32_t index = 0;
    while (!line.empty()) data.AddEntry(index++, Number<float>(Take(&line, ' '), numbers));
    data.width = index;
    data.EndExample(targets.at(data.size()));
  });
  ScaleColumns(&data);
  return data;
}

DataSet ReadMagic(const std::string& folder, MagicNoise noise) {
  constexpr uint32_t kOwn = 10;
  constexpr uint32_t kRandom = 1000;
  const std::string name = "magic04.data.xz";
  std::mt19937_64 random(1);
  std::bernoulli_distribution one(noise == MagicNoise::kSparse ? 0.05 : 0.5);
  const float otherwise = noise == MagicNoise::kSparse ? 0 : -1;
  DataSet data;
  data.width = kOwn + kRandom;
  ForEachLine(ReadSet(folder, name), [&](std::string_view line) {
    for (uint32_t j = 0; j < kOwn; ++j) data.AddEntry(j, Number<float>(Take(&line, ','), name));
    for (uint32_t j = 0; j < kRandom; ++j) data.AddEntry(kOwn + j, one(random) ? 1 : otherwise);
    data.EndExample(line == "g" ? 1 : -1);
  });
  ScaleColumns(&data);
  return Shuffled(data, 1);
}

}  // namespace thresher::reproduction
