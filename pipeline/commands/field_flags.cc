#include "pipeline/commands/field_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/terminal/token_text.h"
#include "tokenizer/token_fields.h"

namespace thresher::pipeline {
namespace {

bool IsExclusion(const std::string& argument) { return argument.starts_with('!'); }

std::string_view NameIn(const std::string& argument) {
  return std::string_view(argument).substr(IsExclusion(argument) ? 1 : 0);
}

}  // namespace

void FieldFlags::AddTo(Command command) {
  command
      .Add("--field", &fields_,
           "List only this field: subject, body, url, …; with a ! before it, all except this field ('!raw'); "
           "may be repeated")
      .OneValueEachTime();
}

bool FieldFlags::Wants(std::string_view field) const {
  for (const std::string& argument : fields_) {
    if (NameIn(argument) == field) return !IsExclusion(argument);
  }
  return std::all_of(fields_.begin(), fields_.end(), IsExclusion);
}

std::vector<std::string_view> FieldFlags::NotIn(const std::vector<std::string>& known) const {
  std::vector<std::string_view> names;
  for (const std::string& argument : fields_) {
    if (std::ranges::find(known, NameIn(argument)) == known.end()) names.push_back(NameIn(argument));
  }
  return names;
}

Result<void> FieldFlags::Check(const std::vector<std::string>& known) const {
  for (const std::string_view name : NotIn(known)) {
    if (tokenizer::IsTokenField(name)) continue;
    return tl::unexpected(Error{kUsage, fmt::format("--field: no token has the field '{}'; there are {}",
                                                    name, fmt::join(tokenizer::kTokenFields, ", "))});
  }
  return {};
}

std::optional<std::string> FieldFlags::Missing(const std::vector<std::string>& known,
                                               std::string_view name) const {
  const std::vector<std::string_view> missing = NotIn(known);
  if (known.empty() || missing.empty()) return std::nullopt;
  std::vector<std::string> printable;
  printable.reserve(known.size());
  for (const std::string& field : known) printable.push_back(Printable(field));
  return fmt::format("--field: no token of {} with a weight is in field '{}'; those with: {}", name,
                     missing.front(), fmt::join(printable, ", "));
}

}  // namespace thresher::pipeline
