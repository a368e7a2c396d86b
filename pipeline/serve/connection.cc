#include "pipeline/serve/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/defer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

namespace thresher::pipeline {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr size_t kReadBytes = size_t{64} << 10;
constexpr int kReadsInTurn = 16;
// A smaller response is not refused: the model may have changed, and the client must hear of it.
constexpr size_t kSmallResponse = size_t{64} << 10;

}  // namespace

Connection::Connection(Socket socket, std::unique_ptr<Session> session, Traffic& traffic,
                       std::function<void(Connection*)> on_close)
    : socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      session_(std::move(session)),
      traffic_(&traffic),
      on_close_(std::move(on_close)) {}

Connection::~Connection() {
  DropLeftover();
  LetGo();
}

// In any thread: its request may have come already, and whoever accepts must not judge it first.
void Connection::Start() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    if (self->state_ == State::kClosed) return;  // stopped before it started
    error_code ignored;
    self->socket_.non_blocking(true, ignored);
    // Accepted while others were stopped: what it has sent already was sent before it could be refused.
    if (self->traffic_->stopping && !self->HasSent()) return self->Close();
    self->Enter(State::kIdle, self->IdleLimit());
    self->Read();
  });
}

bool Connection::HasSent() {
  error_code error;
  return socket_.available(error) > 0 && !error;
}

void Connection::Stop() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    if (self->state_ == State::kIdle && !self->HasSent()) self->Close();
  });
}

void Connection::Enter(State state, std::chrono::milliseconds limit) {
  state_ = state;
  deadline_ = Clock::now() + limit;
}

// Whoever waits for the client calls it: many requests are answered without. One timer for many requests: a
// deadline that has moved on is looked at when it ends.
void Connection::WatchTime() {
  if (is_watched_ && deadline_ >= timer_.expiry()) return;
  is_watched_ = true;
  timer_.expires_at(deadline_);
  timer_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (self && !error) self->OnTime();
  });
}

void Connection::OnTime() {
  is_watched_ = false;
  if (state_ == State::kClosed) return;
  if (state_ == State::kResponding) return;  // the service answers always; Write watches again
  if (Clock::now() < deadline_) return WatchTime();
  if (state_ == State::kRequest) return Refuse(Trouble::kTooSlow);
  if (state_ == State::kIdle && HasSent()) return;  // a request, which is read next
  Close();
}

void Connection::Await(Socket::wait_type what, Handler then) {
  WatchTime();
  socket_.async_wait(what, [self = shared_from_this(), then](error_code error) {
    if (self->state_ == State::kClosed) return;
    if (error) return self->Close();
    ((*self).*then)();
  });
}

// Not if it has been refused meanwhile.
bool Connection::Reads() const { return state_ == State::kIdle || state_ == State::kRequest; }

std::chrono::milliseconds Connection::IdleLimit() const {
  return session_->IsPatient() ? traffic_->limits.patience : traffic_->limits.idle;
}

void Connection::Read() {
  if (!Reads()) return;
  std::array<char, kReadBytes> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is large
  for (int reads = 0; !at_end_ && !session_->HasRequest(); ++reads) {
    if (reads == kReadsInTurn) return Later(&Connection::Read);
    error_code error;
    const size_t count = socket_.read_some(asio::buffer(buffer), error);
    if (error == asio::error::would_block) return Await(Socket::wait_read, &Connection::Read);
    if (error && error != asio::error::eof) return Close();
    error ? FeedEnd() : Feed({buffer.data(), count});
    if (!Reads()) return;
  }
  Go();
}

// Others wait, however fast this client sends.
void Connection::Later(Handler then) {
  WatchTime();
  asio::post(socket_.get_executor(), [self = shared_from_this(), then] {
    if (self->state_ != State::kClosed) ((*self).*then)();
  });
}

// Gives the session what it takes, and keeps the rest for later.
void Connection::Feed(std::string_view bytes) {
  if (state_ == State::kIdle) Enter(State::kRequest, traffic_->limits.request);
  const bool is_taken = TakeOrRefuse([&] {
    const size_t taken = session_->Take(bytes);
    taken_ += taken;
    leftover_.append(bytes.substr(taken));
  });
  if (!is_taken) return;
  if (std::string interim = session_->TakeInterim(); !interim.empty()) {
    error_code ignored;  // a few bytes, to a client that waits for them
    socket_.write_some(asio::buffer(interim), ignored);
  }
  if (!session_->HasRequest() && session_->IsAtRest()) Rest();
}

void Connection::FeedEnd() {
  at_end_ = true;
  TakeOrRefuse([&] { session_->TakeEnd(); });
}

