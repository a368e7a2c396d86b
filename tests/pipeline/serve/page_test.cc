// The daemon's page in a real browser, wide and narrow: what it shows, teaches and lets nobody do. Shown as
// skipped where chromium is not installed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/serve/browser.h"
#include "tests/pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

using ::testing::HasSubstr;

constexpr int kTaught = 45;
constexpr char kHostile[] =
    "<img src=x onerror=document.title='hacked'></li><script>document.title='hacked'</script>";

class PageTest : public ServeTest {
 protected:
  void SetUp() override {
    if (!Browser::IsInstalled()) GTEST_SKIP() << "chromium is not installed";
    int port = 0;
    daemon_.emplace(
        StartOverTcp("--http",
                     {"--set", "serve.token_file=" + directory_.Write("token", "secret\n"), "--set",
                      "lists.file=" + directory_.Write("lists", "block domain blocked.example\n")},
                     &port));
    url_ = fmt::format("http://127.0.0.1:{}/", port);
    for (int i = 0; i < kTaught; ++i) Tell(MessageNumber(i), i % 3 == 0);
    browser_.emplace(directory_ / "browser");
  }
  void Check(const std::string& message) const { Client(spamd_).Ask(SpamdRequest("CHECK", message)); }
  // Beside the messages that Start asked about.
  void CheckThree() const {
    Check(SpamMessage(700));
    Check(HamMessage(700));
    Check(std::string("From: ") + kHostile + "\nSubject: " + kHostile + "\nMessage-ID: <" + kHostile +
          ">\n\nx\n");
  }
  void LogIn() {
    browser_->Await("!document.getElementById('login').hidden");
    browser_->Ask("document.getElementById('token').value = 'secret'");
    browser_->Ask("document.querySelector('#login button').click()");
  }
  void GoTo(const std::string& view) {
    browser_->Ask("location.hash = '" + view + "'");
    browser_->Await("!document.getElementById('" + view + "').hidden");
  }
  void ExpectSound(const std::string& where) {
    EXPECT_EQ(browser_->Ask("document.documentElement.scrollWidth <= innerWidth"), true) << where;
    const auto cut = browser_->Ask(R"([...document.querySelectorAll('.wide')]
      .filter(box => box.scrollWidth > box.clientWidth)
      .map(box => `${box.ariaLabel}: ${box.scrollWidth} of ${box.clientWidth}`).join())");
    EXPECT_EQ(cut, "") << where;
    EXPECT_THAT(browser_->Ask("document.title").get<std::string>(), testing::StartsWith("thresher")) << where;
    for (const auto& node : browser_->AccessibilityTree()) {
      static const std::set<std::string> kNamed = {"button", "link",   "textbox", "searchbox",  "combobox",
                                                   "table",  "dialog", "img",     "navigation", "search"};
      if (node.value("ignored", false) || !node.contains("role")) continue;
      const std::string role = node.at("role").value("value", "");
      if (!kNamed.contains(role)) continue;
      EXPECT_NE(node.at("name").value("value", ""), "") << where << " " << node.dump(1);
    }
  }
  // What WCAG asks of small text is 4.5, against the background of the page.
  void ExpectReadable(const std::string& selector) {
    const double least = browser_->Ask(R"((() => {
      const light = colour => {
        const parts = colour.match(/[0-9.]+/g).map(Number).map(part => part / 255);
        const [r, g, b] = parts.map(part => part <= .04 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b + .05;
      };
      const paper = light(getComputedStyle(document.body).backgroundColor);
      return Math.min(...[...document.querySelectorAll(')" +
                                       selector + R"(')].map(node => {
        const ink = light(getComputedStyle(node).color);
        return Math.max(ink, paper) / Math.min(ink, paper);
      }));
    })())");
    EXPECT_GE(least, 4.5) << selector;
  }
  // The item of the stream whose subject contains a text.
  static std::string Item(const std::string& subject) {
    return "[...document.querySelectorAll('#stream > li')].find(li => "
           "li.querySelector('.subject').textContent.includes(`" +
           subject + "`))";
  }

  std::string url_;
  std::optional<RunningThresher> daemon_;
  std::optional<Browser> browser_;
};

