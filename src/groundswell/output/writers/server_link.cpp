#include "groundswell/output/writers/server_link.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/writers/wire.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::output {

std::vector<std::byte> to_bytes(const Notice& notice, const WriterState& state) {
    ByteWriter bytes;
    bytes.put(notice.job);
    bytes.put(notice.done);
    bytes.put(state.records);
    bytes.put(state.bytes);
    bytes.put(state.writing_seconds);
    bytes.put(state.setup_seconds);
    bytes.put(state.idle_seconds);
    bytes.put(state.idle_queue_seconds);
    bytes.put(state.idle_processor_seconds);
    bytes.put(state.failure.code);
    bytes.put(state.failure.message);
    bytes.put(state.newest);
    bytes.put(static_cast<std::int64_t>(state.given_up.size()));
    for (const std::string& each : state.given_up) bytes.put(each);
    bytes.put(static_cast<std::int64_t>(state.files.size()));
    for (const auto& [path, work] : state.files) {
        bytes.put(path);
        bytes.put(work.records);
        bytes.put(work.bytes);
        bytes.put(work.seconds);
    }
    return bytes.take();
}

Notice read_notice(const std::vector<std::byte>& bytes, WriterState& state) {
    ByteReader reader(bytes);
    Notice notice;
    notice.job = reader.get<std::int64_t>();
    notice.done = reader.get<bool>();
    state.records = reader.get<std::int64_t>();
    state.bytes = reader.get<std::int64_t>();
    state.writing_seconds = reader.get<double>();
    state.setup_seconds = reader.get<double>();
    state.idle_seconds = reader.get<double>();
    state.idle_queue_seconds = reader.get<double>();
    state.idle_processor_seconds = reader.get<double>();
    state.failure.code = reader.get<base::ExitCode>();
    state.failure.message = reader.get_text();
    state.newest = reader.get_text();
    state.given_up.clear();
    for (auto left = reader.get<std::int64_t>(); left > 0; --left)
        state.given_up.push_back(reader.get_text());
    for (auto left = reader.get<std::int64_t>(); left > 0; --left) {
        FileWork& work = state.files[reader.get_text()];
        work.records = reader.get<std::int64_t>();
        work.bytes = reader.get<std::int64_t>();
        work.seconds = reader.get<double>();
    }
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
        message.requests.push_back(MPI_REQUEST_NULL);
        parallel::check(MPI_Isend(data, count, type, server_, tag, bridge_, &message.requests.back()),
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
