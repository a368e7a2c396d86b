#include "pipeline/generate/spam.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "pipeline/generate/drift.h"
#include "pipeline/generate/html.h"
#include "pipeline/generate/languages.h"
#include "pipeline/generate/prose.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr std::array<Disguise, 3> kInText = {Disguise::kLookAlikes, Disguise::kGaps, Disguise::kMisspelt};
constexpr std::array<Disguise, 2> kInHtml = {Disguise::kComments, Disguise::kEntities};

constexpr size_t kCampaigns = 9;
constexpr double kOneOff = 0.07;  // share of spam outside campaigns

struct BuildShare {
  size_t percent;
  Build build;
};
constexpr std::array<BuildShare, 11> kBuilds = {{{19, Build::kPlain},
                                                 {22, Build::kFlyer},
                                                 {9, Build::kBase64},
                                                 {9, Build::kHidden},
                                                 {7, Build::kImage},
                                                 {3, Build::kEmpty},
                                                 {8, Build::kLetter},
                                                 {8, Build::kNotice},
                                                 {4, Build::kPersonal},
                                                 {4, Build::kAttachment},
                                                 {7, Build::kAbroad}}};

Build PickBuild(Random& random) {
  size_t draw = random.Below(100);
  size_t index = 0;
  for (; draw >= kBuilds[index].percent; ++index) draw -= kBuilds[index].percent;
  return kBuilds[index].build;
}

size_t PickTopic(Build build, World& world) {
  if (build == Build::kLetter) return kLotterySpam;
  if (build == Build::kNotice) return kPhishingSpam;
  return SeasonalPick(SpamTopics().size(), world.message, kSpamSeasonMessages, world.random);
}

Disguise PickDisguise(Build build, Random& random) {
  if (build >= Build::kLetter || random.Chance(0.5)) return Disguise::kNone;
  return build == Build::kPlain || random.Chance(0.4) ? random.Pick(kInText) : random.Pick(kInHtml);
}

Campaign NewCampaign(World& world) {
  Random& random = world.random;
  Campaign campaign;
  campaign.build = PickBuild(random);
  campaign.topic = PickTopic(campaign.build, world);
  campaign.fashion = random.Next();
  campaign.disguise = PickDisguise(campaign.build, random);
  campaign.clean_relay = campaign.build == Build::kPersonal || random.Chance(0.3);
  campaign.sender = world.NewShop();
  campaign.language = random.Below(Languages().size());
  campaign.left = random.Between(10, 120);
  return campaign;
}

// Bots deliver directly to our mail exchange; some add false hops.
std::string BotHops(const Campaign& campaign, std::string_view recipient, World& world) {
  Random& random = world.random;
  const std::string ip = DocumentationAddress(random);
  const std::string name = random.Chance(0.7) ? DialUpName(ip, random) : "unknown";
  const std::string helo = random.Chance(0.5)   ? campaign.sender.domain
                           : random.Chance(0.5) ? CoinWord(random.Next())
                                                : ip;
  std::string lines = LocalHops(fmt::format("{} ({} [{}])", helo, name, ip), recipient, world.now, random);
  if (random.Chance(0.45)) {
    const Relay& forged = random.Pick(world.providers);
    const int64_t claimed = world.now - static_cast<int64_t>(random.Between(5, 4000));
    lines += ReceivedLine(FromRelay(forged), helo, forged.software, "", claimed, random);
  }
  return lines;
}

Envelope FromBot(const Campaign& campaign, World& world) {
  Random& random = world.random;
  Envelope envelope;
  const Person pretended = world.NewPerson();
  envelope.to = world.Recipient();
  envelope.received = BotHops(campaign, envelope.to, world);
  envelope.from_name = random.Chance(0.5) ? pretended.name : campaign.sender.brand;
  envelope.from = random.Chance(0.6) ? pretended.address : "info@" + campaign.sender.domain;
  envelope.mailer = campaign.sender.mailer;
  const std::string id_host = random.Chance(0.5) ? pretended.relay->host : CoinWord(random.Next());
  envelope.message_id = MessageId(*envelope.mailer, id_host, world.now, random);
  if (random.Chance(0.3)) envelope.more_headers = "X-Priority: 1\n";
  // One clock in five is wrong, by up to two days.
  const int64_t off = random.Chance(0.2) ? static_cast<int64_t>(random.Below(345600)) - 172800 : 0;
  envelope.date = world.now + off;
  envelope.zone_minutes = pretended.zone_minutes;
  return envelope;
}

