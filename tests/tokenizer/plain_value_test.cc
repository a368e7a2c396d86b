// Comments and quoted texts of headers, well-formed and not.
#include "tokenizer/plain_value.h"

#include <gtest/gtest.h>

namespace thresher::tokenizer {
namespace {

TEST(PlainValue, LeavesOutCommentsAndQuotedTexts) {
  EXPECT_EQ(PlainValue("MX.example; dkim=pass (a; (b) \\) c) header.d=X"),
            "mx.example; dkim=pass  header.d=x");
  EXPECT_EQ(PlainValue("a=\"b; \\\" (c\" d"), "a=\" d");
  EXPECT_EQ(PlainValue("a ) b"), "a ) b");
}

TEST(PlainValue, WhatNeverEndsHidesTheRest) {
  EXPECT_EQ(PlainValue("a (b"), "a ");
  EXPECT_EQ(PlainValue("a \"b"), "a \"");
  EXPECT_EQ(PlainValue("a\\"), "a");
  EXPECT_EQ(PlainValue(""), "");
}

}  // namespace
}  // namespace thresher::tokenizer