TEST_F(PageTest, ShowsMessagesAndTeaches) {
  CheckThree();
  for (const int width : {1280, 390}) {
    browser_->Resize(width, 800);
    browser_->Open(url_);
    if (width == 1280) LogIn();  // it is kept in the tab
    browser_->Await("!!" + Item("Buy cheap pills now 700"));
    EXPECT_EQ(browser_->Ask(Item("Buy cheap pills now 700") + ".className"), "spam");
    EXPECT_EQ(browser_->Ask(Item("minutes of meeting 700") + ".className"), "ham");
    EXPECT_EQ(browser_->Ask("!!" + Item("<img src=x")), true);
    EXPECT_EQ(browser_->Ask("document.querySelectorAll('#stream img, #stream script').length"), 0);
    EXPECT_EQ(browser_->Ask(Item("minutes of meeting 700") + ".querySelector('.when').checkVisibility()"),
              true);
    ExpectReadable("#stream :is(.verdict, .from, .when, small)");
    ExpectSound("messages");
  }
  // It comes by itself.
  Check(SpamMessage(801));
  browser_->Await("!!" + Item("Buy cheap pills now 801"));
  browser_->Ask(
      "document.getElementById('search').value = 'PILLS now 801';"
      "document.getElementById('search').dispatchEvent(new Event('input'))");
  EXPECT_EQ(browser_->Ask("[...document.querySelectorAll('#stream > li')].filter(li => !li.hidden).length"),
            1);
  const std::string state = "document.getElementById('stream-state')";
  EXPECT_EQ(browser_->Ask(state + ".textContent"), "1 message matches.");
  EXPECT_EQ(browser_->Ask(state + ".getAttribute('role')"), "status");
  browser_->Ask(
      "document.getElementById('verdict').value = 'Ham';"
      "document.getElementById('verdict').dispatchEvent(new Event('change'))");
  EXPECT_EQ(browser_->Ask(state + ".textContent"), "0 messages match.");
  // One click teaches.
  browser_->Ask(Item("Buy cheap pills now 801") + ".querySelectorAll('.teach button')[1].click()");
  browser_->Await("document.getElementById('arrived').textContent.includes('learned as ham')");
  EXPECT_EQ(browser_->Ask(Item("Buy cheap pills now 801") +
                          ".querySelectorAll('.teach button')[1].getAttribute('aria-pressed')"),
            "true");
  // What somebody else teaches is shown, too.
  Tell(SpamMessage(801), true);
  browser_->Await(Item("Buy cheap pills now 801") +
                  ".querySelectorAll('.teach button')[0].getAttribute('aria-pressed') === 'true'");
  // The policy forbade nothing that the page wanted. That it had no token at first is no surprise.
  EXPECT_THAT(browser_->complaints(),
              testing::Not(testing::ContainsRegex("Content Security|rror:|xception")));
}

TEST_F(PageTest, ExplainsAMessageByTheKeyboard) {
  CheckThree();
  browser_->Resize(390, 800);
  browser_->Open(url_);
  LogIn();
  browser_->Await("!!" + Item("Buy cheap pills now 700"));
  const std::string subject = Item("Buy cheap pills now 700") + ".querySelector('.subject')";
  browser_->Ask(subject + ".focus()");
  browser_->Press("Enter");
  browser_->Await("document.querySelectorAll('#message-tokens tbody tr').length > 10");
  EXPECT_EQ(browser_->Ask("document.activeElement.id"), "message-title");
  EXPECT_THAT(browser_->Ask("document.getElementById('message-tokens').textContent").get<std::string>(),
              HasSubstr("body:pills"));
  EXPECT_THAT(browser_->Ask("document.getElementById('message-state').textContent").get<std::string>(),
              HasSubstr("Spam: probability 0.9"));
  const std::string cells =
      "[...document.querySelectorAll('#message-tokens tr')].flatMap(row => [...row.cells])";
  EXPECT_EQ(
      browser_->Ask(cells + ".every(cell => cell.checkVisibility() === ![2, 3].includes(cell.cellIndex))"),
      true);  // no weight, no value
  ExpectSound("explanation");
  browser_->Resize(1280, 800);
  EXPECT_EQ(browser_->Ask(cells + ".every(cell => cell.checkVisibility())"), true);
  ExpectSound("wide explanation");
  browser_->Press("Escape");
  EXPECT_EQ(browser_->Ask("document.getElementById('message').open"), false);
  EXPECT_EQ(browser_->Ask("document.activeElement === " + subject), true);
}

