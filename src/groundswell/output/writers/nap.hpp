#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace groundswell::output {

/// Sleeps between two looks at something that will happen: short at first, longer while nothing happens.
class Nap {
public:
    /// `longest`: seconds.
    explicit Nap(double longest) : longest_(longest) {}

    void sleep() {
        std::this_thread::sleep_for(std::chrono::duration<double>(next_));
        next_ = std::min(longest_, 1.5 * next_);
    }
    void reset() { next_ = shortest; }

private:
    static constexpr double shortest = 50e-6;
    double longest_, next_ = shortest;
};

}  // namespace groundswell::output
