#include "groundswell/exec/device/played/lanes.hpp"

#include <algorithm>
#include <cfenv>
#include <numeric>
#include <span>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/block.hpp"

namespace groundswell::exec {
namespace {

thread_local PlayedLanes* running = nullptr;

void check_numbers() {
    if (std::fetestexcept(FE_INVALID) != 0)
        throw base::Defect("an invalid operation, as with a number that nobody wrote");
}

}  // namespace

PlayedLanes::PlayedLanes(int most)
    : lanes_(static_cast<std::size_t>(most)), handed_(static_cast<std::size_t>(most) * Block::handed_bytes) {}

void PlayedLanes::run(int lanes, std::mt19937& chance, const std::function<void(int lane)>& body) {
    body_ = &body;
    error_ = nullptr;
    running = this;
    for (int lane = 0; lane < lanes; ++lane) start(lane);
    std::vector<int> order(static_cast<std::size_t>(lanes));
    std::iota(order.begin(), order.end(), 0);
    do {
        std::shuffle(order.begin(), order.end(), chance);
        for (const int lane : order) {
            if (lanes_[lane].ended || lanes_[lane].waits) continue;
            current_ = lane;
            ::swapcontext(&scheduler_, &lanes_[static_cast<std::size_t>(lane)].context);
            if (error_) std::rethrow_exception(error_);
        }
    } while (let_go(lanes));
}

// Lets lanes go on that have all come to where they wait for each other; false: all have ended.
bool PlayedLanes::let_go(int lanes) {
    const auto these = std::span(lanes_).first(static_cast<std::size_t>(lanes));
    bool goes_on = false;
    const auto let = [&](std::span<Lane> group, int number) {
        const auto here = [&](const Lane& lane) { return lane.waits && lane.group == number; };
        if (!std::ranges::all_of(group, here)) return;
        for (Lane& lane : group) lane.waits = false;
        goes_on = true;
    };
    let(these, 0);
    for (int first = 0; first < lanes; first += std::max(these[first].group, 1))
        if (const int size = these[first].group; size > 0 && first % size == 0 && first + size <= lanes)
            let(these.subspan(first, size), size);
    const auto ended = std::ranges::count_if(these, &Lane::ended);
    if (!goes_on && ended < lanes)
        throw base::Defect(ended > 0 ? "some lanes end while others wait in sync()"
                                     : "lanes wait for each other in different places");
    return goes_on;
}

void PlayedLanes::start(int lane) {
    Lane& it = lanes_[static_cast<std::size_t>(lane)];
    if (!it.stack) it.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    it.ended = it.waits = false;
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

void PlayedLanes::sync(int group) {
    check_numbers();
    lanes_[current_].waits = true;
    lanes_[current_].group = group;
    ::swapcontext(&lanes_[static_cast<std::size_t>(current_)].context, &scheduler_);
}

}  // namespace groundswell::exec
