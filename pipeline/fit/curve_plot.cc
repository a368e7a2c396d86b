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
constexpr double kLeft = 90;
constexpr double kRight = 190;  // the names stand there
constexpr double kTop = 40;
constexpr double kBottom = 60;
// Told apart by people who see colours differently: Okabe & Ito 2008.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
// A curve that lies on another lets it be seen.
constexpr std::array kDashes = {"none", "9 5", "2 4", "12 4 2 4"};

// 1, 2 or 5 times a power of ten, so that there are four to ten in `range`.
double StepOf(double range) {
  const double power = std::pow(10, std::floor(std::log10(range)));
  const double lead = range / power;
  return lead < 2 ? power / 5 : (lead < 5 ? power / 2 : power);
}

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
    step = StepOf(high - low);
    low = step * std::floor(low / step);
    high = step * std::ceil(high / step);
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
  double step = 1;
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

std::string PlotCurves(const PlotTexts& texts, std::span<const size_t> places,
                       std::span<const Curve> curves) {
  const Frame frame(places, curves);
  std::string svg;
  const auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
                 "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" "
                 "y=\"24\" font-size=\"15\">{}</text>\n",
                 kWidth, kHeight, kLeft, Escaped(texts.title));
  constexpr double kMiddle = (kTop + kHeight - kBottom) / 2;
  fmt::format_to(out,
                 "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text transform=\"translate(20 "
                 "{}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                 (kLeft + kWidth - kRight) / 2, kHeight - 15, Escaped(texts.places), kMiddle,
                 Escaped(texts.values));
  const size_t last = places.back();
  std::vector<size_t> named = {last};
  for (size_t power = 1; power <= last / 2; power *= 10) named.push_back(power);
  for (const size_t place : named) {
    if (place < places.front()) continue;
    fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", frame.X(place),
                   kHeight - kBottom + 18, place);
  }
  const auto steps = [&](double value) { return std::lround(value / frame.step); };
  for (long k = steps(frame.low); k <= steps(frame.high); ++k) {
    const double value = frame.step * static_cast<double>(k);
    fmt::format_to(out,
                   "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/><text x=\"{}\" "
                   "y=\"{:.1f}\" text-anchor=\"end\">{:.6g}</text>\n",
                   kLeft, kWidth - kRight, frame.Y(value), frame.Y(value), value == 0 ? "#888" : "#ddd",
                   kLeft - 6, frame.Y(value) + 4, value);
  }
  for (size_t c = 0; c < curves.size(); ++c) {
    const std::string line = fmt::format("stroke-width=\"2\" stroke=\"{}\" stroke-dasharray=\"{}\"",
                                         kColours[c % kColours.size()], kDashes[c % kDashes.size()]);
    svg += fmt::format("<polyline fill=\"none\" {} points=\"", line);
    for (size_t k = 0; k < places.size(); ++k) {
      const double value = curves[c].values[k];
      if (std::isfinite(value)) fmt::format_to(out, "{:.1f},{:.1f} ", frame.X(places[k]), frame.Y(value));
    }
    const double x = kWidth - kRight + 12;
    const double y = kTop + 18 * static_cast<double>(c + 1);
    fmt::format_to(out,
                   "\"/>\n<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" {}/><text x=\"{}\" "
                   "y=\"{}\">{}</text>\n",
                   x, x + 32, y - 4, y - 4, line, x + 40, y, Escaped(curves[c].name));
  }
  svg += "</svg>\n";
  return svg;
}

}  // namespace thresher::pipeline
