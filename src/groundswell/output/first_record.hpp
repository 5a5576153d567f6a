#pragma once

/// How mode auto decides between direct and thread, from the first record and the computation after it.
namespace groundswell::output {

/// What a thread has spent so far, in seconds; the difference of two readings is what happened between them.
struct ThreadTime {
    double wall = 0.0;
    double processor = 0.0;  ///< on a processor
    double queue = 0.0;      ///< ready to run, and waiting for a processor that others have

    /// Of the calling thread. Where the kernel does not tell of the queue (/proc/thread-self/schedstat), that
    /// is 0.
    static ThreadTime now();

    ThreadTime operator-(const ThreadTime& earlier) const {
        return {wall - earlier.wall, processor - earlier.processor, queue - earlier.queue};
    }
    ThreadTime& operator+=(const ThreadTime& more) {
        wall += more.wall;
        processor += more.processor;
        queue += more.queue;
        return *this;
    }

    /// Seconds without a processor and without wanting one: what the disk took, and nobody else. A rank that
    /// shares its core with others is slow too, but a thread more would only make the queue longer.
    double asleep() const;
};

/// The slowest rank's measurements, and what there is for a thread to run on.
struct FirstRecord {
    double writing = 0.0;        ///< s that the record kept the model
    double asleep = 0.0;         ///< s of them, as ThreadTime::asleep
    double computing = 0.0;      ///< s of the computation up to the second record
    bool own_core = false;       ///< every writer thread would have a core that nobody else needs
    bool cores_for_all = false;  ///< every thread that computes has a core
};

/// Whether writer threads save more than 2 % of the computation. One with a core of its own saves all that a
/// record takes; one without saves what the disk takes, not what the processor does; and where the threads
/// that compute already share cores it saves nothing.
bool threads_pay(const FirstRecord& measured);

}  // namespace groundswell::output
