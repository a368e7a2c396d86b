#include "pipeline/delivery/sender_proof.h"

#include <algorithm>
#include <string>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_name.h"
#include "tokenizer/plain_value.h"

namespace thresher::pipeline {
namespace {

using tokenizer::Trim;

// Takes what comes before the next one of `ends` off *text, and that end.
std::string_view TakeUntil(std::string_view ends, std::string_view* text) {
  const std::string_view taken = text->substr(0, text->find_first_of(ends));
  text->remove_prefix(std::min(taken.size() + 1, text->size()));
  return Trim(taken);
}

// Both encoded (AsciiDomain).
bool Covers(std::string_view proven, std::string_view domain) {
  if (proven.find('.') == std::string_view::npos || !domain.ends_with(proven)) return false;
  return domain.size() == proven.size() || domain[domain.size() - proven.size() - 1] == '.';
}

// "dkim=pass header.d=example.org header.i=@example.org"; `domain` is encoded.
bool Proves(std::string_view result, std::string_view domain) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::string_view method = TakeUntil(kBlanks, &result);
  const std::string_view wanted = method == "dkim=pass"    ? "header.d="
                                  : method == "spf=pass"   ? "smtp.mailfrom="
                                  : method == "dmarc=pass" ? "header.from="
                                                           : "";
  while (!wanted.empty() && !result.empty()) {
    std::string_view property = TakeUntil(kBlanks, &result);
    if (!property.starts_with(wanted)) continue;
    property.remove_prefix(wanted.size());
    if (const size_t sign = property.rfind('@'); sign != std::string_view::npos)
      property.remove_prefix(sign + 1);
    return Covers(tokenizer::AsciiDomain(property), domain);
  }
  return false;
}

}  // namespace

bool IsProven(const tokenizer::MessageHead& head, std::string_view authserv_id, std::string_view domain) {
  const std::string encoded = tokenizer::AsciiDomain(domain);
  for (const tokenizer::HeaderField& field : head.fields) {
    if (!tokenizer::EqualsIgnoringCase(field.name, "authentication-results")) continue;
    const std::string plain = tokenizer::PlainValue(field.value);
    std::string_view rest = plain;
    std::string_view server = TakeUntil(";", &rest);
    // The version of the header may follow the name.
    const std::string_view name = TakeUntil(" \t\r\n", &server);
    const bool is_result = name.find('=') != std::string_view::npos;  // of a server that writes no name
    if (is_result || !tokenizer::EqualsIgnoringCase(name, authserv_id)) continue;
    while (!rest.empty()) {
      if (Proves(TakeUntil(";", &rest), encoded)) return true;
    }
  }
  return false;
}

}  // namespace thresher::pipeline
