#include "groundswell/parallel/profile/start_up.hpp"

#include <cstddef>
#include <utility>

#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

namespace groundswell::parallel {

namespace {

struct StartUp {
    bool running = false;
    StartUpPart part = StartUpPart::other;
    double since = 0.0;
    std::array<double, start_up_part_names.size()> seconds{};

    StartUpPart enter(StartUpPart next) {
        if (running) {
            const double time = now();
            seconds[static_cast<std::size_t>(part)] += time - since;
            if (timeline_is_on())
                add_to_timeline(timeline_label(start_up_part_names[static_cast<std::size_t>(part)]),
                                "start-up", since, time);
            since = time;
        }
        return std::exchange(part, next);
    }
};

// One for each thread: what other threads read or exchange for themselves is not part of the start-up.
thread_local StartUp start_up;

}  // namespace

void begin_start_up() {
    start_up = {true, StartUpPart::other, now(), {}};
}

std::array<double, start_up_part_names.size()> end_start_up() {
    start_up.enter(StartUpPart::other);
    start_up.running = false;
    return start_up.seconds;
}

StartUpTimer::StartUpTimer(StartUpPart part) : before_(start_up.enter(part)) {}

StartUpTimer::~StartUpTimer() {
    start_up.enter(before_);
}

}  // namespace groundswell::parallel