TEST_F(PageTest, SaysThatAListDecided) {
  Check(
      "From: Bob <bob@blocked.example>\nSubject: a blocked domain\nMessage-ID: <b@blocked.example>\n\n"
      "minutes of meeting\n");
  browser_->Open(url_);
  LogIn();
  browser_->Await("!!" + Item("a blocked domain"));
  EXPECT_EQ(browser_->Ask(Item("a blocked domain") + ".querySelector('.verdict').textContent"),
            "Spamblock:domain");
  browser_->Ask(Item("a blocked domain") + ".querySelector('.subject').click()");
  browser_->Await("document.getElementById('message-state').textContent.includes('probability')");
  EXPECT_THAT(browser_->Ask("document.getElementById('message-state').textContent").get<std::string>(),
              testing::StartsWith("Spam by the lists (block:domain): probability"));
}

// The daemon keeps both verdicts, and says of both that they were taught.
TEST_F(PageTest, AMessageThatWasJudgedTwiceKeepsItsPlaceWhenItIsTaught) {
  Check(SpamMessage(801));
  Check(SpamMessage(801));
  Check(SpamMessage(802));
  browser_->Open(url_);
  LogIn();
  browser_->Await("!!" + Item("Buy cheap pills now 801"));
  const std::string ham = Item("Buy cheap pills now 801") + ".querySelectorAll('.teach button')[1]";
  browser_->Ask(ham + ".focus()");
  Tell(SpamMessage(801), false);
  browser_->Await(ham + ".getAttribute('aria-pressed') === 'true'");
  EXPECT_EQ(browser_->Ask("document.activeElement === " + ham), true);
  EXPECT_EQ(browser_->Ask("document.querySelector('#stream > li') === " + Item("Buy cheap pills now 802")),
            true);
}

// Another daemon may have come to a higher number in the same time.
TEST_F(PageTest, StartsOverWhenTheDaemonDoes) {
  browser_->Open(url_);
  LogIn();
  browser_->Await("lastChange > 0");
  browser_->Ask(R"(
    asked = [];
    ask = async (path, {after}) => {
      asked.push(after);
      return {since: 1.5, last: 1000000, kept: 500, messages: []};
    };)");
  browser_->Await("asked.length >= 2");
  EXPECT_EQ(browser_->Ask("asked[1]"), 0);
}

// Every control is reached by the Tab key, in the order of the page, and shows that it has the focus.
TEST_F(PageTest, TabLeadsThroughThePage) {
  CheckThree();
  browser_->Open(url_);
  LogIn();
  browser_->Open(url_);  // the focus is nowhere
  browser_->Await("!!" + Item("Buy cheap pills now 700"));
  browser_->Ask("document.getElementById('pause').click()");
  const int controls = browser_->Ask(
      "[...document.querySelectorAll('a, button, input, select, summary')]"
      ".filter(e => e.getClientRects().length > 0 && !e.closest('details:not([open]) > "
      ":not(summary)')).length");
  std::set<std::string> seen;
  std::string first;
  for (int i = 0; i < controls; ++i) {
    browser_->Press("Tab");
    const std::string at = browser_->Ask(
        "(e => [...document.querySelectorAll('*')].indexOf(e) + ' ' + (e.innerText ?? "
        "e.id))(document.activeElement)");
    if (i == 0) first = at;
    seen.insert(at);
    EXPECT_EQ(browser_->Ask("getComputedStyle(document.activeElement).outlineStyle !== 'none'"), true) << at;
  }
  EXPECT_THAT(first, HasSubstr("Skip to the content"));
  EXPECT_EQ(seen.size(), static_cast<size_t>(controls));
}

