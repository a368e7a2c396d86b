// What the command line says about itself: every command, flag and text of the help, as plain values.
//
// Made by CommandLine::Describe; read by manual_page.h and completion.h, so that these say what `--help`
// says. Thread-safety: plain values.
#pragma once

#include <string>
#include <vector>

namespace thresher::pipeline {

struct FlagText {
  std::vector<std::string> names = {};  // "--top"; of an argument its one name, "PATH"
  bool is_argument = false;
  std::string value = {};               // what its value is called: "TEXT", "NUMBER"; empty if it has none
  std::string expected = {};            // "a number from 0 to 1", or empty
  std::vector<std::string> words = {};  // if not empty, the value is one of these
  std::string default_value = {};
  std::string help = {};
  bool is_required = false;
  bool is_repeated = false;
};

struct FlagGroupText {
  std::string title = {};  // empty for the flags that are in no group
  std::string help = {};
  std::vector<FlagText> flags = {};
  bool is_required = false;  // at least one of its flags
};

struct CommandText {
  std::string name = {};
  std::string help = {};    // one line
  std::string footer = {};  // paragraphs; one that begins with a space is shown as it is
  std::vector<FlagGroupText> groups = {};
};

struct ProgramText {
  CommandText program = {};  // its own flags
  std::vector<CommandText> commands = {};
};

}  // namespace thresher::pipeline
