#include "reproduction/plot_text.h"

#include <sstream>
#include <stdexcept>
#include <string>

namespace thresher::reproduction {
namespace {

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream rest(line);
  for (std::string field; std::getline(rest, field, '\t');) fields.push_back(field);
  return fields;
}

}  // namespace

std::vector<Panel> ReadPanels(std::istream& lines) {
  std::vector<Panel> panels;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = Fields(line);
    if (fields.size() == 6 && fields[0] == "panel") {
      panels.push_back({.title = fields[1],
                        .x_label = fields[2],
                        .y_label = fields[3],
                        .log_x = fields[4] == "log",
                        .log_y = fields[5] == "log"});
    } else if (fields.size() == 2 && fields[0] == "series" && !panels.empty()) {
      panels.back().series.push_back({.name = fields[1]});
    } else if (fields.size() == 2 && !panels.empty() && !panels.back().series.empty()) {
      panels.back().series.back().Add(std::stod(fields[0]), std::stod(fields[1]));
    } else {
      throw std::runtime_error("\"" + line + "\" is neither panel, series nor point");
    }
  }
  return panels;
}

}  // namespace thresher::reproduction
