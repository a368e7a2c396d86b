// What a toy model that is whole holds: its rows and its log are those of its examples.
#pragma once

#include <gtest/gtest.h>

#include "tests/storage/outcome.h"
#include "tests/storage/toy_model.h"

namespace thresher::storage {

// `twin` has learned no more than `model` has applied.
inline void ExpectWhole(ToyModel& model, ToyTwin& twin) {
  twin.LearnUpTo(model.applied_seq());
  const auto rows = model.Rows();
  ASSERT_TRUE(Succeeded(rows));
  EXPECT_EQ(*rows, twin.rows());
  uint64_t seen = 0;
  ASSERT_TRUE(Succeeded(model.log().Read(0, [&](const Example& example) {
    EXPECT_EQ(example.seq, ++seen);
    EXPECT_EQ(example.features, ToyExample(seen).features);
    return true;
  })));
  EXPECT_EQ(seen, model.log().last_seq());
}

inline void ExpectWhole(ToyModel& model) {
  ToyTwin twin;
  ExpectWhole(model, twin);
}

}  // namespace thresher::storage
