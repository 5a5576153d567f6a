#include "groundswell/output/writers/server_link.hpp"

#include <algorithm>

#include "groundswell/output/writers/wire.hpp"
#include "groundswell/parallel/message_pieces.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::output {

namespace {

// Written as constants, read into variables.
void pass_notice(auto& wire, auto& notice, auto& state) {
    wire(notice.job, notice.done, state.records, state.bytes, state.writing_seconds, state.setup_seconds,
         state.idle_seconds, state.idle_queue_seconds, state.idle_processor_seconds, state.failure.code,
         state.failure.message, state.newest, state.given_up, state.files);
}

}  // namespace

std::vector<std::byte> to_bytes(const Notice& notice, const WriterState& state) {
    ByteWriter bytes;
    pass_notice(bytes, notice, state);
    return bytes.take();
}

Notice read_notice(const std::vector<std::byte>& bytes, WriterState& state) {
    ByteReader reader(bytes);
    Notice notice;
    pass_notice(reader, notice, state);
    return notice;
}

ServerLink::ServerLink(MPI_Comm bridge, int server, std::string server_name, bool speaks)
    : bridge_(bridge),
      server_(server),
      server_name_(std::move(server_name)),
      speaks_(speaks),
      last_sign_(parallel::now()) {}

void ServerLink::send(std::vector<std::byte> bytes, std::int64_t value_bytes,
                      const std::string& description) {
    messages_.push_back({});
    Message& message = messages_.back();
    message.number = sent_++;
    message.length = static_cast<std::int64_t>(bytes.size());
    message.value_bytes = value_bytes;
    message.bytes = std::move(bytes);
    message.description = description;
    bytes_held_ += value_bytes;
    const auto post = [&](const void* data, int count, MPI_Datatype type, int tag) {
        parallel::check(MPI_Isend(data, count, type, server_, tag, bridge_,
                                  &message.requests.emplace_back(MPI_REQUEST_NULL)),
                        "send output to a server");
    };
    post(&message.length, 1, MPI_INT64_T, tag_job_length);
    parallel::for_each_piece(message.length, [&](std::int64_t at, int count) {
        post(message.bytes.data() + at, count, MPI_BYTE, tag_job);
    });
}

void ServerLink::read_notices() {
    while (true) {
        int there = 0;
        MPI_Status status;
        parallel::check(MPI_Iprobe(server_, tag_notice, bridge_, &there, &status), "hear from a server");
        if (there == 0) return;
        int count = 0;
        parallel::check(MPI_Get_count(&status, MPI_BYTE, &count), "hear from a server");
        std::vector<std::byte> bytes(count);
        parallel::check(
            MPI_Recv(bytes.data(), count, MPI_BYTE, server_, tag_notice, bridge_, MPI_STATUS_IGNORE),
            "hear from a server");
        const Notice notice = read_notice(bytes, state_);
        begun_ = std::max(begun_, notice.job + 1);
        if (notice.done) done_ = notice.job + 1;
        last_sign_ = parallel::now();
        heard_ = true;
    }
}

bool ServerLink::poll() {
    heard_ = false;
    read_notices();
    bool moved = heard_;
    for (Message& message : messages_) {
        if (!message.sent) {
            int all = 0;
            parallel::check(MPI_Testall(static_cast<int>(message.requests.size()), message.requests.data(),
                                        &all, MPI_STATUSES_IGNORE),
                            "send output to a server");
            message.sent = all != 0;
            moved = moved || message.sent;
        }
        if (message.sent && !message.taken && message.number < begun_) {
            message.taken = true;
            bytes_held_ -= message.value_bytes;
            memory_.give(std::move(message.bytes));
        }
    }
    while (!messages_.empty() && messages_.front().taken && messages_.front().number < done_)
        messages_.pop_front();
    return moved;
}

std::string ServerLink::doing() const {
    if (messages_.empty()) return "waiting for values";
    if (begun_ == done_) return "waiting, and has not begun with " + messages_.front().description;
    return messages_.front().description;
}

}  // namespace groundswell::output
