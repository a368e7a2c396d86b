#include "pipeline/generate/prose.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<std::string_view, 24> kStarts = {"b",  "br", "c",  "d",  "dr", "f",  "g", "gl",
                                                      "h",  "k",  "kr", "l",  "m",  "n",  "p", "pl",
                                                      "qu", "r",  "s",  "st", "t",  "tr", "v", "z"};
constexpr std::array<std::string_view, 10> kMiddles = {"a", "e", "i", "o", "u", "ai", "ea", "io", "ou", "y"};
constexpr std::array<std::string_view, 8> kEnds = {"", "", "n", "r", "s", "l", "x", "m"};
constexpr std::string_view kAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

constexpr size_t kWordsInFashion = 24;
constexpr uint64_t kFashionLasts = 3;  // periods
constexpr size_t kTailBits = 18;
constexpr std::array<size_t, 4> kMagnitudes = {10, 60, 400, 9000};

enum class Slot {
  kThing,
  kAct,
  kQuality,
  kName,
  kSurname,
  kPlace,
  kDay,
  kMonth,
  kTime,
  kNumber,
  kMoney,
  kPercent,
  kCoined,
  kRare,
  kTicker,
  kUrl
};

constexpr std::array<std::string_view, 16> kSlotNames = {
    "thing", "act",    "quality", "name",    "surname", "place", "day",    "month",
    "time",  "number", "money",   "percent", "coined",  "rare",  "ticker", "url"};

constexpr std::array<std::string_view, 7> kDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                   "Friday", "Saturday", "Sunday"};
constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};

uint64_t WordInFashion(const Scene& scene, Random& random) {
  const uint64_t age = std::min<uint64_t>(random.Below(kFashionLasts), scene.period);
  return Scramble(scene.fashion + ((scene.period - age) << 8) + random.Below(kWordsInFashion));
}

// Log-uniform ranks: the frequency of a word is proportional to one over its rank (Zipf).
uint64_t RareWord(Random& random) {
  const size_t bits = random.Below(kTailBits);
  return Scramble((uint64_t{1} << bits) + random.Below(size_t{1} << bits));
}

std::string Ticker(uint64_t hash) {
  std::string ticker;
  for (int i = 0; i < 4; ++i, hash /= 26) ticker += static_cast<char>('A' + hash % 26);
  return ticker;
}

// Small numbers are more common than large ones.
size_t Number(Random& random) { return random.Below(random.Pick(kMagnitudes)) + 2; }

void AppendMoney(Random& random, std::string& out) {
  const size_t amount = Number(random);
  out += '$';
  if (random.Chance(0.5)) {
    fmt::format_to(std::back_inserter(out), "{}.{:02}", amount, random.Below(100));
  } else if (amount > 999) {
    fmt::format_to(std::back_inserter(out), "{},{:03}", amount / 1000, amount % 1000);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", amount);
  }
}

void AppendTime(Random& random, std::string& out) {
  const size_t hour = random.Between(8, 20);
  fmt::format_to(std::back_inserter(out), "{}:{:02}", hour, 15 * random.Below(4));
}

void Fill(Slot slot, const Scene& scene, Random& random, std::string& out) {
  switch (slot) {
    case Slot::kThing:
      out += random.Pick(scene.topic.things);
      break;
    case Slot::kAct:
      out += random.Pick(scene.topic.acts);
      break;
    case Slot::kQuality:
      out += random.Pick(scene.topic.qualities);
      break;
    case Slot::kName:
      out += random.Pick(Shared().first_names);
      break;
    case Slot::kSurname:
      out += random.Pick(Shared().surnames);
      break;
    case Slot::kPlace:
      out += random.Pick(Shared().places);
      break;
    case Slot::kDay:
      out += random.Pick(kDays);
      break;
    case Slot::kMonth:
      out += random.Pick(kMonths);
      break;
    case Slot::kTime:
      AppendTime(random, out);
      break;
    case Slot::kNumber:
      fmt::format_to(std::back_inserter(out), "{}", Number(random));
      break;
    case Slot::kMoney:
      AppendMoney(random, out);
      break;
    case Slot::kPercent:
      fmt::format_to(std::back_inserter(out), "{}%", 5 * random.Between(1, 19));
      break;
    case Slot::kCoined:
      out += CoinWord(WordInFashion(scene, random));
      break;
    case Slot::kRare:
      out += CoinWord(RareWord(random));
      break;
    case Slot::kTicker:
      out += Ticker(WordInFashion(scene, random));
      break;
    case Slot::kUrl:
      out += scene.url;
      break;
  }
}

// REQUIRES: a slot of this name.
Slot SlotNamed(std::string_view name) {
  size_t index = 0;
  while (kSlotNames[index] != name) ++index;
  return static_cast<Slot>(index);
}

}  // namespace

void Say(std::string_view line, const Scene& scene, Random& random, std::string& out) {
  const size_t start = out.size();
  for (size_t brace = line.find('{'); brace != std::string_view::npos; brace = line.find('{')) {
    out += line.substr(0, brace);
    const size_t end = line.find('}', brace);
    Fill(SlotNamed(line.substr(brace + 1, end - brace - 1)), scene, random, out);
    line.remove_prefix(end + 1);
  }
  out += line;
  if (out.size() > start && out[start] >= 'a' && out[start] <= 'z') {
    out[start] = static_cast<char>(out[start] - 'a' + 'A');
  }
}

std::string Said(std::string_view line, const Scene& scene, Random& random) {
  std::string out;
  Say(line, scene, random, out);
  return out;
}

std::string Paragraph(const Scene& scene, const Phrases& shared, size_t sentences, double own,
                      Random& random) {
  std::string out;
  for (size_t i = 0; i < sentences; ++i) {
    if (i > 0) out += ' ';
    Say(random.Pick(random.Chance(own) ? scene.topic.lines : shared), scene, random, out);
  }
  return out;
}

std::string CoinWord(uint64_t hash) {
  const uint64_t syllables = 2 + hash % 3 / 2 + hash % 7 / 6;
  hash /= 21;
  std::string word;
  for (uint64_t i = 0; i < syllables; ++i) {
    word += kStarts[hash % kStarts.size()];
    hash /= kStarts.size();
    word += kMiddles[hash % kMiddles.size()];
    hash /= kMiddles.size();
    word += kEnds[hash % kEnds.size()];
    hash /= kEnds.size();
  }
  return word;
}

std::string Filler(size_t words, Random& random) {
  std::string out;
  for (size_t i = 0; i < words; ++i) {
    if (i > 0) out += ' ';
    out += random.Pick(Shared().fillers);
  }
  return out;
}

std::string Code(size_t length, Random& random) {
  std::string code(length, '0');
  for (char& c : code) c = random.Pick(kAlphabet);
  return code;
}

std::string Wrap(std::string_view text, size_t width) {
  std::string out(text);
  size_t line = 0;
  size_t space = std::string::npos;  // the last one seen on this line
  for (size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '\n') {
      line = i + 1;
      space = std::string::npos;
    } else if (out[i] == ' ') {
      space = i;
    }
    if (i - line < width || space == std::string::npos || i < line) continue;
    out[space] = '\n';
    line = space + 1;
    space = std::string::npos;
  }
  return out;
}

}  // namespace thresher::pipeline::synthetic
