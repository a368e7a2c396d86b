#include "tokenizer/html_display.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"

namespace thresher::tokenizer {
namespace {

constexpr auto kFlowInline = HtmlFlow::kInline;
constexpr auto kFlowBlock = HtmlFlow::kBlock;

// What a word says. A value has one word of kWhole, or at most one of each other kind, in any order.
enum DisplayPart : uint8_t { kWhole = 0, kOutside = 1, kInside = 2, kItem = 4 };

struct DisplayWord {
  std::string_view name;
  HtmlFlow flow;
  DisplayPart part = kWhole;
};
constexpr auto kDisplayWords = std::to_array<DisplayWord>({
    {"block", kFlowBlock, kOutside},
    {"inline", kFlowInline, kOutside},
    {"flex", kFlowBlock, kInside},
    {"flow", kFlowBlock, kInside},
    {"flow-root", kFlowBlock, kInside},
    {"grid", kFlowBlock, kInside},
    {"math", kFlowInline, kInside},
    {"ruby", kFlowInline, kInside},
    {"table", kFlowBlock, kInside},
    {"list-item", kFlowBlock, kItem},
    {"-webkit-box", kFlowBlock},
    {"-webkit-flex", kFlowBlock},
    {"-webkit-inline-box", kFlowInline},
    {"-webkit-inline-flex", kFlowInline},
    {"contents", kFlowInline},
    {"inherit", HtmlFlow::kOfElement},
    {"initial", kFlowInline},
    {"inline-block", kFlowInline},
    {"inline-flex", kFlowInline},
    {"inline-grid", kFlowInline},
    {"inline-table", kFlowInline},
    {"revert", HtmlFlow::kOfElement},
    {"revert-layer", HtmlFlow::kOfElement},
    {"ruby-base", kFlowInline},
    {"ruby-base-container", kFlowInline},
    {"ruby-text", kFlowInline},
    {"ruby-text-container", kFlowInline},
    {"table-caption", kFlowBlock},
    {"table-cell", kFlowBlock},
    {"table-footer-group", kFlowBlock},
    {"table-header-group", kFlowBlock},
    {"table-row", kFlowBlock},
    {"table-row-group", kFlowBlock},
    {"unset", kFlowInline},
});

}  // namespace

// Columns hold no text.
bool IsHiddenDisplay(std::string_view value) {
  return value == "none" || value == "table-column" || value == "table-column-group";
}

std::optional<HtmlFlow> FlowOfDisplay(std::string_view value) {
  std::optional<HtmlFlow> flow;
  for (uint8_t parts = 0; !value.empty();) {
    const auto* const end = std::find_if(value.begin(), value.end(), IsAsciiSpace);
    const std::string_view name = value.substr(0, static_cast<size_t>(end - value.begin()));
    value = Trim(value.substr(name.size()));
    const auto* const word = std::ranges::find(kDisplayWords, name, &DisplayWord::name);
    if (word == kDisplayWords.end() || (parts & word->part) != 0) return std::nullopt;
    if (word->part == kWhole && (flow || !value.empty())) return std::nullopt;
    parts |= word->part;
    if (!flow || word->part == kOutside) flow = word->flow;
  }
  return flow;
}

}  // namespace thresher::tokenizer
