#include "pipeline/terminal/pattern.h"

#include <fmt/format.h>
#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <utility>

namespace thresher::pipeline {
namespace {

constexpr int32_t kTimeLimit = 1000;  // of ICU's steps, some milliseconds each

tl::unexpected<Error> Wrong(const std::string& expression, UErrorCode status) {
  const std::string shown = expression.size() > 60 ? expression.substr(0, 60) + "…" : expression;
  return tl::unexpected(Error{kUsage, fmt::format("--match: '{}' cannot be used as a regular expression: {}",
                                                  shown, u_errorName(status))});
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
