#include "pipeline/generate/html.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<std::string_view, 8> kColours = {"#cc0000", "#003366", "#ff6600", "#006633",
                                                      "#333333", "#9900cc", "#0066cc", "#000000"};
constexpr std::array<std::string_view, 5> kFonts = {"Arial, Helvetica, sans-serif", "Verdana",
                                                    "Georgia, serif", "Tahoma", "Comic Sans MS"};

std::string_view ColourOf(const Flyer& flyer) { return kColours[flyer.layout % kColours.size()]; }
std::string_view FontOf(const Flyer& flyer) { return kFonts[flyer.layout % kFonts.size()]; }

std::string Image(const Flyer& flyer) {
  if (flyer.image.empty()) return "";
  return fmt::format("<img src=\"{}\" width=\"{}\" border=\"0\" alt=\"\">\n", flyer.image,
                     300 + flyer.layout * 4);
}

// Old style: one table, sizes in font elements.
std::string TableLayout(const Flyer& flyer) {
  std::string out = fmt::format(
      "<html>\n<head><title>{}</title></head>\n<body bgcolor=\"#ffffff\">\n<table width=\"600\" "
      "align=\"center\" "
      "cellpadding=\"4\">\n<tr><td><font face=\"{}\" color=\"{}\" size=\"5\"><b>{}</b></font></td></tr>\n",
      flyer.headline, FontOf(flyer), ColourOf(flyer), flyer.headline);
  for (const std::string& paragraph : flyer.paragraphs) {
    fmt::format_to(std::back_inserter(out), "<tr><td><font face=\"{}\" size=\"2\">{}</font></td></tr>\n",
                   FontOf(flyer), paragraph);
  }
  fmt::format_to(std::back_inserter(out),
                 "<tr><td align=\"center\"><a href=\"{}\">{}<b>{}</b></a></td></tr>\n"
                 "<tr><td><font size=\"1\">{}</font></td></tr>\n</table>\n</body>\n</html>\n",
                 flyer.link, Image(flyer), flyer.button, flyer.footer);
  return out;
}

// New style: divisions and inline styles.
std::string StyledLayout(const Flyer& flyer) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<style>p {{ font-family: {}; font-size: 14px "
      "}}</style>\n"
      "</head>\n<body style=\"margin:0\">\n<div style=\"max-width:600px;margin:auto\">\n"
      "<h1 style=\"color:{}\">{}</h1>\n{}",
      FontOf(flyer), ColourOf(flyer), flyer.headline, Image(flyer));
  for (const std::string& paragraph : flyer.paragraphs) {
    fmt::format_to(std::back_inserter(out), "<p>{}</p>\n", paragraph);
  }
  fmt::format_to(std::back_inserter(out),
                 "<p><a href=\"{}\" style=\"background:{};color:#fff;padding:8px\">{}</a></p>\n"
                 "<p style=\"font-size:11px;color:#888\">{}</p>\n</div>\n</body></html>\n",
                 flyer.link, ColourOf(flyer), flyer.button, flyer.footer);
  return out;
}

// Careless markup.
std::string BareLayout(const Flyer& flyer) {
  std::string out =
      fmt::format("<html><body>\n<center><b>{}</b></center><br>\n{}", flyer.headline, Image(flyer));
  for (const std::string& paragraph : flyer.paragraphs) out += paragraph + "<br><br>\n";
  fmt::format_to(std::back_inserter(out), "<a href=\"{}\">{}</a><br>\n<small>{}</small>\n</body></html>\n",
                 flyer.link, flyer.button, flyer.footer);
  return out;
}

}  // namespace

std::string FlyerHtml(const Flyer& flyer, Random& random) {
  // A sender mostly uses the same layout.
  switch (random.Chance(0.9) ? flyer.layout % 3 : random.Below(3)) {
    case 0:
      return TableLayout(flyer);
    case 1:
      return StyledLayout(flyer);
    default:
      return BareLayout(flyer);
  }
}

std::string LetterHtml(const std::vector<std::string>& paragraphs, Random& random) {
  const bool office = random.Chance(0.5);
  std::string out =
      office ? "<html xmlns:o=\"urn:schemas-microsoft-com:office:office\">\n<body lang=\"EN-GB\">\n"
             : "<html><head><meta http-equiv=\"content-type\" content=\"text/html\"></head><body>\n";
  for (const std::string& paragraph : paragraphs) {
    out += office ? "<p class=\"MsoNormal\">" + paragraph + "<o:p></o:p></p>\n"
                  : "<div>" + paragraph + "</div>\n";
  }
  return out + "</body></html>\n";
}

}  // namespace thresher::pipeline::synthetic