// False if the request is refused.
bool Connection::TakeOrRefuse(const std::function<void()>& take) {
  bool fits = false;
  size_t of_request = 0;
  try {
    take();
    of_request = session_->Held(taken_);
    fits = Hold(of_request);
  } catch (const std::exception&) {  // out of memory
  }
  const bool is_too_large = of_request > traffic_->limits.request_bytes;
  if (fits && !is_too_large) return true;
  Refuse(is_too_large ? Trouble::kTooLarge : Trouble::kCrowded);
  return false;
}

// What the session keeps goes on to count: it may rest for hours. It fitted when it came.
void Connection::Rest() {
  taken_ = 0;
  Hold(session_->Held(taken_));
  if (traffic_->stopping) return Close();
  Enter(State::kIdle, IdleLimit());
}

// Whether there is room beside all others for so many bytes and for what is left over.
bool Connection::Hold(size_t bytes) {
  bytes += leftover_.size();
  const size_t all = traffic_->held_bytes += bytes - held_;  // either may be more
  held_ = bytes;
  return all <= traffic_->limits.held_bytes;
}

// Of the request and its response.
void Connection::LetGo() {
  taken_ = 0;
  Hold(0);
}

void Connection::DropLeftover() { std::string().swap(leftover_); }

void Connection::Go() {
  if (session_->HasRequest()) return Respond();
  Close();  // the end, and no request
}

void Connection::Respond() {
  traffic_->moves = true;
  state_ = State::kResponding;
  try {
    session_->Respond([self = shared_from_this()](Response response) {
      asio::dispatch(self->socket_.get_executor(),
                     [self, response = std::move(response)]() mutable { self->Answer(std::move(response)); });
    });
  } catch (const std::exception&) {
    Refuse(Trouble::kCrowded);
  }
}

// The session has let go of the request.
void Connection::Answer(Response response) {
  LetGo();
  const size_t bytes = response.bytes.size();
  const bool has_room = traffic_->held_bytes + bytes <= traffic_->limits.held_bytes;
  if (!has_room && bytes > kSmallResponse) return Refuse(Trouble::kCrowded);
  Write(std::move(response));
}

void Connection::Refuse(Trouble trouble) {
  DropLeftover();
  Write({.bytes = session_->Refusal(trouble), .closes = true});
}

void Connection::Write(Response response) {
  if (state_ == State::kClosed) return;
  response_ = std::move(response);
  written_ = 0;
  Enter(State::kWriting, traffic_->limits.request);
  WriteRest();
}

void Connection::WriteRest() {
  error_code error;
  while (written_ < response_.bytes.size()) {
    written_ += socket_.write_some(asio::buffer(response_.bytes) + written_, error);
    if (error == asio::error::would_block) {
      Hold(response_.bytes.size());  // as long as the client does not read
      return Await(Socket::wait_write, &Connection::WriteRest);
    }
    if (error) return Close();
  }
  if (response_.closes) return OnWritten();
  // The session may take more when it has returned; and others wait, however many requests this client sent.
  asio::defer(socket_.get_executor(), [self = shared_from_this()] {
    if (self->state_ != State::kClosed) self->OnWritten();
  });
}

void Connection::OnWritten() {
  std::string().swap(response_.bytes);  // an empty string that is assigned would leave its memory here
  if (response_.closes || at_end_) DropLeftover();
  LetGo();
  if (response_.closes || at_end_ || (traffic_->stopping && leftover_.empty())) {
    error_code error;
    socket_.shutdown(Socket::shutdown_send, error);
    if (error || at_end_) return Close();
    Enter(State::kDraining, traffic_->limits.drain);
    return Drain();
  }
  Enter(State::kIdle, IdleLimit());
  TakeLeftover();
  if (Reads()) Read();
}

// Requests may follow each other without a wait for the response.
void Connection::TakeLeftover() {
  if (leftover_.empty()) return;
  const std::string bytes = std::exchange(leftover_, {});
  Feed(bytes);
}

void Connection::Drain() {
  std::array<char, kReadBytes> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is large
  for (int reads = 0; reads < kReadsInTurn; ++reads) {
    error_code error;
    socket_.read_some(asio::buffer(buffer), error);
    if (error == asio::error::would_block) return Await(Socket::wait_read, &Connection::Drain);
    if (error) return Close();
  }
  Later(&Connection::Drain);
}

void Connection::Close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  DropLeftover();
  LetGo();  // before the client hears of it, and comes again
  error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  on_close_(this);
}

}  // namespace thresher::pipeline
