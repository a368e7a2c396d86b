// A log with examples that a release taught from damaged spool files, or that do not match their checksums:
// check names them, rebuild leaves them out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "storage/byte_order.h"
#include "storage/database_impl.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using tokenizer::Features;

constexpr int kTaught = 40;
constexpr int kBad = 20;

struct BadCase {
  const char* name;
  const char* what;
  std::function<void(Features*, const tokenizer::IdSpace&)> spoil;
  bool is_readable = true;
};

void PrintTo(const BadCase& each, std::ostream* out) { *out << each.name; }

void ReplaceText(size_t i, std::string_view text, Features* features) {
  Features changed;
  for (size_t at = 0; at < features->size(); ++at)
    changed.Add(features->ids[at], features->values[at], at == i ? text : features->Text(at));
  *features = changed;
}

// The first token of the body: common to all messages of a class, and new to the model where it is taught
// first.
size_t FirstToken(const Features& features) {
  size_t i = 0;
  while (features.Text(i).empty()) ++i;
  return i;
}

std::vector<BadCase> BadCases() {
  const auto value = [](float bad) {
    return [bad](Features* features, const tokenizer::IdSpace&) { features->values[7] = bad; };
  };
  return {{"NaN", "the value", value(std::numeric_limits<float>::quiet_NaN())},
          {"infinite", "the value", value(std::numeric_limits<float>::infinity())},
          {"negative", "the value", value(-1)},
          {"large", "the value", value(1e38F)},
          {"text", "another feature's",
           [](Features* features, const tokenizer::IdSpace&) {
             ReplaceText(FirstToken(*features), "body:flipped", features);
           }},
          {"id", "another feature's",
           [](Features* features, const tokenizer::IdSpace&) {
             features->ids[FirstToken(*features)] ^= 1;
             features->seed.reset();
           }},
          {"twice", "twice",
           [](Features* features, const tokenizer::IdSpace&) {
             features->Add(features->ids[9], features->values[9], features->Text(9));
           }},
          {"unreadable", "does not match its checksum", [](Features*, const tokenizer::IdSpace&) {},
           /*is_readable=*/false}};
}

class BadExamples : public testing::TestWithParam<BadCase> {
 protected:
  enum class Checkpoint { kYes, kNo };  // before a process is killed that has taught all
  // Teaches all messages but kBad, and that one spoiled if `bad`. `first` is taught first.
  void Make(const std::string& store, const BadCase* bad, int first, Checkpoint checkpoint) const {
    Settings settings;
    settings.store_path = directory_ / store;
    const auto model = OpenOrCreateModel(ModelDirectory(settings), settings, TeachingAccess(settings));
    ASSERT_TRUE(model.has_value()) << model.error().message;
    for (int n = 0; n < kTaught; ++n) {
      const int i = (n + first) % kTaught;
      if (i == kBad && bad == nullptr) continue;
      Features features;
      (*model)->identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
      if (i == kBad) bad->spoil(&features, (*model)->identity().MakeIdSpace());
      const auto learned = (*model)->Learn(features, {"message" + std::to_string(i), ""},
                                           {i % 3 == 0 ? Label::kSpam : Label::kHam, Evidence::kArchive});
      ASSERT_TRUE(learned.has_value()) << learned.error().message;
    }
    if (checkpoint == Checkpoint::kNo) return;
    ASSERT_TRUE((*model)->Checkpoint().has_value());
  }
  // Changes a bit of what is stored of an example.
  void Flip(const std::string& store, uint64_t seq) const {
    const auto database =
        storage::Database::OpenOrCreate(std::filesystem::path(directory_ / store) / "default", {},
                                        storage::Durability::kOs, std::chrono::seconds(0));
    ASSERT_TRUE(database.has_value());
    storage::DatabaseImpl& impl = storage::DatabaseAccess::ImplOf(**database);
    std::string key;
    storage::AppendBig(seq, &key);
    std::string bytes = impl.Get(storage::Family::kExamples, key).value().value();
    bytes[bytes.size() / 2] ^= 1;
    rocksdb::WriteBatch batch;
    ASSERT_TRUE(batch.Put(impl.family(storage::Family::kExamples), key, bytes).ok());
    ASSERT_TRUE(impl.Write(&batch, /*sync=*/false).has_value());
  }
  Ran Run(std::vector<std::string> arguments, const std::string& store, const std::string& input = "") const {
    arguments.insert(arguments.end(), {"--store", directory_ / store});
    return RunThresher(arguments, input);
  }
  // The margins of some messages that were not taught.
  std::vector<double> Margins(const std::string& store) const {
    constexpr int kAsked = 6;
    const std::string mailbox = Mailbox(kAsked, [](int i) { return MessageNumber(100 + i); });
    std::istringstream lines(Run({"classify", "--json"}, store, mailbox).out);
    std::vector<double> margins;
    for (std::string line; std::getline(lines, line);)
      margins.push_back(nlohmann::json::parse(line).at("margin"));
    EXPECT_EQ(margins.size(), kAsked);
    return margins;
  }

