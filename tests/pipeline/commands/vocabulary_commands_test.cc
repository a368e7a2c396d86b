// explain and vocab: what they list, and that it adds up.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pipeline/error.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class VocabularyCommands : public testing::Test {
 protected:
  Ran Thresher(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", directory_ / "store"});
    return RunThresher(arguments, input);
  }

  TestDirectory directory_;
};

TEST_F(VocabularyCommands, ExplainAddsUpToTheMargin) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  const auto json = nlohmann::json::parse(Thresher({"explain", "--json", "--top", "0"}, SpamMessage(2)).out);
  double sum = 0;
  for (const auto& token : json.at("tokens")) {
    sum += token.at("contribution").get<double>();
    EXPECT_FALSE(token.at("token").get<std::string>().empty());
  }
  EXPECT_NEAR(sum, json.at("margin").get<double>(), 1e-9);
  EXPECT_GT(json.at("tokens").size(), 10u);
  EXPECT_THAT(Thresher({"explain"}, SpamMessage(2)).out, HasSubstr("margin: "));
}

TEST_F(VocabularyCommands, ExplainListsTheFieldsAskedForAndSumsTheOthers) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  const auto explain = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"explain", "--json"});
    return nlohmann::json::parse(Thresher(flags, SpamMessage(2)).out);
  };
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--field", "subject"}, {"--field", "!subject"}, {"--top", "3"}}) {
    const auto json = explain(flags);
    double sum = 0;
    size_t tokens = json.at("tokens").size();
    EXPECT_GT(tokens, 0U);
    for (const auto& token : json.at("tokens")) {
      sum += token.at("contribution").get<double>();
      if (flags[0] == "--field") {
        EXPECT_EQ(token.at("token").get<std::string>().starts_with("subject:"), flags[1] == "subject");
      }
    }
    for (const auto& field : json.at("further")) {
      sum += field.at("contribution").get<double>();
      tokens += field.at("tokens").get<size_t>();
    }
    EXPECT_NEAR(sum, json.at("margin").get<double>(), 1e-9);
    EXPECT_EQ(tokens, json.at("weighted_features"));
  }
  EXPECT_THAT(explain({"--top", "0"}).at("further"), testing::IsEmpty());
  const Ran text = Thresher({"explain", "--field", "subject"}, SpamMessage(2));
  EXPECT_THAT(text.out,
              AllOf(HasSubstr(" further tokens in body\n"), Not(HasSubstr("further tokens in subject"))));
  EXPECT_EQ(text.err, "");
  const Ran typo = Thresher({"explain", "--field", "subjct"}, SpamMessage(2));
  EXPECT_EQ(typo.exit_code, 0) << "another message may have it";
  EXPECT_THAT(typo.err, AllOf(HasSubstr("subjct"), HasSubstr("subject")));
}

TEST_F(VocabularyCommands, VocabFilters) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  const auto select = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"vocab", "--json", "--top", "0"});
    return nlohmann::json::parse(Thresher(flags).out).at("tokens");
  };
  const auto all = select({});
  const auto spam = select({"--spam"});
  const auto ham = select({"--ham"});
  EXPECT_EQ(all.size(), spam.size() + ham.size());
  double share = 0;
  for (const auto& token : all) share += token.at("share").get<double>();
  EXPECT_NEAR(share, 1, 1e-9);
  for (const auto& token : spam) EXPECT_GT(token.at("weight"), 0);
  for (const auto& token : ham) EXPECT_LT(token.at("weight"), 0);
  const auto subject = select({"--field", "subject"});
  EXPECT_GT(subject.size(), 0u);
  for (const auto& token : subject) EXPECT_THAT(token.at("token").get<std::string>(), StartsWith("subject:"));
  const auto matching = select({"--match", "pill"});
  EXPECT_GT(matching.size(), 0U);
  for (const auto& token : matching) EXPECT_THAT(token.at("token").get<std::string>(), HasSubstr("pill"));
  EXPECT_EQ(Thresher({"vocab", "--match", "("}).exit_code, 64);
}

TEST_F(VocabularyCommands, AModelOfOneClassSaysWhatWaits) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  EXPECT_THAT(Thresher({"stats"}).out, HasSubstr("\nwaiting          0 ham, 1 spam: "));
  EXPECT_EQ(nlohmann::json::parse(Thresher({"stats", "--json"}).out).at("waiting").at("spam"), 1);
  const Ran vocab = Thresher({"vocab", "--field", "user"});
  EXPECT_EQ(vocab.exit_code, 0) << vocab.err;
  EXPECT_THAT(vocab.out, HasSubstr("0 of 0"));
  Thresher({"learn", "--ham"}, HamMessage(1));
  EXPECT_THAT(Thresher({"stats"}).out, Not(HasSubstr("\nwaiting")));
}

TEST_F(VocabularyCommands, StatsSayHowMarginsBecomeProbabilities) {
  const auto sigma = [](double a) { return 1 / (1 + std::exp(-a)); };
  for (const char* draws : {"rehearsal.draws=3", "rehearsal.draws=0"}) {
    const std::string model = std::string("--model=draws-") + std::string(draws).back();
    for (int i = 0; i < 25; ++i) {
      Thresher({"learn", "--spam", model, "--set", draws}, SpamMessage(i));
      Thresher({"learn", "--ham", model, "--set", draws}, HamMessage(i));
    }
    const auto p = nlohmann::json::parse(Thresher({"stats", "--json", model}).out).at("calibration");
    const auto said = nlohmann::json::parse(Thresher({"classify", "--json", model}, SpamMessage(77)).out);
    const double margin = p.at("margin_factor").get<double>() * said.at("margin").get<double>();
    const double learned = sigma(p.at("slope").get<double>() * margin + p.at("intercept").get<double>());
    const double share = p.at("share");
    EXPECT_NEAR(said.at("probability"), share * learned + (1 - share) * sigma(margin), 1e-5) << draws;
  }
}