Envelope Send(const Campaign& campaign, World& world) {
  if (!campaign.clean_relay) return FromBot(campaign, world);
  const std::string_view recipient = world.Recipient();
  if (campaign.build != Build::kPersonal && world.random.Chance(0.6)) {
    return FromShop(campaign.sender, recipient, world);
  }
  return FromPerson(world.NewPerson(), recipient, world);
}

Scene SpamScene(const Campaign& campaign, std::string_view url, const World& world) {
  return {SpamTopics()[campaign.topic], campaign.fashion, world.Period(), url};
}

std::string PlainText(const Campaign& campaign, const Scene& scene, size_t most, Random& random) {
  std::string text;
  if (random.Chance(0.3)) text += "Dear customer,\n\n";
  for (size_t left = random.Between(1, most); left > 0; --left) {
    const std::string said = Paragraph(scene, Shared().spam_lines, random.Between(2, 4), 0.65, random);
    text += DisguiseWords(said, campaign.disguise, 0.25, random) + "\n\n";
  }
  if (random.Chance(0.6)) text += std::string(scene.url) + "\n";
  // Random words: no two copies are the same.
  if (random.Chance(0.3)) {
    text += "\n" + Filler(random.Between(5, 40), random) + "\n";
    text += Code(9, random) + "\n";
  }
  return text;
}

std::string Html(const Campaign& campaign, const Scene& scene, std::string_view headline, Random& random) {
  Flyer flyer = {.layout = campaign.sender.layout,
                 .headline = DisguiseWords(headline, campaign.disguise, 0.4, random),
                 .paragraphs = std::vector<std::string>(random.Between(1, 5)),
                 .link = std::string(scene.url),
                 .button = Said("{act} {thing}", scene, random)};
  for (std::string& paragraph : flyer.paragraphs) {
    const std::string said = Paragraph(scene, Shared().spam_lines, random.Between(1, 3), 0.65, random);
    paragraph = DisguiseWords(said, campaign.disguise, 0.25, random);
  }
  if (random.Chance(0.4))
    flyer.image = fmt::format("http://{}/{}.gif", campaign.sender.domain, Code(5, random));
  if (random.Chance(0.6)) flyer.footer = fmt::format("<a href=\"{}\">Unsubscribe</a>", scene.url);
  if (campaign.build == Build::kHidden)
    flyer.footer += HiddenText(Filler(random.Between(30, 120), random), random);
  return FlyerHtml(flyer, random);
}

Part HtmlBody(const Campaign& campaign, const Scene& scene, std::string_view headline, World& world) {
  Random& random = world.random;
  Part html = TextPart("html", Html(campaign, scene, headline, random), world);
  if (campaign.build == Build::kBase64) html.transfer = Transfer::kBase64;
  if (campaign.build != Build::kFlyer || random.Chance(0.6)) return html;
  std::vector<Part> forms = {TextPart("plain", PlainText(campaign, scene, 2, random), world),
                             std::move(html)};
  return Multipart("alternative", std::move(forms));
}

Part ImageBody(const Scene& scene, World& world) {
  Random& random = world.random;
  const std::string id = Code(12, random);
  const std::string page = fmt::format(
      "<html><body><a href=\"{}\"><img src=\"cid:{}\" border=0></a></body></html>\n", scene.url, id);
  const std::string name = CoinWord(random.Next()) + ".gif";
  Part image = Attachment("image/gif", name, random.Between(1200, 5500), random);
  image.more_headers = fmt::format("Content-ID: <{}>\n", id);
  std::vector<Part> parts = {TextPart("html", page, world), std::move(image)};
  return Multipart("related", std::move(parts));
}

