#include "pipeline/terminal/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace thresher::pipeline {
namespace {

constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr size_t kBarWidth = 30;

// Of the terminal; where it does not say, what most have.
size_t Columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Not fmt::print: it throws if the terminal takes no output, and that must not end a run.
void Show(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  std::fflush(stderr);
}

// In place of the line before, which a line that continues on the next one would not be. A terminal that is
// too narrow for the bar shows the text.
void ShowLine(const std::string& bar, const std::string& text) {
  const size_t most = Columns() - 1;
  const std::string line = bar.size() + text.size() <= most ? bar + text : text.substr(0, most);
  Show(fmt::format("\r{}\x1b[K", line));
}

}  // namespace

Progress::Progress(std::string what, uint64_t total)
    : what_(std::move(what)),
      total_(total),
      shown_(::isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      last_drawn_(start_) {}

Progress::~Progress() {
  if (shown_) Show("\r\x1b[K");
}

void Progress::Set(uint64_t done) {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_drawn_ < kRedrawEvery) return;
  last_drawn_ = now;
  Draw(done, now);
}

void Progress::Draw(uint64_t done, std::chrono::steady_clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / seconds;
  if (total_ == 0) {
    ShowLine("", fmt::format("{} {}  {:.0f}/s", done, what_, rate));
    return;
  }
  done = std::min(done, total_);
  const double share = static_cast<double>(done) / static_cast<double>(total_);
  const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
  const auto filled = std::min(kBarWidth, static_cast<size_t>(share * kBarWidth));
  ShowLine(fmt::format("[{:#<{}}{:.<{}}] ", "", filled, "", kBarWidth - filled),
           fmt::format("{}/{} {}  {:.0f}/s  {:.0f} s left", done, total_, what_, rate, left));
}

}  // namespace thresher::pipeline
