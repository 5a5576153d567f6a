#pragma once

/// Decision of mode auto between direct and thread, from the first record and the computation after it.
namespace groundswell::output {

/// The slowest rank's measurements, and what there is for a thread to run on.
struct FirstRecord {
    double writing = 0.0;        ///< s that the record kept the model
    double asleep = 0.0;         ///< s of them, as parallel::ThreadTime::asleep
    double computing = 0.0;      ///< s of the computation up to the second record
    bool own_core = false;       ///< every writer thread would have a core that nobody else needs
    bool cores_for_all = false;  ///< every thread that computes has a core
};

/// Whether writer threads save more than 2 % of the computation. One with a core of its own saves all that a
/// record takes; one without saves what the disk takes, not what the processor does; and where the threads
/// that compute already share cores it saves nothing.
bool threads_pay(const FirstRecord& measured);

}  // namespace groundswell::output