  TestDirectory directory_;
};

// The first example, whose texts later ones do without, and one in the middle.
TEST_P(BadExamples, AreNamedAndLeftOut) {
  for (const int first : {0, kBad}) {
    const std::string bad = "bad" + std::to_string(first);
    const std::string without = "without" + std::to_string(first);
    Make(bad, &GetParam(), first, Checkpoint::kYes);
    if (!GetParam().is_readable) Flip(bad, first == 0 ? kBad + 1 : 1);
    Make(without, nullptr, first, Checkpoint::kYes);
    const std::string number = "example " + std::to_string(first == 0 ? kBad + 1 : 1);
    const Ran check = Run({"check"}, bad);
    EXPECT_EQ(check.exit_code, 65);
    EXPECT_THAT(check.out, AllOf(HasSubstr(number), HasSubstr(GetParam().what)));
    EXPECT_THAT(check.err, HasSubstr("thresher rebuild --without-bad"));
    const Ran refused = Run({"rebuild"}, bad);
    EXPECT_EQ(refused.exit_code, 65);
    EXPECT_THAT(refused.err, AllOf(HasSubstr(number + " of <message20>: "), HasSubstr(GetParam().what),
                                   HasSubstr("--without-bad leaves its message out")));
    for (const std::string command : {"export", "fit", "regret", "doubt"}) {
      const Ran stopped = Run({command}, bad);
      EXPECT_EQ(stopped.exit_code, 65) << command;
      // An export writes rows first, of which one has the text of a bad example.
      const bool is_row = command == "export" && std::string_view(GetParam().name) == "id";
      EXPECT_THAT(stopped.err, HasSubstr(is_row ? "`thresher check`" : number));
      EXPECT_THAT(stopped.err, HasSubstr(is_row ? "" : "`thresher rebuild --without-bad`"));
    }

    const Ran rebuilt = Run({"rebuild", "--without-bad"}, bad);
    EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
    EXPECT_THAT(rebuilt.out, HasSubstr("left out: 1 message, 1 example\n"));
    const Ran sound = Run({"check"}, bad);
    EXPECT_EQ(sound.exit_code, 0) << sound.out;
    EXPECT_EQ(Run({"rebuild"}, bad).exit_code, 0);
    EXPECT_EQ(Run({"check"}, bad).exit_code, 0);
    EXPECT_EQ(Run({"rebuild"}, without).exit_code, 0);
    if (std::string_view(GetParam().name) == "text" && first == kBad) continue;  // the text is lost: below
    EXPECT_EQ(Margins(bad), Margins(without));
  }
}

TEST_F(BadExamples, AMessageWithAReadableExampleToo) {
  Make("store", nullptr, 0, Checkpoint::kYes);
  EXPECT_EQ(Run({"learn", "--force", "--ham", "-"}, "store", MessageNumber(0)).exit_code, 0);
  const std::string taught = Run({"learn", "--force", "--spam", "-"}, "store", MessageNumber(0)).out;
  Flip("store", kTaught + 1);
  const Ran rebuilt = Run({"rebuild", "--without-bad"}, "store");
  EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
  EXPECT_THAT(rebuilt.out, HasSubstr("left out: 1 message, 2 examples\n")) << taught;
}

// No writer but `rebuild --without-bad` applies what cannot be read.
TEST_P(BadExamples, BehindTheLastCheckpointAreLeftOut) {
  for (const int first : {0, kBad}) {
    const std::string bad = "bad" + std::to_string(first);
    const std::string without = "without" + std::to_string(first);
    const unsigned seq = first == 0 ? kBad + 1U : 1U;
    Make(bad, &GetParam(), first, Checkpoint::kNo);
    if (!GetParam().is_readable) {
      Flip(bad, seq);
      const Ran learned = Run({"learn", "--ham", "-"}, bad, MessageNumber(200));
      EXPECT_EQ(learned.exit_code, 65);
      EXPECT_THAT(learned.err, AllOf(HasSubstr("example " + std::to_string(seq) + " does not match"),
                                     HasSubstr("`thresher rebuild --without-bad`")));
    }
    const Ran rebuilt = Run({"rebuild", "--without-bad"}, bad);
    EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
    EXPECT_THAT(rebuilt.out, HasSubstr("left out: 1 message, 1 example\n"));
    const Ran sound = Run({"check"}, bad);
    EXPECT_EQ(sound.exit_code, 0) << sound.out;
    if (std::string_view(GetParam().name) == "text" && first == kBad) continue;
    Make(without, nullptr, first, Checkpoint::kYes);
    EXPECT_EQ(Run({"rebuild"}, without).exit_code, 0);
    EXPECT_EQ(Margins(bad), Margins(without));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, BadExamples, testing::ValuesIn(BadCases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace thresher::pipeline
