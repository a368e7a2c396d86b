#include "pipeline/serve/milter_user.h"

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

std::string UserOf(std::string_view recipient, std::string_view form) {
  if (recipient.starts_with('<') && recipient.ends_with('>'))
    recipient = recipient.substr(1, recipient.size() - 2);
  const size_t sign = std::min(recipient.rfind('@'), recipient.size());
  const std::string_view local = recipient.substr(0, sign);
  // An extension needs something before it.
  std::string user(local.substr(0, local.find('+', 1)));
  if (form == "address") user.append(recipient.substr(sign));
  user = tokenizer::LowerAscii(user);
  return tokenizer::IsUserName(user) ? user : std::string();
}

}  // namespace

std::string UserOfRecipients(std::span<const std::string> recipients, std::string_view form) {
  if (recipients.empty() || form == "none") return {};
  std::string user = UserOf(recipients.front(), form);
  for (const std::string& other : recipients.subspan(1)) {
    if (UserOf(other, form) != user) return {};
  }
  return user;
}

}  // namespace thresher::pipeline
