
#include <algorithm>
#include <list>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/test_hooks.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/output/writers/executor.hpp"
#include "groundswell/output/writers/nap.hpp"
#include "groundswell/output/writers/server_link.hpp"
#include "groundswell/parallel/cores/thread_time.hpp"

// Mode "servers", on a server.
namespace groundswell::output {

namespace {

class Server {
public:
    explicit Server(const Roles& roles) : roles_(roles) {}

    ServerReport serve() {
        while (true) {
            Job job = next_job();
            tell(false);
            if (job.kind == JobKind::begin) {
                executor_ = std::make_unique<Executor>(roles_.servers.get(), job.options);
            } else if (job.kind != JobKind::leave) {
                GS_ASSERT(executor_ != nullptr);
                executor_->meet();
                executor_->run(job);
                memory_.give(std::move(job.storage));
            }
            ++report_.jobs;
            tell(true);
            if (job.kind == JobKind::leave) break;
            if (executor_) report_.bytes = executor_->state().bytes;
            if (executor_) report_.writing_seconds = executor_->state().writing_seconds;
        }
        Nap nap(longest_nap);
        while (!notices_are_out()) nap.sleep();
        return report_;
    }

private:
    static constexpr double longest_nap = 4e-3;  // s; ten times as long would cost a record a few per cent

    /// Part that a client is sending of the job that all send.
    struct Incoming {
        std::int64_t length = -1;
        std::vector<std::byte> bytes;
        std::vector<MPI_Request> requests;
        bool whole = false;
    };

    bool receive(Incoming& incoming, int client) {
        int all = 0;
        parallel::check(MPI_Testall(static_cast<int>(incoming.requests.size()), incoming.requests.data(),
                                    &all, MPI_STATUSES_IGNORE),
                        "receive output");
        if (all == 0) return false;
        if (!incoming.bytes.empty()) {
            incoming.whole = true;
            return true;
        }
        incoming.bytes = memory_.take(incoming.length, most_bytes_);
        incoming.bytes.resize(incoming.length);
        incoming.requests.clear();
        parallel::for_each_piece(incoming.length, [&](std::int64_t at, int count) {
            parallel::check(MPI_Irecv(incoming.bytes.data() + at, count, MPI_BYTE, client, tag_job,
                                      roles_.bridge.get(), &incoming.requests.emplace_back(MPI_REQUEST_NULL)),
                            "receive output");
        });
        return true;
    }

    /// Sleeps until every client has sent its next job.
    Job next_job() {
        const parallel::ThreadTime begin = parallel::ThreadTime::now();
        std::vector<Incoming> all(roles_.clients.size());
        for (std::size_t c = 0; c < all.size(); ++c) {
            parallel::check(MPI_Irecv(&all[c].length, 1, MPI_INT64_T, roles_.clients[c], tag_job_length,
                                      roles_.bridge.get(), &all[c].requests.emplace_back(MPI_REQUEST_NULL)),
                            "receive output");
        }
        Nap nap(longest_nap);
        for (std::size_t left = all.size(); left > 0;) {
            bool moved = false;
            for (std::size_t c = 0; c < all.size(); ++c) {
                if (all[c].whole || !receive(all[c], roles_.clients[c])) continue;
                moved = true;
                if (all[c].whole) --left;
            }
            notices_are_out();
            if (moved) {
                nap.reset();
            } else if (!spins_) {
                nap.sleep();
            }
        }
        const parallel::ThreadTime spent = parallel::ThreadTime::now() - begin;
        report_.idle_seconds += spent.wall;
        report_.idle_cpu_seconds += spent.processor;
        queued_ += spent.queue;
        std::vector<std::vector<std::byte>> messages;
        std::int64_t bytes = 0;
        for (Incoming& each : all) {
            bytes += each.length;
            messages.push_back(std::move(each.bytes));
        }
        most_bytes_ = std::max(most_bytes_, 2 * bytes);
        Job job = from_messages(messages, memory_.take(bytes, most_bytes_));
        for (auto& each : messages) memory_.give(std::move(each));
        return job;
    }

    void tell(bool done) {
        Notice notice;
        notice.job = report_.jobs - (done ? 1 : 0);
        notice.done = done;
        WriterState state = executor_ ? executor_->state() : WriterState{};
        state.idle_seconds = report_.idle_seconds;
        state.idle_queue_seconds = queued_;
        state.idle_processor_seconds = report_.idle_cpu_seconds;
        const auto bytes = to_bytes(notice, state);
        for (const int client : roles_.clients) {
            outgoing_.push_back({bytes, MPI_REQUEST_NULL});
            Outgoing& out = outgoing_.back();
            parallel::check(MPI_Isend(out.bytes.data(), static_cast<int>(out.bytes.size()), MPI_BYTE, client,
                                      tag_notice, roles_.bridge.get(), &out.request),
                            "tell a client of its output");
        }
    }

    /// Forgets the notices that have gone; true when all have.
    bool notices_are_out() {
        outgoing_.remove_if([](Outgoing& out) {
            int gone = 0;
            parallel::check(MPI_Test(&out.request, &gone, MPI_STATUS_IGNORE), "tell a client of its output");
            return gone != 0;
        });
        return outgoing_.empty();
    }

    struct Outgoing {
        std::vector<std::byte> bytes;
        MPI_Request request;
    };

    const Roles& roles_;
    std::unique_ptr<Executor> executor_;
    std::list<Outgoing> outgoing_;
    BytePool memory_;
    double queued_ = 0.0;  // s while idle, awake and without a core
    const bool spins_ = TestHooks::servers_spin();
    std::int64_t most_bytes_ = 0;  // that a job took here: as messages, and put together
    ServerReport report_;
};

}  // namespace

ServerReport serve(const Roles& roles) {
    GS_ASSERT(roles.serves);
    return Server(roles).serve();
}

}  // namespace groundswell::output
