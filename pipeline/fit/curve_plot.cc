#include "pipeline/fit/curve_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace thresher::pipeline {
namespace {

constexpr double kWidth = 800;
constexpr double kHeight = 480;
constexpr double kLeft = 70;
constexpr double kRight = 180;  // the names stand there
constexpr double kTop = 40;
constexpr double kBottom = 40;
// Told apart by people who see colours differently: Okabe & Ito 2008.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

struct Frame {
  Frame(std::span<const size_t> places, std::span<const Curve> curves)
      : first(std::log(static_cast<double>(places.front()))),
        last(std::max(std::log(static_cast<double>(places.back())), first + 1e-9)) {
    for (const Curve& curve : curves) {
      for (const double value : curve.values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    if (high == low) high = low + 1;
  }
  double X(size_t place) const {
    const double share = (std::log(static_cast<double>(place)) - first) / (last - first);
    return kLeft + share * (kWidth - kLeft - kRight);
  }
  double Y(double value) const {
    return kHeight - kBottom - (value - low) / (high - low) * (kHeight - kTop - kBottom);
  }

  double first;
  double last;
  double low = 0;  // the axis has 0
  double high = 0;
};

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string PlotCurves(const std::string& title, std::span<const size_t> places,
                       std::span<const Curve> curves) {
  const Frame frame(places, curves);
  std::string svg;
  const auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" "
                 "y=\"24\" font-size=\"15\">{}</text>\n",
                 kWidth, kHeight, kLeft, Escaped(title));
  for (const size_t place : places) {
    const bool is_power = std::pow(10, std::round(std::log10(place))) == static_cast<double>(place);
    if (!is_power && place != places.back()) continue;
    fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", frame.X(place),
                   kHeight - kBottom / 2, place);
  }
  constexpr int kLines = 5;
  for (int k = 0; k <= kLines; ++k) {
    const double value = frame.low + (frame.high - frame.low) * k / kLines;
    fmt::format_to(out,
                   "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/><text x=\"{}\" "
                   "y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n",
                   kLeft, kWidth - kRight, frame.Y(value), frame.Y(value), kLeft - 6, frame.Y(value) + 4,
                   value);
  }
  for (size_t c = 0; c < curves.size(); ++c) {
    const char* const colour = kColours[c % kColours.size()];
    svg += fmt::format("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"", colour);
    for (size_t k = 0; k < places.size(); ++k) {
      const double value = curves[c].values[k];
      if (std::isfinite(value)) fmt::format_to(out, "{:.1f},{:.1f} ", frame.X(places[k]), frame.Y(value));
    }
    fmt::format_to(out, "\"/>\n<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", kWidth - kRight + 10,
                   kTop + 18 * static_cast<double>(c + 1), colour, Escaped(curves[c].name));
  }
  svg += "</svg>\n";
  return svg;
}

}  // namespace thresher::pipeline
