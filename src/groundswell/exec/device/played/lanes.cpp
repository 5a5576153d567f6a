#include "groundswell/exec/device/played/lanes.hpp"

#include <ucontext.h>

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

// A function of its own: compilers want no jump where a place is kept. The sanitizer would take one to another stack for a return.
[[gnu::noinline, gnu::no_sanitize_address]] void go_on(std::array<void*, 5>& there) {
    __builtin_longjmp(there.data(), 1);
}

// Goes on at one place and keeps this one; returns when somebody goes on here. swapcontext() asks the system for the mask of signals
// each time, which took nine tenths of a run. Flags of wrong computing are not kept: a lane looks at its own before it changes.
[[gnu::noinline, gnu::no_sanitize_address]] void change(std::array<void*, 5>& here,
                                                        std::array<void*, 5>& there) {
    if (__builtin_setjmp(here.data()) == 0) go_on(there);
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
            enter(lanes_[lane]);
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
    if (!it.ended) it.begun = false;  // it is in the midst of a body that an error ended, or new
    it.ended = it.waits = false;
}

[[gnu::noinline]] void PlayedLanes::enter(Lane& lane) {
    if (lane.begun) return change(scheduler_, lane.place);
    lane.begun = true;
    if (!lane.stack) lane.stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    ucontext_t context, left;
    ::getcontext(&context);
    context.uc_stack.ss_sp = lane.stack.get();
    context.uc_stack.ss_size = stack_bytes;
    context.uc_link = nullptr;
    ::makecontext(&context, begin_lane, 0);
    // Not setcontext(): the address sanitizer sees a stack that is used anew by this call alone.
    if (__builtin_setjmp(scheduler_.data()) == 0) ::swapcontext(&left, &context);
}

void PlayedLanes::begin_lane() {
    PlayedLanes* const these = running;  // it may go on by another thread
    for (;;) these->run_current();
}

void PlayedLanes::run_current() {
    Lane& lane = lanes_[static_cast<std::size_t>(current_)];
    try {
        std::feclearexcept(FE_ALL_EXCEPT);
        (*body_)(current_);
        check_numbers();
    } catch (...) {
        error_ = std::current_exception();
    }
    lane.ended = true;
    change(lane.place, scheduler_);
}

void PlayedLanes::sync(int group) {
    check_numbers();
    lanes_[current_].waits = true;
    lanes_[current_].group = group;
    change(lanes_[current_].place, scheduler_);
}

}  // namespace groundswell::exec
