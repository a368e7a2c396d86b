// What a model may be called, by whoever names it.
#include "pipeline/settings/model_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "pipeline/settings/settings.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

TEST(ModelName, IsAFolderInTheStore) {
  for (const char* const name :
       {"example.org", "a", "Alice@example.org", "münchen.example", "a.incoming", "a.snapshot", "a.new"})
    EXPECT_TRUE(IsModelName(name)) << name;
  for (const char* const name : {"", ".", "..", ".socket", "a/b", "/a", "a b", "a\n", "a.socket", "a.outbox",
                                 "a.outbox.new", "\x7f", "db"})
    EXPECT_FALSE(IsModelName(name)) << name;
  EXPECT_FALSE(IsModelName(std::string_view("a\0b", 3)));
  EXPECT_TRUE(IsModelName(std::string(128, 'a')));
  EXPECT_FALSE(IsModelName(std::string(129, 'a')));
}

// A model of such a name would be the outbox of another one.
TEST(ModelName, OfSettingsIsOfTheSameRule) {
  Settings settings;
  EXPECT_TRUE(settings.Validate().has_value());
  for (const char* const name : {"x.outbox", "x.socket", "a b", "db", ""}) {
    settings.model = name;
    const auto refused = settings.Validate();
    ASSERT_FALSE(refused.has_value()) << name;
    EXPECT_EQ(refused.error().exit_code, kConfig);
    EXPECT_THAT(refused.error().message, testing::HasSubstr(".socket, .outbox, .outbox.new at its end"));
  }
}

TEST(ModelName, TheHelpOfTheSettingSaysWhatIsRefused) {
  EXPECT_THAT(FindSetting("store.model")->option.help, testing::HasSubstr(ModelNameRule()));
}

}  // namespace
}  // namespace thresher::pipeline
