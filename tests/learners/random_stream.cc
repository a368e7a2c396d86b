#include "tests/learners/random_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace thresher::learners {
namespace {

double LogUniform(double low, double high, std::mt19937_64& random) {
  return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
}

double RandomPenalty(double high, std::mt19937_64& random) {
  return random() % 3 == 0 ? 0 : LogUniform(1e-9, high, random);
}

double RandomNumber(const OptionSpec& spec, std::mt19937_64& random) {
  if (spec.name == "learning_rate") return LogUniform(1e-3, 0.99, random);
  // Steps of interior-point that overshoot are cut at a bound, and where depends on the last digits.
  if (spec.name == "loss_scale") return LogUniform(0.01, 0.1, random);
  if (spec.name == "significance") return random() % 2 == 0 ? 0 : LogUniform(0.1, 2, random);
  if (spec.name == "warm_up") return random() % 2 == 0 ? 0 : LogUniform(2, 200, random);
  if (spec.name == "schedule_horizon" || spec.name == "centering_horizon") return LogUniform(1, 1e4, random);
  if (spec.name == "min_gradient") return random() % 2 == 0 ? 0 : LogUniform(1e-3, 0.3, random);
  // Squared loss diverges where rate·weight·‖x‖² passes 2.
  if (spec.name == "ham_weight" || spec.name == "spam_weight") return LogUniform(0.1, 2, random);
  if (spec.name == "own_part") return random() % 2 == 0 ? 0 : LogUniform(0.1, 1, random);
  if (spec.name == "l1_growth") return random() % 2 == 0 ? 0 : LogUniform(0.1, 1, random);
  if (spec.name == "l1" || spec.name == "gravity") return RandomPenalty(1, random);
  if (spec.name == "l2") return RandomPenalty(10, random);
  if (spec.name == "radius") return LogUniform(0.1, 10, random);
  if (spec.name == "norm_every" && random() % 2 == 0) return 0;
  if (spec.whole) return std::max(spec.min, std::floor(LogUniform(0.5, 200, random)));
  const double preset = std::stod(std::string(spec.default_value));
  if (std::isinf(preset)) return random() % 3 == 0 ? preset : LogUniform(1e-3, 1, random);
  return std::clamp(preset * LogUniform(0.1, 10, random), spec.min, spec.max);
}

}  // namespace

RandomStream::RandomStream(uint64_t seed, size_t dimension)
    : RandomStream(seed, dimension, seed % 2 == 0 ? ValueShape::kEqual : ValueShape::kAny) {}

RandomStream::RandomStream(uint64_t seed, size_t dimension, ValueShape shape)
    : random_(seed), hidden_(dimension), chance_(dimension), shape_(shape) {
  std::normal_distribution normal;
  for (size_t j = 0; j < dimension; ++j) {
    hidden_[j] = normal(random_);
    chance_[j] = std::min(0.5, 3.0 / static_cast<double>(j + 1));
  }
}

double RandomStream::Value(size_t feature) {
  if (shape_ == ValueShape::kEqual) return 1;
  if (shape_ == ValueShape::kOfKinds) return static_cast<double>(1 + feature % 3);
  return random_() % 16 == 0 ? 0 : std::normal_distribution()(random_);
}

bool RandomStream::Absent(size_t feature) const { return feature % 5 == 4 && time_ / 300 % 2 == 1; }

Example RandomStream::Next() {
  Example example;
  std::uniform_real_distribution uniform;
  std::normal_distribution normal;
  ++time_;
  for (size_t j = 0; j < hidden_.size(); ++j) {
    if (uniform(random_) < chance_[j] && !Absent(j)) example.ids.push_back(j);
  }
  if (random_() % 64 == 0) example.ids.clear();
  std::ranges::shuffle(example.ids, random_);
  std::vector<double> values;
  for (const uint64_t id : example.ids) values.push_back(Value(id));
  double squares = 0;
  for (const double value : values) squares += value * value;
  const double shrink =
      squares > 0 ? (shape_ == ValueShape::kAny ? uniform(random_) : 1) / std::sqrt(squares) : 0;
  double hidden_margin = 0.3 * normal(random_);
  for (size_t i = 0; i < values.size(); ++i) {
    example.values.push_back(static_cast<float>(values[i] * shrink));
    hidden_margin += hidden_[example.ids[i]] * values[i] * shrink;
  }
  example.label = hidden_margin > 0 ? Label::kSpam : Label::kHam;
  return example;
}

OptionValues RandomOptions(const LearnerSpec& spec, std::mt19937_64& random) {
  while (true) {
    OptionValues values;
    for (const OptionSpec& option : spec.options) {
      const std::string value = option.choices.empty()
                                    ? fmt::format("{}", RandomNumber(option, random))
                                    : std::string(option.choices[random() % option.choices.size()]);
      values.emplace(option.name, value);
    }
    if (spec.check == nullptr || spec.check(values).what.empty()) return values;
  }
}

}  // namespace thresher::learners
