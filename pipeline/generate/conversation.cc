#include "pipeline/generate/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/generate/drift.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<std::string_view, 5> kSites = {
    "www.example.org", "wiki.example.net", "photos.example.com", "code.example.org", "www.school.example"};

constexpr uint64_t kHamFashion = 1000;
constexpr size_t kQuotedBytes = 700;
constexpr size_t kQuotableWidth = 72;  // a quoted line fits into a line

// The last message with every line marked as quoted, cut to a few lines.
std::string Quote(const Thread& thread) {
  std::string quoted = fmt::format("{} wrote:\n", thread.author);
  std::string_view text = thread.text;
  while (!text.empty() && quoted.size() < kQuotedBytes) {
    const size_t end = std::min(text.find('\n'), text.size());
    quoted += fmt::format("> {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return quoted + "\n";
}

std::string Letter(const Scene& scene, size_t most, Random& random) {
  std::string text;
  for (size_t left = random.Between(1, most); left > 0; --left) {
    const std::string said = Paragraph(scene, Shared().ham_lines, random.Between(1, 5), 0.55, random);
    text += Wrap(said, kQuotableWidth) + "\n\n";
  }
  return text;
}

}  // namespace

size_t HamTopicOfNow(World& world) {
  return SeasonalPick(HamTopics().size(), world.message, kHamSeasonMessages, world.random);
}

Scene HamScene(size_t topic, std::string_view url, const World& world) {
  return {HamTopics()[topic], world.Named(kHamFashion), world.Period(), url};
}

std::string HomePage(World& world) {
  const std::string_view site = world.random.Pick(kSites);
  return fmt::format("https://{}/{}", site, CoinWord(Scramble(world.random.Below(4000))));
}

void Continue(Thread& thread, std::string_view prefix, size_t topic, Envelope& envelope, World& world) {
  if (!thread.message_id.empty() && world.random.Chance(0.6)) {
    envelope.more_headers +=
        fmt::format("In-Reply-To: {}\nReferences: {}\n", thread.message_id, thread.message_id);
    envelope.subject = "Re: " + thread.subject;
    return;
  }
  const Scene scene = HamScene(topic, "", world);
  thread = {
      .subject = std::string(prefix) + Said(world.random.Pick(scene.topic.subjects), scene, world.random),
      .topic = topic};
  envelope.subject = thread.subject;
}

std::string Turn(Thread& thread, const Envelope& envelope, size_t most, World& world) {
  const std::string& author = envelope.from_name;
  Random& random = world.random;
  const std::string url = HomePage(world);
  const Scene scene = HamScene(thread.topic, url, world);
  std::string text;
  if (random.Chance(0.7)) text += Said(random.Pick(Shared().openings), scene, random) + "\n\n";
  const std::string said = Letter(scene, most, random);
  if (!thread.message_id.empty() && random.Chance(0.8)) text += Quote(thread);
  text += said;
  if (random.Chance(0.7)) text += std::string(random.Pick(Shared().closings)) + ",\n";
  text += author.substr(0, author.find(' '));
  text += '\n';
  thread.message_id = envelope.message_id;
  thread.author = author;
  thread.text = said;
  return text;
}

}  // namespace thresher::pipeline::synthetic
