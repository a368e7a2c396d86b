// The text that the program `reproduce` reads and writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "reproduction/markdown.h"
#include "reproduction/plot_text.h"

namespace thresher::reproduction {
namespace {

using ::testing::ElementsAre;

TEST(ReadPanels, TakesLinesOfText) {
  std::istringstream lines("panel\tt\tx\ty\tlog\tlin\nseries\ta\n1\t2\n3\t4.5\nseries\tb\n");
  const std::vector<Panel> panels = ReadPanels(lines);
  ASSERT_EQ(panels.size(), 1u);
  EXPECT_TRUE(panels[0].log_x);
  EXPECT_FALSE(panels[0].log_y);
  EXPECT_THAT(panels[0].At("a").y, ElementsAre(2, 4.5));
  EXPECT_TRUE(panels[0].At("b").x.empty());
  std::istringstream wrong("1\t2\n");
  EXPECT_THROW(ReadPanels(wrong), std::runtime_error);
}

TEST(Markdown, WritesNumbersShort) {
  const Table table{.caption = "Caption:",
                    .columns = {"method", "loss", "steps"},
                    .rows = {{"a", {0.123456, 1000}}, {"b", {1e-9, std::nan("")}}}};
  EXPECT_EQ(
      Markdown({table}),
      "Caption:\n\n| method | loss | steps |\n|---|---:|---:|\n| a | 0.1235 | 1000 |\n| b | 1e-09 | – |\n\n");
}

}  // namespace
}  // namespace thresher::reproduction
