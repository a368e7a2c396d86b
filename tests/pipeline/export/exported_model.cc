#include "tests/pipeline/export/exported_model.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "pipeline/export/model_export.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"

namespace thresher::pipeline {

std::unique_ptr<Model> OpenToTeach(const std::filesystem::path& dir, const Settings& settings) {
  WriteAccess access;
  access.durability = storage::Durability::kOs;
  auto model = OpenOrCreateModel(dir, settings, access);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return *std::move(model);
}

std::vector<double> TeachNumbered(Model& model, int from, int to) {
  std::vector<double> margins;
  for (int i = from; i < to; ++i) {
    tokenizer::Features features;
    model.identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    const auto learned = model.Learn(features, {fmt::format("message{}\xff", i), "digest"},
                                     {i % 3 == 0 ? Label::kSpam : Label::kHam, Evidence::kStream});
    EXPECT_TRUE(learned.has_value()) << learned.error().message;
    margins.push_back(learned->before.margin);
  }
  return margins;
}

std::string ExportOf(const std::filesystem::path& dir, const Settings& settings) {
  std::string lines;
  const auto done = ExportModel(dir, settings, [&](std::string_view line) { lines += line; });
  EXPECT_TRUE(done.has_value()) << done.error().message;
  return lines;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace thresher::pipeline
