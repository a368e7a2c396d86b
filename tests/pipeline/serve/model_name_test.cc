// Names of models that clients give: what they lead to, and what they cannot lead to.
#include "pipeline/serve/model_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thresher::pipeline {
namespace {

std::string NameIn(const std::string& models, const Whose& whose) {
  Settings settings;
  settings.serve.models = models;
  const auto name = ModelNameOf(whose, settings);
  return name ? *name : "refused";
}

TEST(ModelName, FollowsFromWhoseMailItIs) {
  EXPECT_EQ(NameIn("domain", {"Ann@Example.ORG"}), "example.org");
  EXPECT_EQ(NameIn("domain", {"Ann@Example.ORG."}), "example.org");
  EXPECT_EQ(NameIn("domain", {"a@b@c"}), "c");
  EXPECT_EQ(NameIn("domain", {"ann"}), "default");
  EXPECT_EQ(NameIn("domain", {"ann@"}), "default");
  EXPECT_EQ(NameIn("domain", {"ann@.."}), "default");
  EXPECT_EQ(NameIn("domain", {"ann@../x"}), "default");
  EXPECT_EQ(NameIn("domain", {"ann@a.org", "Other"}), "Other");
  EXPECT_EQ(NameIn("user", {"Ann@a.org"}), "ann@a.org");
  EXPECT_EQ(NameIn("user", {}), "default");
  EXPECT_EQ(NameIn("user", {"../ann"}), "default");
  EXPECT_EQ(NameIn("user", {"db"}), "default");
  for (const char* const models : {"domain", "user"}) EXPECT_EQ(NameIn(models, {"", "../x"}), "refused");
  EXPECT_EQ(NameIn("one", {"ann@a.org"}), "default");
  EXPECT_EQ(NameIn("one", {"", "default"}), "default");
  EXPECT_EQ(NameIn("one", {"", "a.org"}), "refused");
}

// Whoever spells an address otherwise is the same user of the model of its domain, as mail servers take it.
TEST(ModelName, TheUserInItFollowsAsWell) {
  const auto user_in = [](const std::string& models, const Whose& whose, const char* model) {
    const auto user = UserInModel(whose, model, models);
    return user ? *user : "refused";
  };
  EXPECT_EQ(user_in("one", {"Ann@A.org"}, "default"), "Ann@A.org");
  EXPECT_EQ(user_in("domain", {"Ann@A.org."}, "a.org"), "ann@a.org");
  EXPECT_EQ(user_in("domain", {"Ann@A.org.", "a.org"}, "a.org"), "ann@a.org");
  EXPECT_EQ(user_in("domain", {"ann@a.org", "default"}, "default"), "refused");
  EXPECT_EQ(user_in("domain", {"ann", "default"}, "default"), "ann");
  EXPECT_EQ(user_in("domain", {"ann@..", "default"}, "default"), "ann@.");
  EXPECT_EQ(user_in("domain", {"", "default"}, "default"), "");
  EXPECT_EQ(user_in("user", {"Ann"}, "ann"), "");
  EXPECT_EQ(user_in("user", {"../ann"}, "default"), "");
  EXPECT_EQ(user_in("user", {"Ann", "ann"}, "ann"), "");
  EXPECT_EQ(user_in("user", {"", "ann"}, "ann"), "");
  EXPECT_EQ(user_in("user", {"ann", "default"}, "default"), "refused");
}

TEST(ModelName, WhatIsWrongWithItIsSaid) {
  Settings settings;
  settings.serve.models = "domain";
  EXPECT_THAT(ModelNameOf({"", "x.socket"}, settings).error().message,
              testing::HasSubstr(".socket, .outbox, .outbox.new at its end"));
}

TEST(ModelName, OfALongUserSoMuchIsSaid) {
  const std::string user = std::string(5000, 'x') + "@d.org";
  for (const char* const models : {"domain", "user"}) {
    const auto refused = UserInModel({user, "other"}, "other", models);
    ASSERT_FALSE(refused);
    EXPECT_LT(refused.error().message.size(), 400U);
  }
}

TEST(ModelName, OfRecipientsIsTheirDomain) {
  const std::vector<std::string> of_one = {"<ann@A.org>", "bob+x@a.org"};
  EXPECT_EQ(ModelOfRecipients(of_one, "domain"), "a.org");
  EXPECT_EQ(ModelOfRecipients(of_one, "user"), "");
  EXPECT_EQ(ModelOfRecipients(of_one, "one"), "");
  EXPECT_EQ(ModelOfRecipients(std::vector<std::string>{"<ann@a.org>", "<ann@b.org>"}, "domain"), "");
  EXPECT_EQ(ModelOfRecipients({}, "domain"), "");
  EXPECT_EQ(ModelOfRecipients(std::vector<std::string>{"<ann@a.socket>"}, "domain"), "");
}

}  // namespace
}  // namespace thresher::pipeline
