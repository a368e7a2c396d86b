#include "tokenizer/html_elements.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>

namespace thresher::tokenizer {
namespace {

constexpr auto kNoBreak = HtmlBreak::kNone;
constexpr auto kSpace = HtmlBreak::kSpace;
constexpr auto kLine = HtmlBreak::kLine;
constexpr auto kBlock = HtmlBreak::kBlock;
constexpr auto kElements = HtmlContent::kElements;
constexpr auto kNothing = HtmlContent::kNothing;
constexpr auto kText = HtmlContent::kText;
constexpr auto kUnseen = HtmlContent::kUnseen;

// Tags of <html>, <head>, <body> and <frameset> break no word: browsers ignore those in the text.
constexpr auto kTable = std::to_array<HtmlElement>({
    {"a", kNoBreak, kElements, HtmlFamily::kAlone},
    {"abbr"},
    {"acronym"},
    {"address", kBlock},
    {.name = "applet", .is_scope = true},
    {"area", kNoBreak, kNothing},
    {"article", kBlock},
    {"aside", kBlock},
    {"audio"},
    {"b"},
    {"base", kNoBreak, kNothing},
    {"basefont", kNoBreak, kNothing},
    {"bdo"},
    {"bgsound", kNoBreak, kNothing},
    {"big"},
    {"blink"},
    {"blockquote", kBlock},
    {"body"},
    {"br", kLine, kNothing},
    {"button", kSpace, kElements, HtmlFamily::kAlone},
    {"caption", kLine, kElements, HtmlFamily::kTable, 1, false, true},
    {"center", kBlock},
    {"cite"},
    {"code"},
    {"col", kNoBreak, kNothing},
    {"colgroup", kNoBreak, kElements, HtmlFamily::kTable, 1},
    {"dd", kBlock, kElements, HtmlFamily::kDefinitions, 1},
    {"del"},
    {"details", kBlock},
    {"dfn"},
    {"dialog", kBlock},
    {"dir", kBlock, kElements, HtmlFamily::kList, 0, true},
    {"div", kBlock},
    {"dl", kBlock, kElements, HtmlFamily::kDefinitions, 0, true},
    {"dt", kBlock, kElements, HtmlFamily::kDefinitions, 1},
    {"em"},
    {"embed", kNoBreak, kNothing},
    {"fieldset", kBlock},
    {"figcaption", kBlock},
    {"figure", kBlock},
    {"font"},
    {"footer", kBlock},
    {"form", kBlock},
    {"frame", kNoBreak, kNothing},
    {"frameset"},
    {"h1", kBlock, kElements, HtmlFamily::kHeading},
    {"h2", kBlock, kElements, HtmlFamily::kHeading},
    {"h3", kBlock, kElements, HtmlFamily::kHeading},
    {"h4", kBlock, kElements, HtmlFamily::kHeading},
    {"h5", kBlock, kElements, HtmlFamily::kHeading},
    {"h6", kBlock, kElements, HtmlFamily::kHeading},
    {"head"},
    {"header", kBlock},
    {"hgroup", kBlock},
    {"hr", kBlock, kNothing},
    {"html"},
    {"i"},
    {"iframe", kSpace, kUnseen},
    {"image", kNoBreak, kNothing},
    {"img", kSpace, kNothing},
    {"input", kSpace, kNothing},
    {"ins"},
    {"kbd"},
    {"keygen", kNoBreak, kNothing},
    {"label"},
    {"layer"},
    {"legend", kLine},
    {"li", kBlock, kElements, HtmlFamily::kList, 1},
    {"link", kNoBreak, kNothing},
    {"listing", kBlock},
    {"main", kBlock},
    {"map"},
    {.name = "marquee", .breaks = kLine, .is_scope = true},
    {"menu", kBlock, kElements, HtmlFamily::kList, 0, true},
    {"meta", kNoBreak, kNothing},
    {"nav", kBlock},
    {"nobr", kNoBreak, kElements, HtmlFamily::kAlone},
    {"noembed", kNoBreak, kUnseen},
    {"noframes", kNoBreak, kUnseen},
    {"noscript"},
    {.name = "object", .is_scope = true},
    {"ol", kBlock, kElements, HtmlFamily::kList, 0, true},
    {"optgroup", kLine, kElements, HtmlFamily::kOptions, 2},
    {"option", kLine, kElements, HtmlFamily::kOptions, 1},
    {"p", kBlock},
    {"param", kNoBreak, kNothing},
    {"plaintext", kBlock, kText},
    {"pre", kBlock},
    {"q"},
    {"rb", kNoBreak, kElements, HtmlFamily::kRuby, 1},
    {"rp", kNoBreak, kElements, HtmlFamily::kRuby, 1},
    {"rt", kNoBreak, kElements, HtmlFamily::kRuby, 1},
    {"rtc", kNoBreak, kElements, HtmlFamily::kRuby, 1},
    {"ruby", kNoBreak, kElements, HtmlFamily::kRuby, 0, true},
    {"s"},
    {"samp"},
    {"script", kNoBreak, kUnseen},
    {"search", kBlock},
    {"section", kBlock},
    {"select", kSpace, kElements, HtmlFamily::kOptions, 0, true},
    {"small"},
    {"source", kNoBreak, kNothing},
    {"span"},
    {"strike"},
    {"strong"},
    {"style", kNoBreak, kUnseen},
    {"sub"},
    {"summary", kBlock},
    {"sup"},
    {"table", kLine, kElements, HtmlFamily::kTable, 0, true, true},
    {"tbody", kLine, kElements, HtmlFamily::kTable, 3},
    {"td", kSpace, kElements, HtmlFamily::kTable, 1, false, true},
    {.name = "template", .is_scope = true, .is_apart = true},
    {"textarea", kLine, kText},
    {"tfoot", kLine, kElements, HtmlFamily::kTable, 3},
    {"th", kSpace, kElements, HtmlFamily::kTable, 1, false, true},
    {"thead", kLine, kElements, HtmlFamily::kTable, 3},
    {"title", kLine, kText},
    {"tr", kLine, kElements, HtmlFamily::kTable, 2},
    {"track", kNoBreak, kNothing},
    {"tt"},
    {"u"},
    {"ul", kBlock, kElements, HtmlFamily::kList, 0, true},
    {"var"},
    {"video"},
    {"wbr", kNoBreak, kNothing},
    {"xmp", kBlock, kText},
});

constexpr auto kKeys = [] {
  std::array<uint64_t, kTable.size()> keys{};
  std::transform(kTable.begin(), kTable.end(), keys.begin(),
                 [](const HtmlElement& element) { return HtmlNameKey(element.name); });
  return keys;
}();
static_assert(std::adjacent_find(kKeys.begin(), kKeys.end(), std::greater_equal<>()) == kKeys.end(),
              "the table is sorted and its keys distinct");

// A hash table from keys to indices of kTable, with few collisions. kFree marks a free slot.
constexpr size_t kSlots = 256;
constexpr uint8_t kFree = 0xFF;
static_assert(kTable.size() < kSlots / 2);

constexpr size_t SlotOf(uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 56; }

constexpr auto kSlotTable = [] {
  std::array<uint8_t, kSlots> slots{};
  slots.fill(kFree);
  for (size_t i = 0; i < kKeys.size(); ++i) {
    size_t slot = SlotOf(kKeys[i]);
    while (slots[slot] != kFree) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<uint8_t>(i);
  }
  return slots;
}();

}  // namespace

const HtmlElement* FindHtmlElement(std::string_view name, uint64_t key) {
  for (size_t slot = SlotOf(key); kSlotTable[slot] != kFree; slot = (slot + 1) % kSlots) {
    const size_t i = kSlotTable[slot];
    if (kKeys[i] == key) return EqualsIgnoringCase(kTable[i].name, name) ? &kTable[i] : nullptr;
  }
  return nullptr;
}

bool HasHtmlBackground(uint64_t key) {
  constexpr auto kColoured = std::to_array({HtmlNameKey("body"), HtmlNameKey("marquee"), HtmlNameKey("table"),
                                            HtmlNameKey("tbody"), HtmlNameKey("td"), HtmlNameKey("tfoot"),
                                            HtmlNameKey("th"), HtmlNameKey("thead"), HtmlNameKey("tr")});
  return std::ranges::find(kColoured, key) != kColoured.end();
}

}  // namespace thresher::tokenizer
