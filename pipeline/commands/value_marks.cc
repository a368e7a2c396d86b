#include "pipeline/commands/value_marks.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr char kValueMark = '=';

// An option as a word names it: "--flag", or "--flag=value".
struct GivenOption {
  GivenOption(const CLI::App& command, const std::string& word)
      : name(word.substr(0, word.find('='))), option(command.get_option_no_throw(name)) {
    if (name.size() < word.size()) value = word.substr(name.size() + 1);
  }

  std::string name;
  const CLI::Option* option;  // null if the command has none of that name
  std::optional<std::string> value;
};

}  // namespace

std::string Unmarked(const std::string& word) { return word.starts_with(kValueMark) ? word.substr(1) : word; }

std::vector<std::string> MarkValues(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> marked = {words.front()};
  bool only_values = false;
  bool is_due = false;      // a value, whatever it looks like
  bool takes_many = false;  // the last flag
  for (const std::string& word : std::span(words).subspan(1)) {
    if (only_values || std::exchange(is_due, false) || !word.starts_with('-') || word == "-") {
      marked.push_back(kValueMark + word);
    } else if (word == "--") {
      only_values = true;
      if (takes_many) marked.push_back(word);
    } else {
      const GivenOption given(command, word);
      if (given.option != nullptr) takes_many = given.option->get_allow_extra_args();
      const bool takes_value = given.option != nullptr && given.option->get_items_expected_max() > 0;
      is_due = takes_value && !given.value && given.option->get_items_expected_min() > 0;
      marked.push_back(
          takes_value && given.value ? fmt::format("{}={}{}", given.name, kValueMark, *given.value) : word);
    }
  }
  return marked;
}

void UnmarkValuesOf(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const auto unmark = [](std::string& value) {
      value = Unmarked(value);
      return std::string();
    };
    if (option->get_items_expected_max() > 0) option->transform(CLI::Validator(unmark, ""));
  }
  for (CLI::App* group : app.get_subcommands(nullptr)) UnmarkValuesOf(*group);
}

}  // namespace thresher::pipeline
