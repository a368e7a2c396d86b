#include "pipeline/generate/disguise.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "pipeline/generate/prose.h"
#include "pipeline/generate/transport.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr size_t kShortestDisguised = 5;

bool IsPlainWord(std::string_view word) {
  return word.size() >= kShortestDisguised && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
         });
}

char LookAlike(char letter) {
  switch (letter) {
    case 'a':
      return '@';
    case 'e':
      return '3';
    case 'i':
      return '1';
    case 'o':
      return '0';
    case 's':
      return '$';
    case 'l':
      return '|';
    default:
      return letter;
  }
}

std::string WithGaps(std::string_view word, Random& random) {
  const char gap = random.Pick(std::string_view(" .-_"));
  std::string out(1, word[0]);
  for (const char letter : word.substr(1)) {
    out += gap;
    out += letter;
  }
  return out;
}

std::string Misspelt(std::string word, Random& random) {
  const size_t at = random.Between(1, word.size() - 2);
  switch (random.Below(3)) {
    case 0:
      std::swap(word[at], word[at + 1]);
      return word;
    case 1:
      return word.insert(at, 1, word[at]);
    default:
      return word.erase(at, 1);
  }
}

std::string Cut(std::string_view word, Random& random) {
  const size_t at = random.Between(1, word.size() - 1);
  const std::string inside = random.Chance(0.7) ? fmt::format("<!-- {} -->", Code(4, random)) : "<b></b>";
  return fmt::format("{}{}{}", word.substr(0, at), inside, word.substr(at));
}

std::string AsEntities(std::string_view word, Random& random) {
  std::string out;
  for (const char letter : word) {
    if (random.Chance(0.5)) {
      fmt::format_to(std::back_inserter(out), "&#{};", static_cast<int>(letter));
    } else {
      out += letter;
    }
  }
  return out;
}

std::string DisguiseWord(std::string_view word, Disguise disguise, Random& random) {
  std::string out(word);
  switch (disguise) {
    case Disguise::kNone:
      return out;
    case Disguise::kLookAlikes:
      for (char& letter : out) letter = random.Chance(0.6) ? LookAlike(letter) : letter;
      return out;
    case Disguise::kGaps:
      return WithGaps(word, random);
    case Disguise::kMisspelt:
      return Misspelt(out, random);
    case Disguise::kComments:
      return Cut(word, random);
    case Disguise::kEntities:
      return AsEntities(word, random);
  }
  return out;
}

}  // namespace

std::string DisguiseWords(std::string_view text, Disguise disguise, double probability, Random& random) {
  if (disguise == Disguise::kNone) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (IsPlainWord(word) && random.Chance(probability)) {
      out += DisguiseWord(word, disguise, random);
    } else {
      out += word;
    }
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string HiddenText(std::string_view words, Random& random) {
  switch (random.Below(3)) {
    case 0:
      return fmt::format(R"(<font color="#ffffff" size="1">{}</font>)", words);
    case 1:
      return fmt::format(R"(<div style="display:none">{}</div>)", words);
    default:
      return fmt::format(R"(<span style="font-size:1px;color:#fefefe">{}</span>)", words);
  }
}

std::string TrickyUrl(std::string_view domain, Random& random) {
  const std::string code = Code(12, random);
  const std::string_view c = code;
  switch (random.Below(7)) {
    case 0:
      return fmt::format("http://{}/{}/", DocumentationAddress(random), c.substr(0, 5));
    case 1:
      return fmt::format("http://www.example.com@{}/{}", domain, c.substr(0, 6));
    case 2:
      return fmt::format("http://{}.{}/", c, domain);
    case 3:
      return fmt::format("http://{}:8080/{}.php?id={}", domain, c.substr(0, 3), c.substr(3));
    case 4:
      return fmt::format("http://redirect.example.net/go?to=http%3A%2F%2F{}%2F{}", domain, c.substr(0, 4));
    case 5:
      return fmt::format("http://{}/%7E{}/%69ndex.html", domain, c.substr(0, 4));
    default:
      return fmt::format("http://{}/?{}", domain, c.substr(0, 8));
  }
}

}  // namespace thresher::pipeline::synthetic