Part AttachmentBody(const Scene& scene, World& world) {
  Random& random = world.random;
  const bool archive = random.Chance(0.6);
  const std::string name = Said(archive ? "{thing}_{number}.zip" : "{thing}_{number}.pdf", scene, random);
  const std::string text = Said("Please see the attached {thing}.\n", scene, random);
  const size_t bytes = random.Between(900, 5000);
  std::vector<Part> parts = {
      TextPart("plain", text, world),
      Attachment(archive ? "application/zip" : "application/pdf", name, bytes, random)};
  return Multipart("mixed", std::move(parts));
}

// A friendly line around a link, in the words of ham.
std::string PersonalText(const Scene& scene, World& world) {
  Random& random = world.random;
  const size_t topic = SeasonalPick(HamTopics().size(), world.message, kHamSeasonMessages, random);
  const Scene ham = {HamTopics()[topic], scene.fashion, scene.period, scene.url};
  std::string text = Said(random.Pick(Shared().openings), ham, random) + "\n\n";
  text += Paragraph(ham, Shared().ham_lines, random.Between(1, 3), 0.4, random) + " ";
  text += Paragraph(scene, Shared().spam_lines, 1, 0.6, random) + "\n\n";
  if (random.Chance(0.7)) text += std::string(scene.url) + "\n";
  return text + std::string(random.Pick(Shared().closings)) + "\n";
}

Part AbroadBody(const Campaign& campaign, const Scene& scene, Envelope& envelope, World& world) {
  Random& random = world.random;
  const Language& language = Languages()[campaign.language];
  const Charset& charset = random.Pick(language.charsets);
  envelope.charset = charset.name;
  envelope.subject = Said(random.Pick(language.spam_subjects), scene, random);
  std::string text;
  for (size_t left = random.Between(2, 7); left > 0; --left) {
    Say(random.Pick(language.spam_lines), scene, random, text);
    text += "\n";
  }
  if (campaign.sender.layout % 2 == 0) return TextPart("plain", text, charset.name, charset.transfer, world);
  const std::string page = LetterHtml({text}, random);
  return TextPart("html", page, charset.name, charset.transfer, world);
}

Part Body(const Campaign& campaign, const Scene& scene, Envelope& envelope, World& world) {
  switch (campaign.build) {
    case Build::kPlain:
      return TextPart("plain", PlainText(campaign, scene, 4, world.random), world);
    case Build::kFlyer:
    case Build::kBase64:
    case Build::kHidden:
      return HtmlBody(campaign, scene, envelope.subject, world);
    case Build::kImage:
      return ImageBody(scene, world);
    case Build::kEmpty:
      return TextPart("plain", "", world);
    case Build::kLetter:
      return TextPart("plain", PlainText(campaign, scene, 9, world.random), world);
    case Build::kNotice:
      return HtmlBody(campaign, scene, envelope.subject, world);
    case Build::kPersonal:
      return TextPart("plain", PersonalText(scene, world), world);
    case Build::kAttachment:
      return AttachmentBody(scene, world);
    case Build::kAbroad:
      return AbroadBody(campaign, scene, envelope, world);
  }
  return {};
}

std::string WriteOne(const Campaign& campaign, World& world) {
  Random& random = world.random;
  Envelope envelope = Send(campaign, world);
  const std::string url = random.Chance(0.6)
                              ? TrickyUrl(campaign.sender.domain, random)
                              : fmt::format("https://{}/{}", campaign.sender.domain, Code(6, random));
  const Scene scene = SpamScene(campaign, url, world);
  const std::string subject = Said(random.Pick(scene.topic.subjects), scene, random);
  envelope.subject = DisguiseWords(subject, campaign.disguise, 0.3, random);
  if (random.Chance(0.08)) envelope.subject = "Re: " + envelope.subject;
  const Part body = Body(campaign, scene, envelope, world);
  return WriteMessage(envelope, body, world);
}

}  // namespace

Spammers::Spammers(World& world) {
  while (campaigns_.size() < kCampaigns) campaigns_.push_back(NewCampaign(world));
}

std::string Spammers::Write(World& world) {
  if (world.random.Chance(kOneOff)) return WriteOne(NewCampaign(world), world);
  Campaign& campaign = campaigns_[world.random.Below(campaigns_.size())];
  if (campaign.left == 0) campaign = NewCampaign(world);
  --campaign.left;
  return WriteOne(campaign, world);
}

}  // namespace thresher::pipeline::synthetic
