#include "groundswell/exec/device/played/lanes.hpp"

#include <algorithm>
#include <cfenv>
#include <numeric>

#include "groundswell/base/errors.hpp"

namespace groundswell::exec {
namespace {

thread_local PlayedLanes* running = nullptr;

void check_numbers() {
    if (std::fetestexcept(FE_INVALID) != 0)
        throw base::Defect("an invalid operation, as with a number that nobody wrote");
}

}  // namespace

PlayedLanes::PlayedLanes(int most) : lanes_(static_cast<std::size_t>(most)) {}

void PlayedLanes::run(int lanes, std::mt19937& chance, const std::function<void(int lane)>& body) {
    body_ = &body;
    error_ = nullptr;
    running = this;
    for (int lane = 0; lane < lanes; ++lane) start(lane);
    std::vector<int> order(static_cast<std::size_t>(lanes));
    std::iota(order.begin(), order.end(), 0);
    for (int ended = 0; ended < lanes;) {
        std::shuffle(order.begin(), order.end(), chance);
        for (const int lane : order) {
            current_ = lane;
            ::swapcontext(&scheduler_, &lanes_[static_cast<std::size_t>(lane)].context);
            if (error_) std::rethrow_exception(error_);
        }
        ended = static_cast<int>(
            std::count_if(order.begin(), order.end(), [&](int lane) { return lanes_[lane].ended; }));
        if (ended > 0 && ended < lanes) throw base::Defect("some lanes end while others wait in sync()");
    }
}

void PlayedLanes::start(int lane) {
    Lane& it = lanes_[static_cast<std::size_t>(lane)];
    if (!it.stack) it.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    it.ended = false;
    ::getcontext(&it.context);
    it.context.uc_stack.ss_sp = it.stack.get();
    it.context.uc_stack.ss_size = stack_bytes;
    it.context.uc_link = &scheduler_;
    ::makecontext(&it.context, begin_lane, 0);
}

void PlayedLanes::begin_lane() {
    running->run_current();
}

void PlayedLanes::run_current() {
    const int lane = current_;
    try {
        std::feclearexcept(FE_ALL_EXCEPT);
        (*body_)(lane);
        check_numbers();
    } catch (...) {
        error_ = std::current_exception();
    }
    lanes_[static_cast<std::size_t>(lane)].ended = true;
}

void PlayedLanes::sync() {
    check_numbers();
    ::swapcontext(&lanes_[static_cast<std::size_t>(current_)].context, &scheduler_);
}

}  // namespace groundswell::exec
