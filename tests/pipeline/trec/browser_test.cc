// The HTML report in a real browser: every plot has ink on it, and hostile names run nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "re"), ::pclose);
  std::string output;
  std::array<char, 65536> buffer;
  while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), count);
  return output;
}

class BrowserTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v chromium >/dev/null") != 0) GTEST_SKIP() << "chromium is not installed";
  }

  // The page after its script ran, with a line at its end for each plot: how many pixels have ink, or what
  // went wrong.
  std::string Opened(const std::string& html, const std::string& flags = "") const {
    const char kProbe[] = R"(<script>
      const report = text => document.body.append(Object.assign(document.createElement('p'), { textContent: text }));
      for (const canvas of document.querySelectorAll('canvas')) {
        const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let ink = 0;  // lines and points have colours, axes and letters none
        for (let i = 0; i < pixels.length; i += 4) {
          const rgb = pixels.slice(i, i + 3);
          ink += pixels[i + 3] > 128 && Math.max(...rgb) - Math.min(...rgb) > 60 ? 1 : 0;
        }
        report(`${ink > 100 ? 'drawn' : 'blank'}: ${canvas.getAttribute('aria-label')}`);
      }
      report(`title: ${document.title}`);
      // Dragging over the middle of a plot, then a double-click.
      const chart = charts[0], edge = chart.canvas.getBoundingClientRect();
      const at = share => ({ pointerType: 'mouse', bubbles: true, clientX: edge.left + share * edge.width, clientY: edge.top + share * edge.height });
      const range = () => `${chart.scales.x.min} ${chart.scales.y.max}`;
      const whole = range();
      for (const [type, share] of [['pointerdown', .4], ['pointermove', .5], ['pointerup', .6]])
        chart.canvas.dispatchEvent(new PointerEvent(type, at(share)));
      report(range() === whole ? 'still' : 'closer');
      chart.canvas.dispatchEvent(new MouseEvent('dblclick'));
      report(range() === whole ? 'back' : 'lost');
      const press = key => chart.canvas.dispatchEvent(new KeyboardEvent('keydown', { key }));
      press('+');
      press('ArrowLeft');
      report(range() === whole ? 'keys: still' : 'keys: closer');
      press('Escape');
      report(range() === whole ? 'keys: back' : 'keys: lost');
      const button = document.querySelector('.legend button');
      if (button) button.click();
      report(`legend: ${button && button.getAttribute('aria-pressed')}`);
      const tables = [...document.querySelectorAll('table')];
      report(`tables without a caption: ${tables.filter(t => !t.caption || !t.caption.textContent).length}`);
      report(`dead links: ${[...document.links].filter(a => !document.getElementById(a.hash.slice(1))).length}`);
      report(`wider than the window: ${document.documentElement.scrollWidth > innerWidth}`);
      const clipped = tables.filter(t => t.scrollWidth > t.parentElement.clientWidth && !t.querySelector('.name'));
      report(`clipped tables: ${clipped.length}`);
    </script></html>)";
    std::string page = ReadBytes(html);
    page.replace(page.rfind("</html>"), 7, kProbe);
    const std::string probed = directory_.Write("probed.html", page);
    return OutputOf("HOME=" + directory_.path().string() +
                    " timeout 60 chromium --headless --no-sandbox --disable-gpu " + flags +
                    " --user-data-dir=" + (directory_ / "browser") + " --dump-dom file://" + probed +
                    " 2>/dev/null");
  }

  TestDirectory directory_;
};

TEST_F(BrowserTest, ReplayDrawsEveryPlot) {
  std::string index;
  for (int i = 0; i < 120; ++i) {
    const std::string n = std::to_string(i);
    directory_.Write("data/s" + n, SpamMessage(i));
    directory_.Write("data/h" + n, i % 10 == 9 ? SpamMessage(1000 + i) : HamMessage(i));
    index += fmt::format("spam data/s{0}\nham data/h{0}\n", n);
  }
  const std::string html = directory_ / "replay.html";
  const Ran ran = RunThresher({"replay", directory_.Write("index", index), "--html", html});
  if (ran.exit_code == 64) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* flags : {"", "--window-size=390,900", "--blink-settings=preferredColorScheme=0"}) {
    const std::string page = Opened(html, flags);
    for (const char* plot : {"ROC near the corner", "Learning curve", "Log-loss", "Ham lost so far",
                             "Spam in the inbox so far", "Reliability", "Scores", "Sparsity"})
      EXPECT_THAT(page, HasSubstr(std::string("drawn: ") + plot)) << flags;
    EXPECT_THAT(page, Not(HasSubstr("blank: "))) << flags;
    EXPECT_THAT(page, AllOf(HasSubstr("<p>closer</p>"), HasSubstr("<p>back</p>"))) << flags;
    EXPECT_THAT(page, AllOf(HasSubstr("<p>keys: closer</p>"), HasSubstr("<p>keys: back</p>"),
                            HasSubstr("<p>legend: false</p>")))
        << flags;
    EXPECT_THAT(page, AllOf(HasSubstr(">Unsure</a> among the ham</th>"), HasSubstr("Ham with the 20 highest"),
                            HasSubstr("Spam with the 20 lowest"), HasSubstr("ham up to p = 0.2"),
                            HasSubstr("spam from p = 0.97")))
        << flags;
    EXPECT_THAT(page, AllOf(HasSubstr("tables without a caption: 0<"), HasSubstr("dead links: 0<"),
                            HasSubstr("wider than the window: false<"), HasSubstr("clipped tables: 0<")))
        << flags;
  }
}

TEST_F(BrowserTest, HostileNamesRunNothing) {
  const std::string hostile =
      "<img src=x onerror=document.title='hacked'></script><script>document.title='hacked'</script>";
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += hostile + std::to_string(i) +
             (i % 2 == 0 ? " judge=spam class=spam score=" : " judge=ham class=ham score=") +
             std::to_string(i * 7 % 11) + " user=<img/src=x/onerror=document.title='hacked'>\n";
  }
  const std::string one = directory_.Write("a<svg onload=document.title='hacked'>", lines);
  const std::string two = directory_.Write("b", lines);
  const std::string html = directory_ / "eval.html";
  const Ran ran = RunThresher({"eval", one, two, "--by", "user", "--html", html});
  if (ran.exit_code == 64) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string page = Opened(html);
  EXPECT_THAT(page, HasSubstr("title: thresher: evaluation"));
  EXPECT_THAT(page, HasSubstr("drawn: ROC"));
  EXPECT_THAT(page, HasSubstr("&lt;svg onload"));
  EXPECT_THAT(page, AllOf(HasSubstr("<td>0 of 20</td>"), HasSubstr(">F1</a></th><td>1.0000</td>"),
                          HasSubstr(">only it wrong</a>: all</th>")));
  EXPECT_THAT(page, Not(HasSubstr("title: hacked")));
}

}  // namespace
}  // namespace thresher::pipeline
