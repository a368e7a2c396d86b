#include "eval/header_verdict.h"

#include <gtest/gtest.h>

namespace thresher::eval {
namespace {

struct Case {
  const char* value;
  bool called_spam;
  double score;
  double probability;
};

TEST(HeaderVerdict, IsThatOfEachFilter) {
  const Case cases[] = {
      // bogofilter
      {" Spam, tests=bogofilter, spamicity=0.999998, version=1.2.5", true, 0.999998, 0.999998},
      {" Ham, tests=bogofilter, spamicity=0.000000, version=1.2.5", false, 0, 0},
      {" Unsure, tests=bogofilter, spamicity=0.520000, version=1.2.5", false, 0.52, 0.52},
      {" Yes, tests=bogofilter, spamicity=0.98", true, 0.98, 0.98},
      // SpamAssassin, and rspamd where it writes the same headers
      {" No, score=-1.9 required=5.0 tests=BAYES_00,\n\tHTML_MESSAGE autolearn=ham", false, -1.9, -1},
      {" Yes, score=15.2 required=5.0 tests=BAYES_99", true, 15.2, -1},
      {" Yes, hits=7.0 required=5.0", true, 7, -1},
      {" YES", true, 1, -1},
      {" NO", false, 0, -1},
      {" 5.0", true, 5, -1},
      {" 12.3 (++++++++++++)", true, 12.3, -1},
      {" -2.6", false, -2.6, -1},
      // rspamd
      {" default: False [3.40 / 15.00];\n\tBAYES_HAM(-3.00)[99.99%];", false, 3.4, -1},
      {" default: True [18.20 / 15.00];\n\tMISSING_MID(2.50)[];", true, 18.2, -1},
      {" Yes", true, 1, -1},
      // CRM114: mailreaver.crm, mailfilter.crm, and recipes that print what classify says
      {" SPAM  ( -45.1234 )", true, 45.1234, -1},
      {" GOOD (  20.5 )", false, -20.5, -1},
      {" UNSURE (1.5) This message is 'unsure'; please train it! ", false, -1.5, -1},
      {" SPAM  ( pR: -149.1499 )", true, 149.1499, -1},
      {" Good (Learn)", false, 0, -1},
      // thresher
      {" Spam, probability=0.999935, margin=9.40078565, key=b896c577bfeb6391, version=0.1.0", true,
       9.40078565, 0.999935},
      {" Unsure, probability=0.500000, margin=0, needs-ham=10, key=b8", false, 0, 0.5},
  };
  for (const Case& each : cases) {
    const auto verdict = ReadHeaderVerdict(each.value);
    ASSERT_TRUE(verdict) << each.value;
    EXPECT_EQ(verdict->called_spam, each.called_spam) << each.value;
    EXPECT_EQ(verdict->score, each.score) << each.value;
    EXPECT_EQ(verdict->probability, each.probability) << each.value;
  }
}

TEST(HeaderVerdict, IsNoneWithoutWordAndNumber) {
  for (const char* value : {"", " ", " Error, the store is damaged", " Spammy", " score=", " score=nan",
                            " spamicity=1e999", " default:", "[", " ,", "Nothing, required=5.0"})
    EXPECT_FALSE(ReadHeaderVerdict(value)) << value;
}

}  // namespace
}  // namespace thresher::eval