TEST_F(PageTest, ShowsTheModel) {
  CheckThree();
  Tell(SpamMessage(0), false);  // which is wrong
  Check(SpamMessage(0));
  for (const int width : {1280, 390}) {
    browser_->Resize(width, 800, width == 390);
    browser_->Open(url_ + "#vocabulary");
    if (width == 1280) LogIn();
    const std::string rows = "document.querySelectorAll('#vocabulary-table tbody tr')";
    browser_->Await(rows + ".length === 50");
    ExpectSound("vocabulary");
    browser_->Ask(
        "document.getElementById('contains').value = 'pills';"
        "document.querySelector('#vocabulary-form button').click()");
    std::string are_found = rows + ".length > 3 && [...";
    are_found.append(rows).append("].every(row => row.textContent.includes('pills'))");
    browser_->Await(are_found);
    EXPECT_EQ(browser_->Ask("[..." + rows + "].every(row => row.cells[5].textContent !== '')"), true);

    GoTo("figures");
    browser_->Await("document.querySelectorAll('#plots canvas').length >= 3");
    ExpectSound("figures");
    const auto blank = browser_->Ask(R"([...document.querySelectorAll('#plots canvas')].filter(canvas => {
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      let ink = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        const rgb = pixels.slice(i, i + 3);
        ink += pixels[i + 3] > 128 && Math.max(...rgb) - Math.min(...rgb) > 60 ? 1 : 0;
      }
      return ink === 0;
    }).map(canvas => canvas.getAttribute('aria-label')).join())");
    EXPECT_EQ(blank, "");
    // All that is drawn can be read as well.
    browser_->Ask("document.querySelectorAll('#plots figure summary').forEach(each => each.click())");
    browser_->Await(
        "[...document.querySelectorAll('#plots figure')].every(figure => "
        "figure.querySelectorAll('tbody td').length > 0)");
    EXPECT_THAT(browser_->Ask("document.querySelector('#plots table').innerText").get<std::string>(),
                testing::ContainsRegex("time\\s+Spam\\s+Ham\\s+Unsure\\s+[0-9]{2}:[0-9]{2}\\s+[0-9]+"));

    GoTo("doubt");
    browser_->Ask("document.getElementById('doubt-start').click()");
    browser_->Await("document.getElementById('doubt-state').textContent.includes('of 45 labels')");
    browser_->Await("!!document.querySelector('#doubts .subject')");
    EXPECT_EQ(browser_->Ask("document.querySelector('#doubts .subject').textContent"),
              "Buy cheap pills now 0");
    EXPECT_THAT(browser_->Ask("document.querySelector('#doubts .from').textContent").get<std::string>(),
                HasSubstr("spam0@pills.example"));
    ExpectSound("doubt");
  }
}

// The first question is answered after the second.
TEST_F(PageTest, AnAnswerThatComesTooLateIsNotShown) {
  browser_->Open(url_ + "#vocabulary");
  LogIn();
  browser_->Await("document.querySelectorAll('#vocabulary-table tbody tr').length > 0");
  browser_->Ask(R"(
    answers = [];
    ask = path => path === '/weights' ? Promise.resolve({tokens: []}) :
                                        new Promise(answer => answers.push(answer));
    for (const words of ['first', 'second']) {
      document.getElementById('contains').value = words;
      document.querySelector('#vocabulary-form button').click();
    }
    tokensOf = token => ({fields: {}, matching: 1, nonzeros: 1,
                          tokens: [{id: 1, token, weight: 1, share: 1, ham: 0, spam: 1}]});
    answers[1](tokensOf('second'));
    answers[0](tokensOf('first'));)");
  const std::string rows = "[...document.querySelectorAll('#vocabulary-table tbody tr')]";
  browser_->Await(rows + ".some(row => row.textContent.includes('second'))");
  EXPECT_EQ(browser_->Ask(rows + ".length"), 1);
  browser_->Ask(R"(
    answers = [];
    openFile(new File([''], 'first'));
    dialog.close();
    openFile(new File([''], 'second'));
    explained = verdict => ({verdict, probability: 0.5, margin: 0, features: 0, weighted_features: 0,
                             tokens: [], fields: {}, needed: {text: ''}});
    answers[1](explained('Spam'));
    answers[0](explained('Ham'));)");
  browser_->Await("document.getElementById('message-state').textContent.includes('probability')");
  EXPECT_THAT(browser_->Ask("document.getElementById('message-state').textContent").get<std::string>(),
              testing::StartsWith("Spam"));
}

TEST_F(PageTest, AWrongTokenIsSaidAndForgotten) {
  browser_->Open(url_);
  browser_->Await("!document.getElementById('login').hidden");
  EXPECT_EQ(browser_->Ask("document.activeElement.id"), "token");
  browser_->Ask(
      "document.getElementById('token').value = 'guess';"
      "document.querySelector('#login button').click()");
  browser_->Await("document.getElementById('login-problem').textContent.includes('does not accept')");
  EXPECT_EQ(browser_->Ask("sessionStorage.length"), 0);
  EXPECT_EQ(browser_->Ask("document.cookie"), "");
  EXPECT_EQ(browser_->Ask("document.querySelectorAll('#stream > li').length"), 0);
}

}  // namespace
}  // namespace thresher::pipeline
