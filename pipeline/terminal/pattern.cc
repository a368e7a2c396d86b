#include "pipeline/terminal/pattern.h"

#include <fmt/format.h>
#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr int32_t kTimeLimit = 1000;  // of ICU's steps, some milliseconds each

struct Fault {
  UErrorCode status;
  std::string_view words;
};

constexpr Fault kFaults[] = {
    {U_REGEX_RULE_SYNTAX, "it is malformed"},
    {U_REGEX_MISMATCHED_PAREN, "a parenthesis is not closed, or not opened"},
    {U_REGEX_MISSING_CLOSE_BRACKET, "a [ has no ]"},
    {U_REGEX_BAD_ESCAPE_SEQUENCE, "what follows a backslash has no meaning"},
    {U_REGEX_PROPERTY_SYNTAX, "\\p is followed by no property of characters"},
    {U_REGEX_BAD_INTERVAL, "between { and } is no count; write \\{ for the character"},
    {U_REGEX_NUMBER_TOO_BIG, "a count is too large"},
    {U_REGEX_MAX_LT_MIN, "in {MIN,MAX} the first number is larger"},
    {U_REGEX_INVALID_RANGE, "in a range of characters the first one is larger"},
    {U_REGEX_INVALID_BACK_REF, "it refers to a group that it does not have"},
    {U_REGEX_INVALID_FLAG, "(? is followed by an unknown letter"},
    {U_REGEX_LOOK_BEHIND_LIMIT, "what it looks for behind a place has no largest length"},
    {U_REGEX_STACK_OVERFLOW, "the search needs too much memory"},
    {U_REGEX_TIME_OUT, "the search takes too long"},
};

std::string WordsFor(UErrorCode status) {
  const auto* const found = std::ranges::find(kFaults, status, &Fault::status);
  return found == std::end(kFaults) ? fmt::format("ICU says {}", u_errorName(status))
                                    : std::string(found->words);
}

tl::unexpected<Error> Wrong(const std::string& expression, UErrorCode status) {
  const std::string shown = expression.size() > 60 ? expression.substr(0, 60) + "…" : expression;
  return tl::unexpected(Error{kUsage, fmt::format("--match: '{}' cannot be used as a regular expression: {}",
                                                  shown, WordsFor(status))});
}

}  // namespace

struct Pattern::Matcher {
  std::string expression;
  icu::UnicodeString text;  // the matcher refers to it
  std::unique_ptr<icu::RegexMatcher> matcher;
};

Pattern::Pattern(std::unique_ptr<Matcher> matcher) : matcher_(std::move(matcher)) {}
Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

Result<Pattern> Pattern::Compile(const std::string& expression) {
  UErrorCode status = U_ZERO_ERROR;
  auto made = std::make_unique<Matcher>();
  made->expression = expression;
  made->matcher = std::make_unique<icu::RegexMatcher>(icu::UnicodeString::fromUTF8(expression), 0, status);
  if (U_SUCCESS(status)) made->matcher->setTimeLimit(kTimeLimit, status);
  if (U_FAILURE(status)) return Wrong(expression, status);
  return Pattern(std::move(made));
}

Result<bool> Pattern::IsIn(std::string_view text) {
  matcher_->text = icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  matcher_->matcher->reset(matcher_->text);
  UErrorCode status = U_ZERO_ERROR;
  const bool found = matcher_->matcher->find(status) != 0;
  if (U_FAILURE(status)) return Wrong(matcher_->expression, status);
  return found;
}

}  // namespace thresher::pipeline
