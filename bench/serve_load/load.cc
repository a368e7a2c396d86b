#include "bench/serve_load/load.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "bench/must.h"
#include "bench/serve_load/times.h"
#include "pipeline/serve/unix_address.h"

namespace thresher::bench {
namespace {

constexpr std::chrono::milliseconds kSlowStep{50};
constexpr std::chrono::seconds kGiveUp{30};  // after the last request began
constexpr int kEvents = 256;
// With so many connections the client rests between looks: it shares processors with the server, and being
// woken for each answer costs both of them more than the answer does. Times are too long by a rest at most.
constexpr size_t kRestsFrom = 16;
constexpr timespec kRest{.tv_sec = 0, .tv_nsec = 200'000};

// Where a server listens.
class Address {
 public:
  explicit Address(const std::string& text) {
    const size_t colon = text.rfind(':');
    if (text.starts_with('/')) {
      const auto address = pipeline::UnixAddress::Of(text);
      if (!address) GiveUp(text + " is no path of a socket");
      std::memcpy(&any_, address->get(), pipeline::UnixAddress::size());
      size_ = pipeline::UnixAddress::size();
      return;
    }
    auto* to = reinterpret_cast<sockaddr_in*>(&any_);
    to->sin_family = AF_INET;
    if (colon == std::string::npos || inet_pton(AF_INET, text.substr(0, colon).c_str(), &to->sin_addr) != 1)
      GiveUp(text + " is no address; expected a path or 127.0.0.1:PORT");
    to->sin_port = htons(static_cast<uint16_t>(std::stoi(text.substr(colon + 1))));
    size_ = sizeof *to;
  }

  // A socket that is connected or will be; -1 if the server's queue is full (errno is EAGAIN) or there is
  // none.
  int Connect() const {
    const int fd = ::socket(any_.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) GiveUp(std::string("socket: ") + std::strerror(errno));
    if (any_.ss_family == AF_INET) {
      const int on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&any_), size_) == 0 || errno == EINPROGRESS)
      return fd;
    const int reason = errno;
    ::close(fd);
    errno = reason;
    return -1;
  }

 private:
  sockaddr_storage any_ = {};
  socklen_t size_ = 0;
};

// One client, which uses one connection at a time.
struct Slot {
  int fd = -1;
  bool is_asking = false;
  bool waits_to_write = false;
  size_t message = 0;
  std::string request;
  size_t sent = 0;
  std::string received;
  Clock::time_point begin;
};

class Load {
 public:
  Load(const LoadOptions& options, const std::vector<SentMessage>& messages)
      : options_(options), messages_(messages), address_(options.at), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    slots_.resize(options.connections);
    ::prctl(PR_SET_TIMERSLACK, 1);  // ns that a wait may be late
  }
  ~Load() {
    for (const Slot& slot : slots_)
      if (slot.fd >= 0) ::close(slot.fd);
    ::close(epoll_);
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  LoadResult Run();

 private:
  bool MayBegin() const;
  Clock::time_point DueTime() const;
  void BeginWhatIsDue();
  bool Begin(Slot* slot, Clock::time_point due);
  bool Connect(Slot* slot);
  void Send(Slot* slot);
  void SendSlowly();
  size_t BytesToSend(const Slot& slot) const;
  void Receive(Slot* slot);
  void Finish(Slot* slot, const Answer& answer, bool at_end);
  void Disconnect(Slot* slot);
  void Await(Slot* slot, bool to_write);
  timespec Patience() const;

  const LoadOptions& options_;
  const std::vector<SentMessage>& messages_;
  Address address_;
  int epoll_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_;  // slots that ask nothing
  size_t begun_ = 0;          // requests
  size_t open_ = 0;           // of them, not answered
  Clock::time_point start_ = Clock::now();
  Clock::time_point stepped_ = start_;
  LoadResult result_;
};

LoadResult Load::Run() {
  for (size_t i = slots_.size(); i > 0; --i) free_.push_back(i - 1);
  std::array<epoll_event, kEvents> events;
  Clock::time_point last = start_;  // when a request might still begin
  while (true) {
    BeginWhatIsDue();
    if (MayBegin()) last = Clock::now();
    if (!MayBegin() && (open_ == 0 || options_.manner != Manner::kSound || Clock::now() - last > kGiveUp))
      break;
    if (options_.manner == Manner::kSound && slots_.size() >= kRestsFrom) ::nanosleep(&kRest, nullptr);
    const timespec patience = Patience();
    const int count = ::epoll_pwait2(epoll_, events.data(), kEvents, &patience, nullptr);
    for (int i = 0; i < count; ++i) {
      Slot* slot = &slots_[events[static_cast<size_t>(i)].data.u64];
      if (slot->waits_to_write) Send(slot);
      Receive(slot);
    }
    SendSlowly();
  }
  result_.failed += options_.manner == Manner::kSound ? open_ : 0;
  result_.seconds = MillisecondsSince(start_) / 1000;
  std::sort(result_.milliseconds.begin(), result_.milliseconds.end());
  return std::move(result_);
}

bool Load::MayBegin() const {
  if (options_.seconds == 0) return begun_ < messages_.size();
  return MillisecondsSince(start_) < options_.seconds * 1000;
}

// When the next request is to begin.
Clock::time_point Load::DueTime() const {
  if (options_.rate == 0) return Clock::now();
  const std::chrono::duration<double> after(static_cast<double>(begun_) / options_.rate);
  return start_ + std::chrono::duration_cast<Clock::duration>(after);
}

void Load::BeginWhatIsDue() {
  while (!free_.empty() && MayBegin()) {
    const Clock::time_point due = DueTime();
    if (due > Clock::now()) return;
    Slot* slot = &slots_[free_.back()];
    if (!Begin(slot, due)) return;  // tried again after a wait
    free_.pop_back();
  }
}

// False if there is no connection to be had now.
bool Load::Begin(Slot* slot, Clock::time_point due) {
  const bool is_new = slot->fd < 0;
  if (is_new && !Connect(slot)) {
    if (errno == EAGAIN) return false;
    ++begun_;  // nobody listens
    ++result_.failed;
    return false;
  }
  slot->is_asking = true;
  slot->message = begun_++ % messages_.size();
  slot->request = RequestFor(options_.ask, messages_[slot->message], is_new);
  slot->sent = 0;
  slot->received.clear();
  slot->begin = due;
  ++open_;
  Send(slot);
  return true;
}

bool Load::Connect(Slot* slot) {
  slot->fd = address_.Connect();
  if (slot->fd < 0) return false;
  ++result_.connected;
  slot->waits_to_write = false;
  epoll_event event{.events = EPOLLIN, .data = {.u64 = static_cast<uint64_t>(slot - slots_.data())}};
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, slot->fd, &event);
  return true;
}

