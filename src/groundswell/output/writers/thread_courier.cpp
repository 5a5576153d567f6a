#include <mpi.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "groundswell/base/log.hpp"
#include "groundswell/output/writers/byte_pool.hpp"
#include "groundswell/output/writers/courier.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

// Mode "thread": a queue of jobs between the thread that computes and one that writes.
namespace groundswell::output {

namespace {

/// State that both threads see; it outlives the courier where the thread does.
struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    struct Entry {
        Job job;
        std::string description;
    };
    std::deque<Entry> waiting;
    std::string doing = "waiting for values";
    double last_sign = parallel::now();  // when the thread began or ended a job
    bool busy = false, ending = false;
    std::int64_t bytes = 0;  // of values, waiting or being written
    BytePool memory;         // of jobs that are done
    WriterState state;
};

void write_until_end(Queue& queue, Executor& executor) {
    std::unique_lock lock(queue.mutex);
    while (true) {
        queue.changed.wait(lock, [&] { return !queue.waiting.empty() || queue.ending; });
        if (queue.waiting.empty()) return;
        Queue::Entry entry = std::move(queue.waiting.front());
        queue.waiting.pop_front();
        queue.busy = true;
        queue.doing = entry.description;
        queue.last_sign = parallel::now();
        lock.unlock();
        executor.meet();
        executor.run(entry.job);
        const auto bytes = static_cast<std::int64_t>(entry.job.storage.size());
        std::vector<std::byte> memory = std::move(entry.job.storage);
        entry.job = Job{};
        lock.lock();
        queue.memory.give(std::move(memory));
        queue.state = executor.state();
        queue.bytes -= bytes;
        queue.busy = false;
        queue.doing = "waiting for values";
        queue.last_sign = parallel::now();
        queue.changed.notify_all();
    }
}

class ThreadCourier final : public Courier {
public:
    ThreadCourier(std::shared_ptr<Executor> executor, const CourierLimits& limits, std::optional<int> cpu,
                  std::string who)
        : Courier(limits), queue_(std::make_shared<Queue>()), who_(std::move(who)) {
        queue_->state = executor->state();
        thread_ = parallel::start_thread(cpu, [queue = queue_, executor = std::move(executor)] {
            parallel::name_timeline_thread("writer");
            try {
                write_until_end(*queue, *executor);
            } catch (...) {
                // This writer alone is in trouble, and the others wait for it in a collective call.
                const parallel::LocalOutcome outcome = parallel::outcome_of_current_exception();
                base::write_error(outcome.message);
                MPI_Abort(MPI_COMM_WORLD, static_cast<int>(outcome.code));
            }
        });
    }

    ~ThreadCourier() override {
        bool idle = false;
        {
            const std::lock_guard lock(queue_->mutex);
            queue_->ending = true;
            idle = queue_->waiting.empty() && !queue_->busy;
        }
        queue_->changed.notify_all();
        // A thread that is not idle may wait for writers whose ranks will never come: an error that this rank
        // alone met is on its way out, and ends the program.
        if (idle) {
            thread_.join();
        } else {
            thread_.detach();
        }
    }

    void deliver(Job job, const std::string& description) override {
        const std::int64_t bytes = job.value_bytes();
        {
            std::unique_lock lock(queue_->mutex);
            if (!has_room_for(bytes, queue_->bytes)) {
                ++waits_;
                const double begin = parallel::now();
                wait(lock, [&] { return has_room_for(bytes, queue_->bytes); });
                waited_seconds_ += parallel::now() - begin;
            }
            queue_->bytes += bytes;
            note_held(queue_->bytes);
            job.storage = queue_->memory.take(bytes, limits_.buffer_bytes - queue_->bytes);
        }
        job.keep_values();
        {
            const std::lock_guard lock(queue_->mutex);
            queue_->waiting.push_back({std::move(job), description});
        }
        queue_->changed.notify_all();
    }

    WriterState state() override {
        const std::lock_guard lock(queue_->mutex);
        return queue_->state;
    }

    void settle() override {
        std::unique_lock lock(queue_->mutex);
        wait(lock, [&] { return queue_->waiting.empty() && !queue_->busy; });
    }

    std::int64_t bytes_held() const override {
        const std::lock_guard lock(queue_->mutex);
        return queue_->bytes;
    }

private:
    template <class F>
    void wait(std::unique_lock<std::mutex>& lock, F&& done) {
        const double begin = parallel::now();
        SilenceWarning warning(limits_.silence);
        while (!queue_->changed.wait_for(lock, std::chrono::milliseconds(200), done))
            warning.check(parallel::now() - std::max(begin, queue_->last_sign), who_, queue_->doing);
    }

    std::shared_ptr<Queue> queue_;
    std::string who_;
    std::thread thread_;
};

}  // namespace

std::unique_ptr<Courier> make_thread_courier(std::shared_ptr<Executor> executor, const CourierLimits& limits,
                                             std::optional<int> cpu, const std::string& who) {
    return std::make_unique<ThreadCourier>(std::move(executor), limits, cpu, who);
}

}  // namespace groundswell::output
