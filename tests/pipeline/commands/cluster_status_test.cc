// What people read of a node that follows a log.
#include "pipeline/commands/cluster_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json LogAt(uint64_t position, uint64_t last, const std::string& trouble = "") {
  return {{"stream", "mail"},   {"model", "5d"},        {"followed", trouble.empty()}, {"last", last},
          {"trouble", trouble}, {"position", position}, {"digest", "0 examples"}};
}

TEST(ClusterStatusTest, SaysHowFarItIs) {
  EXPECT_THAT(ClusterStatusText(LogAt(3, 5)), HasSubstr("\nrecord 3 of 5 applied\n"));
  EXPECT_THAT(ClusterStatusText(LogAt(0, 5)), HasSubstr("\nrecord 0 of 5 applied\n"));
}

TEST(ClusterStatusTest, ALogThatWasNotReadSinceTheStartHasNoLastRecord) {
  EXPECT_THAT(ClusterStatusText(LogAt(7, 0, "no server")),
              AllOf(HasSubstr("\nnot followed: no server\n"),
                    HasSubstr("\nrecord 7 applied; the log has not been read yet\n")));
  EXPECT_THAT(ClusterStatusText(LogAt(0, 0, "no server")),
              HasSubstr("\nno record applied; the log has not been read yet\n"));
}

TEST(ClusterStatusTest, ANewLogHasNoRecord) {
  EXPECT_THAT(ClusterStatusText(LogAt(0, 0)),
              AllOf(HasSubstr("\nthe log has no record yet: nothing was taught\n"), Not(HasSubstr("0 of"))));
}

TEST(ClusterStatusTest, WhatIsWrongStandsOnlyWhereSomethingIs) {
  nlohmann::json log = LogAt(3, 5);
  log["nodes"] = {{{"id", "a1"}, {"state", "follows"}}, {{"id", "b2"}, {"trouble", "bad\x1b disk"}}};
  const std::string well = ClusterStatusText(log);
  EXPECT_THAT(well, AllOf(HasSubstr("\nb2: bad\\x1b disk\n"), Not(HasSubstr("a1: ")),
                          Not(HasSubstr("differs")), Not(HasSubstr("trouble"))));
  log["snapshot_trouble"] = "no room";
  EXPECT_THAT(ClusterStatusText(log), HasSubstr("\ntrouble with the last snapshot: no room\n"));
}

}  // namespace
}  // namespace thresher::pipeline
