#pragma once

#include <cstdint>

namespace groundswell::parallel {

/// Time that a thread has spent so far, in seconds; the difference of two readings is what happened between them.
struct ThreadTime {
    double wall = 0.0;
    double processor = 0.0;        ///< on a processor
    double queue = 0.0;            ///< ready to run, and waiting for a processor that others have
    std::int64_t involuntary = 0;  ///< times that it lost its processor to another before it was done

    /// Time of the calling thread. Where the kernel does not tell the time in the queue (/proc/thread-self/schedstat),
    /// that is 0.
    static ThreadTime now();

    ThreadTime operator-(const ThreadTime& earlier) const {
        return {wall - earlier.wall, processor - earlier.processor, queue - earlier.queue,
                involuntary - earlier.involuntary};
    }
    ThreadTime& operator+=(const ThreadTime& more) {
        wall += more.wall;
        processor += more.processor;
        queue += more.queue;
        involuntary += more.involuntary;
        return *this;
    }

    /// Seconds without a processor and without wanting one: what the disk took, and nobody else. A rank that
    /// shares its core with others is slow too, but a thread more would only make the queue longer.
    double asleep() const;
};

/// Whether the kernel tells for how long a thread has queued.
bool tells_of_queue();

}  // namespace groundswell::parallel
