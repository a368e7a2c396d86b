#include <cassert>

#include "pipeline/generate/generate.h"
#include "pipeline/generate/ham.h"
#include "pipeline/generate/spam.h"
#include "pipeline/generate/world.h"

namespace thresher::pipeline {
namespace {

constexpr double kAmbiguousShare = 0.015;  // of either class

}  // namespace

struct MailGenerator::State {
  State(uint64_t seed, double fraction) : world(seed), spammers(world), spam_fraction(fraction) {}

  synthetic::World world;
  synthetic::Spammers spammers;
  double spam_fraction;
};

MailGenerator::MailGenerator(uint64_t seed, double spam_fraction)
    : state_(std::make_unique<State>(seed, spam_fraction)) {
  assert(spam_fraction >= 0 && spam_fraction <= 1);
}
MailGenerator::~MailGenerator() = default;
MailGenerator::MailGenerator(MailGenerator&&) noexcept = default;
MailGenerator& MailGenerator::operator=(MailGenerator&&) noexcept = default;

SyntheticMessage MailGenerator::Next() {
  synthetic::World& world = state_->world;
  SyntheticMessage message;
  message.spam = world.random.Chance(state_->spam_fraction);
  if (world.random.Chance(kAmbiguousShare)) {
    message.bytes = synthetic::WriteAmbiguous(world);
  } else {
    message.bytes = message.spam ? state_->spammers.Write(world) : synthetic::WriteHam(world);
  }
  world.Advance();
  return message;
}

}  // namespace thresher::pipeline
