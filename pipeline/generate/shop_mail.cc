#include "pipeline/generate/shop_mail.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "pipeline/generate/envelope.h"
#include "pipeline/generate/html.h"
#include "pipeline/generate/prose.h"

namespace thresher::pipeline::synthetic {
namespace {

constexpr uint64_t kShopFashion = 2000;

}  // namespace

std::string WriteShopMail(const Shop& shop, const Topic& topic, const Phrases& shared, World& world) {
  Random& random = world.random;
  const std::string url =
      fmt::format("https://{}/{}?c={}", shop.domain, CoinWord(Scramble(random.Below(4000))), world.Period());
  const Scene scene = {topic, world.Named(kShopFashion), world.Period(), url};
  Envelope envelope = FromShop(shop, world.Recipient(), world);
  envelope.subject = Said(random.Pick(topic.subjects), scene, random);
  Flyer flyer = {.layout = shop.layout,
                 .headline = envelope.subject,
                 .paragraphs = std::vector<std::string>(random.Between(2, 6)),
                 .link = url,
                 .button = Said("{act} the {thing}", scene, random)};
  for (std::string& paragraph : flyer.paragraphs) {
    paragraph = Paragraph(scene, shared, random.Between(1, 3), 0.6, random);
  }
  if (random.Chance(0.6)) flyer.image = fmt::format("https://{}/img/{}.png", shop.domain, Code(6, random));
  flyer.footer = fmt::format(
      "You receive this because you are registered with {}. <a "
      "href=\"https://{}/unsubscribe\">Unsubscribe</a>",
      shop.brand, shop.domain);
  Part html = TextPart("html", FlyerHtml(flyer, random), world);
  if (shop.layout % 2 == 0) html.transfer = Transfer::kQuotedPrintable;
  if (shop.layout % 5 < 2) return WriteMessage(envelope, html, world);
  std::string text = flyer.headline + "\n\n";
  for (const std::string& paragraph : flyer.paragraphs) text += paragraph + "\n\n";
  text += url + "\n";
  std::vector<Part> forms = {TextPart("plain", text, world), std::move(html)};
  return WriteMessage(envelope, Multipart("alternative", std::move(forms)), world);
}

std::string WriteReceipt(const Shop& shop, World& world) {
  Random& random = world.random;
  const std::string order = Code(8, random);
  const std::string url = fmt::format("https://{}/orders/{}", shop.domain, order);
  const Scene scene = {HamTopics()[kShoppingHam], world.Named(kShopFashion), world.Period(), url};
  Envelope envelope = FromShop(shop, world.Recipient(), world);
  envelope.subject = fmt::format("{} order {}", random.Chance(0.5) ? "Your" : "Confirmation of", order);
  std::string text =
      Said("Dear {name} {surname},\n\nthank you for your order. It ships on {day}.\n\n", scene, random);
  for (size_t left = random.Between(1, 5); left > 0; --left) {
    Say("  1 x {quality} {thing} {coined}   {money}\n", scene, random, text);
  }
  Say("\nTotal {money}, paid by card. Follow your parcel at {url}\n\n", scene, random, text);
  text += fmt::format("{}\nhttps://{}/\n", shop.brand, shop.domain);
  Part body = TextPart("plain", text, world);
  if (random.Chance(0.3)) {
    const size_t bytes = random.Between(800, 4000);
    std::vector<Part> parts = {std::move(body), Attachment("application/pdf", order + ".pdf", bytes, random)};
    body = Multipart("mixed", std::move(parts));
  }
  return WriteMessage(envelope, body, world);
}

}  // namespace thresher::pipeline::synthetic