// How much of its request a client has sent at most, by its manner.
size_t Load::BytesToSend(const Slot& slot) const {
  switch (options_.manner) {
    case Manner::kSound:
      return slot.request.size();
    case Manner::kSlow:
      return std::min(slot.request.size(),
                      static_cast<size_t>(MillisecondsSince(slot.begin) / kSlowStep.count()));
    case Manner::kUnfinished:
      return slot.request.size() / 2;
    case Manner::kIdle:
      break;
  }
  return 0;
}

void Load::Send(Slot* slot) {
  const size_t end = BytesToSend(*slot);
  while (slot->sent < end) {
    const ssize_t count = ::send(slot->fd, slot->request.data() + slot->sent, end - slot->sent, MSG_NOSIGNAL);
    if (count < 0 && (errno == EAGAIN || errno == ENOTCONN)) return Await(slot, true);
    if (count < 0) break;  // it has been refused; the answer may say why
    slot->sent += static_cast<size_t>(count);
  }
  // As spamc does.
  if (options_.ask == Ask::kSpamd && slot->sent == slot->request.size()) ::shutdown(slot->fd, SHUT_WR);
  Await(slot, false);
}

void Load::SendSlowly() {
  if (options_.manner != Manner::kSlow || Clock::now() - stepped_ < kSlowStep) return;
  stepped_ = Clock::now();
  for (Slot& slot : slots_)
    if (slot.is_asking) Send(&slot);
}

void Load::Await(Slot* slot, bool to_write) {
  if (slot->waits_to_write == to_write) return;
  slot->waits_to_write = to_write;
  epoll_event event{.events = EPOLLIN | (to_write ? EPOLLOUT : 0U),
                    .data = {.u64 = static_cast<uint64_t>(slot - slots_.data())}};
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, slot->fd, &event);
}

void Load::Receive(Slot* slot) {
  std::array<char, 65536> buffer;
  while (slot->fd >= 0) {
    const ssize_t count = ::recv(slot->fd, buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == ENOTCONN)) return;
    const bool at_end = count <= 0;
    if (!at_end) slot->received.append(buffer.data(), static_cast<size_t>(count));
    if (!slot->is_asking) return Disconnect(slot);  // an idle connection is closed by the server
    const Answer answer = AnswerIn(options_.ask, slot->received, at_end);
    if (answer.is_complete || at_end) return Finish(slot, answer, at_end);
  }
}

void Load::Finish(Slot* slot, const Answer& answer, bool at_end) {
  --open_;
  slot->is_asking = false;
  free_.push_back(static_cast<size_t>(slot - slots_.data()));
  const bool is_right = answer.is_complete && answer.is_right;
  if (is_right || options_.manner != Manner::kSound)
    result_.milliseconds.push_back(MillisecondsSince(slot->begin));
  if (is_right) {
    result_.answered.push_back(slot->message);
  } else {
    ++result_.failed;
  }
  if (at_end) ++result_.ended;
  if (at_end || !answer.keeps) Disconnect(slot);
}

void Load::Disconnect(Slot* slot) {
  ::close(slot->fd);
  slot->fd = -1;
}

// How long to wait for events. At a rate the next request is due soon: to wait in whole milliseconds would
// mean to spin, on a processor that the server needs.
timespec Load::Patience() const {
  constexpr std::chrono::nanoseconds kLong = std::chrono::milliseconds(100);
  std::chrono::nanoseconds wait = kLong;
  if (free_.empty()) {
    if (options_.manner == Manner::kSlow) wait = kSlowStep;
  } else if (MayBegin()) {
    const std::chrono::nanoseconds least = std::chrono::milliseconds(options_.rate == 0 ? 1 : 0);
    wait = std::clamp<std::chrono::nanoseconds>(DueTime() - Clock::now(), least, kLong);
  }
  return {.tv_sec = 0, .tv_nsec = wait.count()};
}

}  // namespace

LoadResult RunLoad(const LoadOptions& options, const std::vector<SentMessage>& messages) {
  return Load(options, messages).Run();
}

}  // namespace thresher::bench
