#include "pipeline/commands/field_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/terminal/token_text.h"

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

Result<void> FieldFlags::Check(const std::vector<std::string>& known, std::string_view of) const {
  if (known.empty()) return {};  // a model without weights: the listing says so
  for (const std::string& argument : fields_) {
    if (std::find(known.begin(), known.end(), NameIn(argument)) != known.end()) continue;
    std::vector<std::string> printable;
    printable.reserve(known.size());
    for (const std::string& field : known) printable.push_back(Printable(field));
    return tl::unexpected(
        Error{kUsage, fmt::format("--field: no token of {} with a weight is in field '{}'; those with: {}",
                                  of, NameIn(argument), fmt::join(printable, ", "))});
  }
  return {};
}

}  // namespace thresher::pipeline
