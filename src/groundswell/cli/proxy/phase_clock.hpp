#pragma once

#include <string>
#include <vector>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::cli {

/// Seconds that phases of a model's own profile grew by.
class PhaseClock {
public:
    explicit PhaseClock(const parallel::Profile& profile) : profile_(profile) { restart(); }

    void restart() {
        since_.clear();
        for (int phase = 0; phase < profile_.phases(); ++phase)
            since_.push_back(profile_.seconds(static_cast<parallel::Phase>(phase)));
    }
    /// Since restart(); 0 for a phase that there is not.
    double seconds(const std::string& name) const {
        for (int phase = 0; phase < profile_.phases(); ++phase) {
            const auto one = static_cast<parallel::Phase>(phase);
            if (profile_.name(one) == name)
                return profile_.seconds(one) - since_[static_cast<std::size_t>(phase)];
        }
        return 0.0;
    }

private:
    const parallel::Profile& profile_;
    std::vector<double> since_;
};

}  // namespace groundswell::cli
