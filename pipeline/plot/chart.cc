#include "pipeline/plot/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "pipeline/plot/axis.h"

namespace thresher::pipeline {
namespace {

constexpr double kWidth = 300;  // of a panel's frame
constexpr double kHeight = 220;
constexpr double kLeft = 62;  // around it
constexpr double kTop = 30;
constexpr double kRight = 18;
constexpr double kBottom = 42;
constexpr double kLegendLine = 15;
constexpr size_t kPanelsInRow = 3;
constexpr size_t kLongestOfTwoNames = 20;  // bytes; a longer name takes a line of the legend by itself
constexpr double kLonePanelScale = 2;

// Colours that colour-blind readers can tell apart; the dashes help as well (Okabe & Ito 2008).
constexpr std::array<const char*, 8> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#b8860b", "#56b4e9", "#7f7f7f", "#8b0000"};
constexpr std::array<const char*, 8> kDashes = {"", "6 3", "2 2", "8 2 2 2", "", "6 3", "2 2", "8 2 2 2"};

// The bytes of the character that begins `text`; 0 if they are not UTF-8, or XML does not allow it.
size_t CharacterBytes(std::string_view text) {
  const auto at = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = at(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  constexpr std::array<unsigned, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};  // by the number of bytes
  if (first < 0xC0 || first >= 0xF8) return 0;
  unsigned character = first & (0x7FU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xC0U) != 0x80) return 0;
    character = character << 6U | (at(i) & 0x3FU);
  }
  const bool is_surrogate = character >= 0xD800 && character < 0xE000;
  const bool is_allowed =
      !is_surrogate && character != 0xFFFE && character != 0xFFFF && character <= 0x10FFFF;
  return is_allowed && character >= kLeast[bytes] ? bytes : 0;
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    const std::string_view character = text.substr(0, std::max<size_t>(bytes, 1));
    text.remove_prefix(character.size());
    switch (bytes == 0 ? 0 : character.front()) {
      case 0:
        escaped += "\uFFFD";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

std::string Text(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     Escaped(text));
}

std::vector<std::string> Names(const std::vector<Panel>& panels) {
  std::vector<std::string> names;
  for (const Panel& panel : panels) {
    for (const Series& series : panel.series) {
      if (std::ranges::find(names, series.name) == names.end()) names.push_back(series.name);
    }
  }
  return names;
}

std::vector<double> AllX(const Panel& panel) {
  std::vector<double> values;
  for (const Series& series : panel.series) values.insert(values.end(), series.x.begin(), series.x.end());
  return values;
}

std::vector<double> AllY(const Panel& panel) {
  std::vector<double> values;
  for (const Series& series : panel.series) {
    for (const double y : series.y) values.push_back(std::isfinite(y) ? std::min(y, panel.y_most) : y);
  }
  if (panel.y_from_zero) values.push_back(0);
  return values;
}

size_t NamesInLine(const Panel& panel) {
  const auto is_long = [](const Series& series) { return series.name.size() > kLongestOfTwoNames; };
  return std::ranges::any_of(panel.series, is_long) ? 1 : 2;
}

double LegendHeight(const std::vector<Panel>& panels) {
  size_t most_lines = 0;
  for (const Panel& panel : panels) {
    const size_t in_line = NamesInLine(panel);
    most_lines = std::max(most_lines, (panel.series.size() + in_line - 1) / in_line);
  }
  return kLegendLine * static_cast<double>(most_lines);
}

class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, const std::vector<std::string>& names)
      : panel_(panel), names_(names), x_(AllX(panel), panel.log_x), y_(AllY(panel), panel.log_y) {}

  std::string Draw() {
    out_ = Text(kWidth / 2, -10, "middle", panel_.title, " font-weight=\"bold\"");
    DrawTicks();
    out_ +=
        fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555\"/>\n", kWidth, kHeight);
    out_ += Text(kWidth / 2, kHeight + 32, "middle", panel_.x_label);
    out_ += Text(-kHeight / 2, -48, "middle", panel_.y_label, " transform=\"rotate(-90)\"");
    for (size_t i = 0; i < panel_.series.size(); ++i) DrawSeries(i);
    return out_;
  }

 private:
  void DrawTicks() {
    for (const Axis::Tick& tick : x_.Ticks()) {
      const double x = kWidth * x_.Place(tick.value);
      out_ += fmt::format("<path d=\"M{0:.1f} 0V{1}\" stroke=\"#ddd\"/>\n", x, kHeight);
      out_ += Text(x, kHeight + 15, "middle", tick.label);
    }
    for (const Axis::Tick& tick : y_.Ticks()) {
      const double y = kHeight * (1 - y_.Place(tick.value));
      out_ += fmt::format("<path d=\"M0 {0:.1f}H{1}\" stroke=\"#ddd\"/>\n", y, kWidth);
      out_ += Text(-5, y + 4, "end", tick.label);
    }
  }

  void DrawSeries(size_t number) {
    const Series& series = panel_.series[number];
    const auto style =
        static_cast<size_t>(std::ranges::find(names_, series.name) - names_.begin()) % kColours.size();
    const std::string stroke =
        fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"{}\"",
                    kColours[style], kDashes[style]);
    out_ += fmt::format("<path d=\"{}\" {}/>\n", Line(series), stroke);
    if (const std::string points = LonePoints(series); !points.empty()) {
      out_ += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"4\" stroke-linecap=\"round\"/>\n",
                          points, kColours[style]);
    }
    const size_t in_line = NamesInLine(panel_);
    const double x = static_cast<double>(number % in_line) * kWidth / static_cast<double>(in_line);
    const size_t line = number / in_line;
    const double y = kHeight + kBottom + 6 + kLegendLine * static_cast<double>(line);
    out_ += fmt::format("<path d=\"M{:.1f} {:.1f}h24\" {}/>\n", x, y, stroke);
    out_ += Text(x + 29, y + 4, "start", series.name);
  }

  bool IsShown(const Series& series, size_t i) const {
    return i < series.x.size() && x_.CanShow(series.x[i]) && y_.CanShow(series.y[i]);
  }

  std::string PlaceOf(const Series& series, size_t i) const {
    const double y = y_.Place(std::min(series.y[i], panel_.y_most));
    return fmt::format("{:.1f} {:.1f}", kWidth * x_.Place(series.x[i]), kHeight * (1 - y));
  }

  std::string Line(const Series& series) const {
    std::string line;
    for (size_t i = 0; i < series.x.size(); ++i) {
      if (!IsShown(series, i)) continue;
      line += i > 0 && IsShown(series, i - 1) ? 'L' : 'M';
      line += PlaceOf(series, i);
    }
    return line;
  }

  // A line does not show a point that has no neighbour. These are drawn as dots.
  std::string LonePoints(const Series& series) const {
    std::string points;
    for (size_t i = 0; i < series.x.size(); ++i) {
      const bool has_neighbour = (i > 0 && IsShown(series, i - 1)) || IsShown(series, i + 1);
      if (IsShown(series, i) && !has_neighbour) points += "M" + PlaceOf(series, i) + "h0";
    }
    return points;
  }

  const Panel& panel_;
  const std::vector<std::string>& names_;
  Axis x_;
  Axis y_;
  std::string out_;
};

}  // namespace

std::string Svg(const std::vector<Panel>& panels) {
  const std::vector<std::string> names = Names(panels);
  const double width = kLeft + kWidth + kRight;
  const double height = kTop + kHeight + kBottom + LegendHeight(panels) + 12;
  const size_t columns = std::min(kPanelsInRow, panels.size());
  const size_t lines = (panels.size() + kPanelsInRow - 1) / kPanelsInRow;
  const double picture_width = width * static_cast<double>(columns);
  const double picture_height = height * static_cast<double>(lines);
  const double scale = panels.size() == 1 ? kLonePanelScale : 1;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      picture_width, picture_height, scale * picture_width, scale * picture_height);
  for (size_t i = 0; i < panels.size(); ++i) {
    const size_t line = i / kPanelsInRow;
    svg += fmt::format("<g transform=\"translate({} {})\">\n",
                       kLeft + width * static_cast<double>(i % kPanelsInRow),
                       kTop + height * static_cast<double>(line));
    svg += PanelDrawing(panels[i], names).Draw() + "</g>\n";
  }
  return svg + "</svg>\n";
}

}  // namespace thresher::pipeline
