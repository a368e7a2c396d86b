#include "pipeline/export/example_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pipeline/export/flat_object.h"
#include "pipeline/model/bad_examples.h"
#include "pipeline/model/each_example.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/soundness.h"
#include "pipeline/opening/opening.h"
#include "tokenizer/feature_decoder.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Features;
using NumberedValue = std::pair<uint64_t, float>;

// A tag without bytes that would end it or have another meaning in the format.
std::string Tag(const storage::Example& example) {
  std::string tag;
  const auto add = [&tag](std::string_view bytes) {
    for (const char c : bytes) {
      const bool safe =
          c > ' ' && c < '\x7f' && std::string_view("|:'\"%#").find(c) == std::string_view::npos;
      tag += safe ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  };
  add(example.message_id);
  if (!example.digest.empty()) tag += '/';
  add(example.digest);
  return tag;
}

void AppendValues(const std::vector<NumberedValue>& values, std::string* line) {
  for (const auto& [number, value] : values) {
    fmt::format_to(std::back_inserter(*line), " {}:{}", number, value);  // as many digits as a float takes
  }
  *line += '\n';
}

std::string VwLine(const storage::Example& example, const std::vector<NumberedValue>& values) {
  std::string line = fmt::format("{} '{} |f", example.label, Tag(example));
  AppendValues(values, &line);
  return line;
}

std::string LibsvmLine(const storage::Example& example, std::vector<NumberedValue> values) {
  std::sort(values.begin(), values.end());
  std::string line = example.label > 0 ? "+1" : "-1";
  AppendValues(values, &line);
  return line;
}

class Numbers {
 public:
  Numbers(const tokenizer::IdSpace& id_space, const WriteLine& write_id)
      : id_space_(&id_space), write_id_(&write_id) {}

  std::vector<NumberedValue> Of(const Features& features) {
    std::vector<NumberedValue> values;
    values.reserve(features.size());
    for (size_t i = 0; i < features.size(); ++i) {
      const auto [found, is_new] = numbers_.try_emplace(features.ids[i], numbers_.size() + 1);
      if (is_new) Introduce(found->second, features.ids[i], features.Text(i));
      values.emplace_back(found->second, features.values[i]);
    }
    return values;
  }

 private:
  // Once, before its first example: the log may have a feature's text only there (format 5 and earlier).
  void Introduce(uint64_t number, uint64_t id, std::string_view text) const {
    nlohmann::ordered_json line = {{"number", number}, {"id", fmt::format("{:016x}", id)}};
    SetText("text", tokenizer::IdSpace::IsNgram(id) ? id_space_->NgramText(id) : text, &line);
    (*write_id_)(LineOf(line));
  }

  const tokenizer::IdSpace* id_space_;
  const WriteLine* write_id_;
  std::unordered_map<uint64_t, uint64_t> numbers_;
};

}  // namespace

Result<void> ExportExamples(const std::filesystem::path& dir, const Settings& settings, ExampleForm form,
                            const WriteLine& write_example, const WriteLine& write_id) {
  const auto model = OpenStored(dir, settings);
  if (!model) return tl::unexpected(model.error());
  const tokenizer::FeatureDecoder decoder = model->identity.MakeDecoder();
  Numbers numbers(decoder.id_space(), write_id);
  const storage::ExampleLog log(*model->database);
  return ForEachExample(log, 0, [&](const storage::Example& example) -> Result<bool> {
    if (const auto wrong = WrongWithExample(example, decoder))
      return tl::unexpected(BadExampleError(example.seq, *wrong));
    if (storage::IsForgotten(example)) return true;
    const auto values = numbers.Of(*decoder.Decode(example.features));
    write_example(form == ExampleForm::kVw ? VwLine(example, values) : LibsvmLine(example, values));
    return true;
  });
}

}  // namespace thresher::pipeline
