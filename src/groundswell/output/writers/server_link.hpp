#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "groundswell/output/writers/byte_pool.hpp"
#include "groundswell/output/writers/executor.hpp"

/// The messages between a rank that computes and its server. Internal to the mode "servers".
namespace groundswell::output {

/// A server tells each client of every job when it has all of it and when it is done.
struct Notice {
    std::int64_t job = 0;  ///< counts the client's messages from 0
    bool done = false;     ///< else begun
};
inline constexpr int tag_job_length = 751, tag_job = 752, tag_notice = 753;

std::vector<std::byte> to_bytes(const Notice& notice, const WriterState& state);
Notice read_notice(const std::vector<std::byte>& bytes, WriterState& state);

/// A client's end: sends without waiting, and keeps each message until the server has taken it.
class ServerLink {
public:
    /// `server`: a rank of `bridge`, which must live as long as this. `speaks`: this client is the one that
    /// says it when the server is silent.
    ServerLink(MPI_Comm bridge, int server, std::string server_name, bool speaks);

    /// Returns at once.
    void send(std::vector<std::byte> message, std::int64_t value_bytes, const std::string& description);

    /// Memory for a message, of those that the server has.
    BytePool& memory() { return memory_; }

    /// Lets messages move and reads what the server has said. True when anything happened.
    bool poll();

    /// Messages sent and not yet done.
    std::int64_t outstanding() const { return sent_ - done_; }
    std::int64_t bytes_held() const { return bytes_held_; }
    const WriterState& state() const { return state_; }
    double last_sign() const { return last_sign_; }  ///< parallel::now() at the server's last notice
    const std::string& server_name() const { return server_name_; }
    bool speaks() const { return speaks_; }
    /// Activity of the server at its last sign.
    std::string doing() const;

private:
    struct Message {
        std::int64_t number = 0, length = 0, value_bytes = 0;
        std::vector<std::byte> bytes;
        std::vector<MPI_Request> requests;
        std::string description;
        bool sent = false, taken = false;  // the library needs it no more; the server has all of it
    };

    void read_notices();

    MPI_Comm bridge_;
    int server_;
    std::string server_name_;
    bool speaks_;
    std::deque<Message> messages_;                                   // not yet done, oldest first
    std::int64_t sent_ = 0, begun_ = 0, done_ = 0, bytes_held_ = 0;  // counts of messages
    BytePool memory_;
    WriterState state_;
    double last_sign_;
    bool heard_ = false;
};

}  // namespace groundswell::output
