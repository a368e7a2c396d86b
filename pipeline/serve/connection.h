// One client's connection: reads, has the session respond, writes; with every limit that a client could meet.
//
// A connection that waits for its client needs no buffer. What a request takes is counted, what its session
// keeps before the next one, what came behind it, and what its response takes that the client does not read.
// Made by Server. Thread-safety: works in the threads of its
// event loop, one at a time; Stop may be called from any thread.
#pragma once

#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/serve/session.h"

namespace thresher::pipeline {

struct ConnectionLimits {
  size_t connections;    // of all clients
  size_t request_bytes;  // of one request, with its header
  size_t held_bytes;     // of all requests and responses, and what waits behind them
  std::chrono::milliseconds request;
  std::chrono::milliseconds idle;
  std::chrono::milliseconds patience;  // the same of sessions that are patient
  // A client that has not read its last response yet gets it only if the rest of what it sends is read, too:
  // for so long.
  std::chrono::milliseconds drain{2000};
};

// What all connections of a server have in common.
struct Traffic {
  ConnectionLimits limits;
  std::atomic<size_t> held_bytes = 0;
  std::atomic<bool> stopping = false;
  std::atomic<bool> moves = true;  // set when a thread comes to a request
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Strand = boost::asio::strand<boost::asio::io_context::executor_type>;
  using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, Strand>;

  // traffic must outlive it. on_close is called once.
  Connection(Socket socket, std::unique_ptr<Session> session, Traffic& traffic,
             std::function<void(Connection*)> on_close);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Start();
  // Ends the connection when the request that has begun has its response; at once if none has.
  void Stop();

 private:
  enum class State { kIdle, kRequest, kResponding, kWriting, kDraining, kClosed };
  using Handler = void (Connection::*)();

  void Enter(State state, std::chrono::milliseconds limit);
  void WatchTime();
  void OnTime();
  void Await(Socket::wait_type what, Handler then);
  void Later(Handler then);
  void Read();
  bool Reads() const;
  std::chrono::milliseconds IdleLimit() const;
  void Feed(std::string_view bytes);
  void FeedEnd();
  bool TakeOrRefuse(const std::function<void()>& take);
  bool HasSent();
  void Rest();
  bool Hold(size_t bytes);
  void LetGo();
  void DropLeftover();
  void TakeLeftover();
  void Go();
  void Respond();
  void Answer(Response response);
  void Refuse(Trouble trouble);
  void Write(Response response);
  void WriteRest();
  void OnWritten();
  void Drain();
  void Close();

  Socket socket_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                    boost::asio::wait_traits<std::chrono::steady_clock>, Strand>
      timer_;
  std::unique_ptr<Session> session_;
  Traffic* traffic_;
  std::function<void(Connection*)> on_close_;

  State state_ = State::kIdle;
  std::chrono::steady_clock::time_point deadline_ = {};
  size_t taken_ = 0;      // bytes of the present request
  size_t held_ = 0;       // bytes that count for it, or for its response, and for what is behind it
  std::string leftover_;  // bytes behind it
  bool at_end_ = false;   // the client sends no more
  bool is_watched_ = false;
  Response response_;
  size_t written_ = 0;  // of its bytes
};

}  // namespace thresher::pipeline
