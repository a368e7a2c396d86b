#include "pipeline/serve/change_rate.h"

#include <gtest/gtest.h>

#include <string>

namespace thresher::pipeline {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Peer PeerNamed(const std::string& name) { return {.over_tcp = true, .name = name}; }

int AllowedOf(ChangeRate& rate, const Peer& peer, int asked, ChangeRate::Clock::time_point now) {
  int allowed = 0;
  for (int i = 0; i < asked; ++i) allowed += rate.Allow(peer, now) ? 1 : 0;
  return allowed;
}

TEST(ChangeRateTest, AllowsABurstAndThenTheRate) {
  ChangeRate rate(5);
  const ChangeRate::Clock::time_point begin;
  EXPECT_EQ(AllowedOf(rate, PeerNamed("a"), 100, begin), 50);
  EXPECT_EQ(AllowedOf(rate, PeerNamed("b"), 100, begin), 50);  // each client has its own
  EXPECT_EQ(AllowedOf(rate, PeerNamed("a"), 100, begin + milliseconds(200)), 1);
  EXPECT_EQ(AllowedOf(rate, PeerNamed("a"), 100, begin + seconds(3)), 14);
  EXPECT_EQ(AllowedOf(rate, PeerNamed("a"), 100, begin + seconds(1000)), 50);
}

TEST(ChangeRateTest, TheOwnerIsNotLimited) {
  ChangeRate rate(1);
  EXPECT_EQ(AllowedOf(rate, {.is_owner = true, .name = "user 0"}, 1000, {}), 1000);
  EXPECT_EQ(AllowedOf(rate, {.name = "user 7"}, 1000, {}), 10);
  ChangeRate none(0);
  EXPECT_EQ(AllowedOf(none, PeerNamed("a"), 1000, {}), 1000);
}

TEST(ChangeRateTest, ManyClientsShareOneAllowance) {
  ChangeRate rate(1);
  const ChangeRate::Clock::time_point begin;
  for (size_t i = 0; i < ChangeRate::kMostClients; ++i)
    EXPECT_TRUE(rate.Allow(PeerNamed(std::to_string(i)), begin));
  int allowed = 0;
  for (int i = 0; i < 100; ++i) allowed += rate.Allow(PeerNamed("new" + std::to_string(i)), begin) ? 1 : 0;
  EXPECT_EQ(allowed, 10);
  // Those who are known keep what is theirs; those who are idle make room.
  EXPECT_EQ(AllowedOf(rate, PeerNamed("0"), 100, begin), 9);
  EXPECT_EQ(AllowedOf(rate, PeerNamed("late"), 100, begin + seconds(60)), 10);
}

}  // namespace
}  // namespace thresher::pipeline
