#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace groundswell::exec {

/// The lanes of a block, each with a stack of its own, on one thread: from one sync() to the next they run one after the other in
/// an order made anew by chance. Throws a Defect if some lanes end while others wait, if they wait for each other in different
/// places, or if one computed with a number that nobody wrote (a signalling NaN; any invalid operation counts).
class PlayedLanes {
public:
    explicit PlayedLanes(int most);
    void run(int lanes, std::mt19937& chance, const std::function<void(int lane)>& body);
    /// Called by a lane, which waits for the group of so many neighbours; 0: for all.
    void sync(int group);
    /// Block::Barrier::handed.
    std::byte* handed() { return handed_.data(); }

private:
    static constexpr std::size_t stack_bytes = std::size_t{1} << 17;
    using Place = std::array<void*, 5>;  // as __builtin_setjmp has it
    struct Lane {
        std::unique_ptr<std::byte[]> stack;
        Place place{};
        bool begun = false, ended = false, waits = false;
        int group = 0;  // that it waits for
    };
    static void begin_lane();
    void run_current();
    void start(int lane);
    void enter(Lane& lane);
    bool let_go(int lanes);

    std::vector<Lane> lanes_;
    std::vector<std::byte> handed_;
    Place scheduler_{};
    int current_ = 0;
    const std::function<void(int)>* body_ = nullptr;
    std::exception_ptr error_;
};

}  // namespace groundswell::exec
