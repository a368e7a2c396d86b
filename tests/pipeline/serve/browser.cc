#include "tests/pipeline/serve/browser.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace thresher::pipeline {
namespace {

// In the browser's process: it reads commands from descriptor 3 and answers on 4.
[[noreturn]] void BecomeBrowser(int commands, int answers, const std::string& home) {
  // Out of the way of each other first.
  const int in = ::fcntl(commands, F_DUPFD, 10);
  const int out = ::fcntl(answers, F_DUPFD, 10);
  ::dup2(in, 3);
  ::dup2(out, 4);
  ::close(in);
  ::close(out);
  const int null = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(null, fd);
  ::setsid();
  ::setenv("HOME", home.c_str(), 1);
  const std::string profile = "--user-data-dir=" + home + "/profile";
  ::execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
           profile.c_str(), "about:blank", nullptr);
  ::_exit(127);
}

}  // namespace

bool Browser::IsInstalled() { return std::system("command -v chromium >/dev/null 2>&1") == 0; }

Browser::Browser(const std::string& home) {
  std::array<int, 2> commands{};
  std::array<int, 2> answers{};
  if (::pipe2(commands.data(), O_CLOEXEC) != 0 || ::pipe2(answers.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipes");
  pid_ = ::fork();
  if (pid_ == 0) BecomeBrowser(commands[0], answers[1], home);
  ::close(commands[0]);
  ::close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  const nlohmann::json target = Call("Target.createTarget", {{"url", "about:blank"}});
  session_ =
      Call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}}).at("sessionId");
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable", "Accessibility.enable"})
    Call(domain, nlohmann::json::object());
}

// Its children are of its group.
Browser::~Browser() {
  ::close(to_);
  ::close(from_);
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

nlohmann::json Browser::Read() {
  size_t end = 0;
  while ((end = bytes_.find('\0')) == std::string::npos) {
    std::array<char, 65536> part{};
    const ssize_t count = ::read(from_, part.data(), part.size());
    if (count <= 0) throw std::runtime_error("the browser has ended");
    bytes_.append(part.data(), static_cast<size_t>(count));
  }
  nlohmann::json message = nlohmann::json::parse(bytes_.substr(0, end));
  bytes_.erase(0, end + 1);
  return message;
}

nlohmann::json Browser::Call(const std::string& method, const nlohmann::json& parameters) {
  nlohmann::json command = {{"id", ++calls_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("the browser takes no commands");
  while (true) {
    const nlohmann::json message = Read();
    if (message.value("method", "") == "Log.entryAdded" &&
        message.at("params").at("entry").at("level") == "error")
      complaints_ += message.at("params").at("entry").at("text").get<std::string>() + "\n";
    if (message.value("method", "") == "Runtime.exceptionThrown")
      complaints_ += message.at("params").at("exceptionDetails").dump() + "\n";
    if (message.value("id", 0) != calls_) continue;
    if (message.contains("error")) throw std::runtime_error(method + ": " + message.at("error").dump());
    return message.at("result");
  }
}

void Browser::Resize(int width, int height, bool is_dark) {
  Call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", width < 600}});
  Call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-color-scheme"}, {"value", is_dark ? "dark" : "light"}}}}});
}

void Browser::Open(const std::string& url) {
  Call("Page.navigate", {{"url", "about:blank"}});  // another fragment would not be another page
  Call("Page.navigate", {{"url", url}});
  Await("document.readyState === 'complete' && location.href.startsWith('" + url + "')");
}

nlohmann::json Browser::Ask(const std::string& expression) {
  const nlohmann::json result =
      Call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  EXPECT_FALSE(result.contains("exceptionDetails")) << expression << "\n" << result.dump(1);
  return result.at("result").value("value", nlohmann::json());
}

void Browser::Await(const std::string& expression) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::minutes(3);
  while (Ask(expression) != nlohmann::json(true)) {
    if (Clock::now() > end) throw std::runtime_error("this did not become true: " + expression);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Browser::Press(const std::string& key) {
  nlohmann::json event = {{"key", key}, {"code", key == " " ? "Space" : key}};
  const int code = key == "Tab" ? 9 : key == "Enter" ? 13 : key == "Escape" ? 27 : key == " " ? 32 : 0;
  event["windowsVirtualKeyCode"] = code;
  if (key == "Enter") event["text"] = "\r";
  if (key == " ") event["text"] = " ";
  event["type"] = event.contains("text") ? "keyDown" : "rawKeyDown";
  Call("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  Call("Input.dispatchKeyEvent", event);
}

nlohmann::json Browser::AccessibilityTree() {
  return Call("Accessibility.getFullAXTree", nlohmann::json::object()).at("nodes");
}

}  // namespace thresher::pipeline
