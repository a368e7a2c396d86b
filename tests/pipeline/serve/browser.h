// A headless Chromium that a test drives, by the DevTools protocol over a pair of pipes.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace thresher::pipeline {

class Browser {
 public:
  static bool IsInstalled();
  // `home`: a folder for its profile.
  explicit Browser(const std::string& home);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void Resize(int width, int height, bool is_dark = false);
  void Open(const std::string& url);
  // The value of an expression, once a promise that it gives is kept. Fails the test if it throws.
  nlohmann::json Ask(const std::string& expression);
  // Until an expression is true; fails the test if that takes minutes.
  void Await(const std::string& expression);
  // A key press as a person does it: "Tab", "Enter", "Escape", " ".
  void Press(const std::string& key);
  // What assistive technology is told: role and name of each node.
  nlohmann::json AccessibilityTree();
  // What the page wrote to the console as errors, among them what its policy forbids.
  const std::string& complaints() const { return complaints_; }

 private:
  nlohmann::json Call(const std::string& method, const nlohmann::json& parameters);
  nlohmann::json Read();

  int pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int calls_ = 0;
  std::string session_;
  std::string bytes_;  // read and not yet understood
  std::string complaints_;
};

}  // namespace thresher::pipeline
