#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/streams/situations.hpp"
#include "groundswell/simulation/schedule.hpp"
#include "groundswell/simulation/state.hpp"

namespace groundswell::sea {

/// Means, maxima and minima of fields on all owned cells, over the ends of the source steps since the last record of a file that has them
/// `every` so often. A moment at which a field has no value is left out. Part of a restart file.
class Statistics {
public:
    Statistics(Situations& situations, std::int32_t owned) : situations_(situations), owned_(owned) {}

    /// Names a field, once or several times, of which a statistic is wanted.
    void add(const std::string& field, const std::string& statistic, base::Duration every);
    void add_to(simulation::State& state, const output::Decomposition& faces);
    void start(const simulation::Schedule& schedule);
    /// base::Refusal where the restart file of `step` had not what is wanted, and an interval does not begin there.
    void resume(const simulation::Schedule& schedule, std::int64_t step, const std::string& case_file);

    /// Takes the state after `step` steps in, if a source step ends there.
    void take(std::int64_t step);
    /// The values of an interval that ends now, at the start of a run those of the moment.
    void give(const std::string& field, const std::string& statistic, base::Duration every,
              std::vector<float>& values);
    /// The beginning and the end of that interval, as files have times.
    std::array<double, 2> interval(base::Duration every) const;

private:
    /// Sum and number of values; of a bearing the sums of its sine and cosine; the extreme one, and 1.
    struct Pair {
        double first = 0.0, second = 0.0;
    };
    struct One {
        const Field* field = nullptr;
        std::string statistic;
        base::Duration every;
        std::vector<Pair> pairs;  // [owned]
    };
    void take(One& one);
    float value(const One& one, const Pair& pair) const;

    Situations& situations_;
    std::int32_t owned_;
    simulation::Schedule schedule_;
    std::int64_t last_ = 0;  // step that was taken in last
    std::vector<One> all_;
};

}  // namespace groundswell::sea
