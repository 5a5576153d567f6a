#pragma once

#include <csignal>

namespace groundswell::base {

/// The set that holds SIGTERM alone.
inline sigset_t termination_signal() {
    sigset_t termination;
    sigemptyset(&termination);
    sigaddset(&termination, SIGTERM);
    return termination;
}

/// From now on SIGTERM goes to other threads than the one that calls.
inline void never_terminate_here() {
    const sigset_t termination = termination_signal();
    pthread_sigmask(SIG_BLOCK, &termination, nullptr);
}

/// While one of these lives, SIGTERM does not reach this thread, nor any thread that is made by it meanwhile: those never hear of
/// it. What comes in the meantime arrives afterwards.
class TerminationWaits {
public:
    TerminationWaits() {
        const sigset_t termination = termination_signal();
        pthread_sigmask(SIG_BLOCK, &termination, &before_);
    }
    ~TerminationWaits() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    TerminationWaits& operator=(TerminationWaits&&) = delete;  // neither copied nor moved

private:
    sigset_t before_{};
};

}  // namespace groundswell::base
