#include "pipeline/serve/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <cerrno>
#include <csignal>
#include <exception>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thresher::pipeline {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// After descriptors ran out, or another error that does not pass at once.
constexpr std::chrono::milliseconds kAcceptAgain{100};
constexpr std::chrono::milliseconds kLookAgain{20};

}  // namespace

struct Server::Loop {
  // A socket that listens, and what its clients speak. What touches the socket runs in a strand: another
  // thread may be accepting when the server stops.
  struct Door {
    Door(asio::io_context& io, ListeningSocket opened, MakeSession make)
        : socket(std::move(opened)),
          waiting(asio::make_strand(io), socket.fd()),
          timer(waiting.get_executor()),
          make_session(std::move(make)) {}
    ~Door() {
      try {
        Close();
      } catch (const std::exception&) {  // of asio, which lets go of what it has in any case
      }
    }
    void Close() {
      waiting.release();  // the socket closes it
      socket.Close();
      timer.cancel();
    }
    ListeningSocket socket;
    asio::posix::stream_descriptor waiting;
    asio::steady_timer timer;
    MakeSession make_session;
  };

  Loop(const ConnectionLimits& limits, Hooks with)
      : signals(aside), beat(aside), stop_timer(aside), hooks(std::move(with)) {
    traffic.limits = limits;
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) signals.add(signal);
    HearSignals();
  }

  void Accept(Door& door);
  void AcceptAll(Door& door);
  void Add(Door& door, int fd);
  void HearSignals();
  void Beat();
  void Stop();
  void LookWhetherDone();

  Traffic traffic;      // before io, which may hold connections to the end
  asio::io_context io;  // of clients
  asio::executor_work_guard<asio::io_context::executor_type> until_stopped{io.get_executor()};
  asio::io_context aside;  // of what must not wait for clients, who may hold all threads for a while
  asio::signal_set signals;
  asio::steady_timer beat;
  asio::steady_timer stop_timer;
  Hooks hooks;
  std::mutex doors_mutex;  // of `doors` and is_running
  std::list<Door> doors;
  bool is_running = false;
  std::chrono::milliseconds grace{0};
  std::chrono::steady_clock::time_point give_up = {};

  std::mutex mutex;  // of `open`
  std::unordered_map<Connection*, std::shared_ptr<Connection>> open;
};

void Server::Loop::Accept(Door& door) {
  door.waiting.async_wait(asio::posix::stream_descriptor::wait_read, [this, &door](error_code error) {
    if (error || traffic.stopping) return;
    AcceptAll(door);
  });
}

// Several at a time, but not so many that those already here wait for long.
void Server::Loop::AcceptAll(Door& door) {
  for (int i = 0; i < 16 && !traffic.stopping; ++i) {
    const int fd = ::accept4(door.waiting.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
      Add(door, fd);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      door.timer.expires_after(kAcceptAgain);
      door.timer.async_wait([this, &door](error_code error) {
        if (!error) Accept(door);
      });
      return;
    }
  }
  Accept(door);
}

void Server::Loop::Add(Door& door, int fd) {
  std::unique_ptr<Session> session = door.make_session(PeerOf(fd, door.socket.over_tcp()));
  std::unique_lock lock(mutex);
  if (open.size() >= traffic.limits.connections) {
    lock.unlock();
    const std::string refusal = session->Refusal(Trouble::kCrowded);
    static_cast<void>(::send(fd, refusal.data(), refusal.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    ::close(fd);
    return;
  }
  Connection::Socket socket(asio::make_strand(io), asio::generic::stream_protocol(AF_UNSPEC, SOCK_STREAM),
                            fd);
  const auto connection = std::make_shared<Connection>(std::move(socket), std::move(session), traffic,
                                                       [this](Connection* closed) {
                                                         const std::lock_guard closing(mutex);
                                                         open.erase(closed);
                                                       });
  open.emplace(connection.get(), connection);
  lock.unlock();
  connection->Start();
}

void Server::Loop::HearSignals() {
  signals.async_wait([this](error_code error, int signal) {
    if (error) return;
    if (signal != SIGHUP) return Stop();
    hooks.on_reload();
    HearSignals();
  });
}

// The threads of clients must come to something from one beat to the next, if only to what is posted here.
void Server::Loop::Beat() {
  if (hooks.beat.count() == 0) return;
  if (traffic.moves.exchange(false)) hooks.on_beat();
  asio::post(io, [this] { traffic.moves = true; });
  beat.expires_after(hooks.beat);
  beat.async_wait([this](error_code error) {
    if (!error) Beat();
  });
}

void Server::Loop::Stop() {
  if (traffic.stopping.exchange(true)) return;
  hooks.on_stop();
  give_up = std::chrono::steady_clock::now() + grace;
  {
    const std::lock_guard lock(doors_mutex);
    for (Door& door : doors) {
      asio::dispatch(door.waiting.get_executor(), [&door] { door.Close(); });
    }
  }
  {
    const std::lock_guard lock(mutex);
    for (const auto& [address, connection] : open) connection->Stop();
  }
  LookWhetherDone();
}

void Server::Loop::LookWhetherDone() {
  {
    const std::lock_guard lock(mutex);
    if (open.empty() || std::chrono::steady_clock::now() >= give_up) {
      io.stop();
      return aside.stop();
    }
  }
  stop_timer.expires_after(kLookAgain);
  stop_timer.async_wait([this](error_code) { LookWhetherDone(); });
}

Server::Server(const ConnectionLimits& limits, Hooks hooks)
    : loop_(std::make_unique<Loop>(limits, std::move(hooks))) {}

Server::~Server() = default;

void Server::Listen(ListeningSocket socket, MakeSession make_session) {
  const std::lock_guard lock(loop_->doors_mutex);
  if (loop_->traffic.stopping) return;
  loop_->doors.emplace_back(loop_->io, std::move(socket), std::move(make_session));
  if (loop_->is_running) loop_->Accept(loop_->doors.back());
}

void Server::Run(size_t threads, std::chrono::milliseconds grace) {
  loop_->grace = grace;
  {
    const std::lock_guard lock(loop_->doors_mutex);
    loop_->is_running = true;
    for (Loop::Door& door : loop_->doors) loop_->Accept(door);
  }
  loop_->Beat();
  std::vector<std::thread> others;
  for (size_t i = 0; i < threads; ++i) others.emplace_back([this] { loop_->io.run(); });
  loop_->aside.run();
  for (std::thread& other : others) other.join();
  const std::lock_guard lock(loop_->doors_mutex);
  loop_->doors.clear();  // those that no thread came to close
}

bool Server::HearsStop() {
  loop_->aside.poll();
  return loop_->traffic.stopping;
}

void Server::Stop() {
  boost::asio::post(loop_->aside, [this] { loop_->Stop(); });
}

size_t Server::connections() const {
  const std::lock_guard lock(loop_->mutex);
  return loop_->open.size();
}

}  // namespace thresher::pipeline
