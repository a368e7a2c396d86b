#include "pipeline/serve/model_name.h"

#include <fmt/format.h>

#include "pipeline/settings/model_name.h"
#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

// What a client sent as a user's name may have any length.
std::string_view ShownUser(std::string_view user) {
  constexpr size_t kMostBytes = 128;
  return user.substr(0, kMostBytes);
}

// "example.org." and "example.org" are the same domain.
std::string WithoutLastDot(std::string name) {
  if (name.ends_with('.')) name.pop_back();
  return name;
}

// Of an address, perhaps in angle brackets; empty if it has none.
std::string DomainOf(std::string_view address) {
  if (address.ends_with('>')) address.remove_suffix(1);
  const size_t sign = address.rfind('@');
  if (sign == std::string_view::npos) return {};
  return WithoutLastDot(tokenizer::LowerAscii(address.substr(sign + 1)));
}

}  // namespace

Result<std::string> ModelNameOf(const Whose& whose, const Settings& settings) {
  const std::string_view models = settings.serve.models;
  if (models == "one") {
    if (whose.model.empty() || whose.model == settings.model) return settings.model;
    return tl::unexpected(Error{kData, "this daemon has one model, and that is not its name (serve.models)"});
  }
  if (whose.model.empty()) {
    std::string name = models == "user" ? tokenizer::LowerAscii(whose.user) : DomainOf(whose.user);
    // A sender could choose an address of which there can be no model: its mail is judged all the same.
    return IsModelName(name) ? name : settings.model;
  }
  std::string name(whose.model);
  if (IsModelName(name)) return name;
  return tl::unexpected(Error{kData, fmt::format("a model's name has {}", ModelNameRule())});
}

Result<std::string> UserInModel(const Whose& whose, std::string_view model, std::string_view models) {
  if (models == "domain") {
    const std::string domain = DomainOf(whose.user);
    if (whose.model.empty() || domain == model || !IsModelName(domain))
      return WithoutLastDot(tokenizer::LowerAscii(whose.user));
    return tl::unexpected(
        Error{kData, fmt::format("each domain has a model (serve.models): that of {} is {}, not {}",
                                 ShownUser(whose.user), domain, model)});
  }
  if (models != "user") return std::string(whose.user);
  const bool is_theirs =
      whose.model.empty() || whose.user.empty() || tokenizer::LowerAscii(whose.user) == model;
  if (is_theirs) return std::string();
  return tl::unexpected(Error{
      kData, fmt::format("each user has a model (serve.models): that of {0} is {0} in lower case, not {1}",
                         ShownUser(whose.user), model)});
}

std::string ModelOfRecipients(std::span<const std::string> recipients, std::string_view models) {
  if (recipients.empty() || models != "domain") return {};
  std::string domain = DomainOf(recipients.front());
  for (const std::string& other : recipients.subspan(1)) {
    if (DomainOf(other) != domain) return {};
  }
  return IsModelName(domain) ? domain : std::string();
}

}  // namespace thresher::pipeline