TEST_F(VocabularyCommands, VocabFieldsAreNamedOrLeftOut) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  const auto json = nlohmann::json::parse(Thresher({"vocab", "--json", "--top", "0"}).out);
  uint64_t weights = 0;
  double share = 0;
  for (const auto& field : json.at("fields")) {
    weights += field.at("weights").get<uint64_t>();
    share += field.at("share").get<double>();
  }
  EXPECT_EQ(weights, json.at("nonzeros"));
  EXPECT_NEAR(share, 1, 1e-9);
  const auto count = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"vocab", "--json", "--top", "0"});
    return nlohmann::json::parse(Thresher(flags).out).at("tokens").size();
  };
  const auto of = [&](const char* field) {
    return json.at("fields").at(field).at("weights").get<uint64_t>();
  };
  EXPECT_EQ(count({"--field", "subject", "--field", "body"}), of("subject") + of("body"));
  EXPECT_EQ(count({"--field", "!raw", "--field", "!body"}), weights - of("raw") - of("body"));
  const Ran typo = Thresher({"vocab", "--field", "!subjct"});
  EXPECT_EQ(typo.exit_code, kUsage);
  EXPECT_THAT(typo.err, AllOf(HasSubstr("subjct"), HasSubstr("raw, "), HasSubstr("subject")));
  EXPECT_EQ(Thresher({"vocab", "--spam", "--ham"}).exit_code, kUsage);
}

TEST_F(VocabularyCommands, VocabOfAFieldWithoutTokensIsEmpty) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  const std::vector<std::string> alices = {"vocab", "--field", "user", "--match", "^user:alice/"};
  const Ran nobodys = Thresher(alices);
  EXPECT_EQ(nobodys.exit_code, 0) << nobodys.err;
  EXPECT_THAT(nobodys.out, AllOf(HasSubstr("\n0 of 0 matching weights shown"), Not(HasSubstr("%"))));
  Thresher({"learn", "--user", "bob", "--spam"}, SpamMessage(2));
  const Ran bobs = Thresher(alices);
  EXPECT_EQ(bobs.exit_code, 0) << bobs.err;
  EXPECT_THAT(bobs.out, AllOf(ContainsRegex("%  user\n\n0 of 0 matching"), Not(HasSubstr("%  subject"))));
  EXPECT_EQ(nlohmann::json::parse(Thresher({"vocab", "--json", "--field", "user"}).out).at("fields").size(),
            1U);
}

TEST_F(VocabularyCommands, VocabSaysHowManyWeightsMatch) {
  Thresher({"learn", "--spam"}, SpamMessage(1));
  Thresher({"learn", "--ham"}, HamMessage(1));
  const auto json = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"vocab", "--json"});
    return nlohmann::json::parse(Thresher(flags).out);
  };
  const auto all = json({"--top", "0"});
  const size_t weights = all.at("nonzeros");
  const size_t raw = all.at("fields").at("raw").at("weights");
  EXPECT_EQ(all.at("matching"), weights);
  EXPECT_EQ(json({"--top", "3", "--field", "raw"}).at("matching"), raw);
  EXPECT_EQ(json({"--match", "pill", "--top", "1"}).at("matching"),
            json({"--match", "pill", "--top", "0"}).at("tokens").size());
  // Joined 4-grams are some weights each.
  EXPECT_THAT(Thresher({"vocab", "--field", "raw", "--top", "2"}).out,
              HasSubstr(fmt::format(" of {} matching weights shown, of {} non-zero ones", raw, weights)));
  EXPECT_THAT(Thresher({"vocab", "--top", "2"}).out,
              HasSubstr(fmt::format(" of {} non-zero weights shown;", weights)));
}

// Feature ids, and with them the order of features, differ with the seed of a model.
TEST_F(VocabularyCommands, TwoModelsOfTheSameMailPrintTheSame) {
  std::string vocab;
  std::string explained;
  for (const std::string model : {"one", "two"}) {
    Thresher({"learn", "--spam", "--model", model}, SpamMessage(1));
    Thresher({"learn", "--ham", "--model", model}, HamMessage(1));
    const std::string now = Thresher({"vocab", "--top", "0", "--model", model}).out;
    const std::string why = Thresher({"explain", "--top", "0", "--model", model}, SpamMessage(2)).out;
    EXPECT_THAT(now, HasSubstr("body:pills"));
    if (vocab.empty()) vocab = now, explained = why;
    EXPECT_EQ(now.substr(0, now.find("non-zero")), vocab.substr(0, vocab.find("non-zero")));
    EXPECT_EQ(why, explained);
  }
}

TEST_F(VocabularyCommands, PatternsThatNeverEndAreRefused) {
  Thresher({"learn", "--spam"}, "Subject: " + std::string(60, 'a') + "\n\nb\n");
  Thresher({"learn", "--ham"}, "Subject: b\n\na\n");
  for (const std::string& pattern :
       {std::string("(x"), std::string(60000, '('), std::string("(.*)*(.*)*(.*)*(.*)*(.*)*Q")}) {
    const Ran ran = Thresher({"vocab", "--match", pattern});
    EXPECT_EQ(ran.exit_code, 64) << pattern.substr(0, 40);
    EXPECT_LT(ran.err.size(), 300U);
  }
  EXPECT_THAT(Thresher({"vocab", "--match", "^subject:a+$"}).out, HasSubstr("subject:aaa"));
}

}  // namespace
}  // namespace thresher::pipeline
