// The dashboard for Grafana in packaging/ is one, and shows figures that the daemon has.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "pipeline/serve/metrics.h"

namespace thresher::pipeline {
namespace {

constexpr int kColumns = 24;

nlohmann::json Dashboard() {
  std::ifstream file(THRESHER_SOURCE_DIR "/packaging/integration/grafana/thresher.json");
  return nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
}

std::set<std::string> MetricsIn(const std::string& text) {
  std::set<std::string> found;
  const std::regex name("thresher_[a-z_]+");
  for (std::sregex_iterator each(text.begin(), text.end(), name); each != std::sregex_iterator(); ++each)
    found.insert(each->str());
  return found;
}

// By the lines that say what they are: "# TYPE NAME KIND".
std::set<std::string> Exported() {
  std::istringstream text(MetricsText({.protocols = {}, .log = LogFigures{}}));
  std::set<std::string> names;
  for (std::string hash, type, name, kind; text >> hash;) {
    std::string rest;
    if (hash == "#" && text >> type && type == "TYPE" && text >> name >> kind) {
      names.insert(name);
      if (kind == "histogram") names.insert({name + "_bucket", name + "_sum", name + "_count"});
    }
    std::getline(text, rest);
  }
  return names;
}

TEST(DashboardTest, IsOneOfGrafana) {
  const nlohmann::json dashboard = Dashboard();
  ASSERT_TRUE(dashboard.is_object());
  for (const char* const text : {"title", "uid"}) EXPECT_TRUE(dashboard.at(text).is_string()) << text;
  EXPECT_TRUE(dashboard.at("schemaVersion").is_number_unsigned());
  std::set<std::string> variables;
  for (const nlohmann::json& each : dashboard.at("templating").at("list")) {
    variables.insert(each.at("name"));
    const bool has_choice = each.contains("current");
    EXPECT_TRUE(!has_choice || (each["current"].contains("text") && each["current"].contains("value")));
  }
  EXPECT_EQ(variables, (std::set<std::string>{"datasource", "instance"}));
  std::set<int> ids;
  std::set<std::pair<int, int>> taken;
  for (const nlohmann::json& panel : dashboard.at("panels")) {
    EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second);
    EXPECT_TRUE(panel.at("type") == "timeseries" || panel.at("type") == "stat");
    EXPECT_FALSE(panel.at("title").get<std::string>().empty());
    EXPECT_EQ(panel.at("datasource").at("uid"), "${datasource}");
    const nlohmann::json& place = panel.at("gridPos");
    for (int x = place.at("x"); x < place.at("x").get<int>() + place.at("w").get<int>(); ++x) {
      EXPECT_LT(x, kColumns);
      for (int y = place.at("y"); y < place.at("y").get<int>() + place.at("h").get<int>(); ++y)
        EXPECT_TRUE(taken.insert({x, y}).second) << "two panels at " << x << ", " << y;
    }
    ASSERT_FALSE(panel.at("targets").empty());
    for (const nlohmann::json& target : panel.at("targets")) {
      EXPECT_TRUE(target.at("refId").is_string());
      EXPECT_NE(target.at("expr").get<std::string>().find("$instance"), std::string::npos);
    }
  }
}

TEST(DashboardTest, ShowsFiguresThatTheDaemonHas) {
  const std::set<std::string> exported = Exported();
  ASSERT_TRUE(exported.contains("thresher_log_followed"));
  const nlohmann::json dashboard = Dashboard();
  std::set<std::string> shown;
  for (const nlohmann::json& panel : dashboard.at("panels")) {
    for (const nlohmann::json& target : panel.at("targets")) shown.merge(MetricsIn(target.at("expr")));
  }
  for (const std::string& name : shown) EXPECT_TRUE(exported.contains(name)) << name;
  for (const std::string& name : exported) {
    const bool must_be_shown = name.starts_with("thresher_log_") || name == "thresher_models";
    EXPECT_TRUE(shown.contains(name) || !must_be_shown) << name;
  }
}

}  // namespace
}  // namespace thresher::pipeline
