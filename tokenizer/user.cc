#include "tokenizer/user.h"

#include <algorithm>

namespace thresher::tokenizer {

bool IsUserName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxUserName && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '/' && c != '\x7f';
  });
}

void AddTokensOf(std::string_view user, const IdSpace& ids, Features* features) {
  std::string text(kUserField);
  text.append(user).append("/");
  const size_t prefix = text.size();
  const size_t before = features->size();
  for (size_t i = 0; i < before; ++i) {
    if (IdSpace::IsNgram(features->ids[i])) continue;
    text.resize(prefix);
    text.append(features->Text(i));
    features->Add(ids.Token(text), features->values[i], text);
  }
}

std::string MessageIdOf(std::string_view user, std::string_view message_id) {
  std::string id(user);
  if (!user.empty()) id += ' ';
  return id.append(message_id);
}

OwnedMessageId UserAndMessageId(std::string_view id) {
  const size_t space = id.find(' ');
  if (space == std::string_view::npos) return {.user = {}, .message_id = id};
  return {.user = id.substr(0, space), .message_id = id.substr(space + 1)};
}

}  // namespace thresher::tokenizer
