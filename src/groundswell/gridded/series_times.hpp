#pragma once

#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/gridded/grid_variable.hpp"
#include "groundswell/gridded/time_steps.hpp"

namespace groundswell::gridded {

struct TimeRules {
    bool repeat_every_year = false;  ///< the times are places in a year
    double longest_step = 0.0;       ///< s between two times; 0: as find_gap has it
};

/// A file of a series, and the name of its variable.
struct SeriesSource {
    std::string path, variable;
    Stated stated{};
};

/// The times of a series that comes from several files, as far as a period needs them.
class SeriesTimes {
public:
    using Record = TimeOfSource;  ///< ms since 1970, or into the year
    struct Bracket {
        std::size_t before, after;  ///< records
        double weight;              ///< of `after`
    };

    /// The files in order of time; where two overlap the later one holds. base::Refusal for files in another order, a period
    /// that they do not cover, and a time that is missing (find_gap).
    SeriesTimes(const std::vector<SeriesSource>& sources, const std::vector<GridVariable>& variables,
                const Quantity& quantity, const TimeRules& rules, base::Instant start, base::Instant end);

    std::size_t size() const { return records_.size(); }
    const Record& operator[](std::size_t record) const { return records_[record]; }
    /// The records on both sides of a time of the period.
    Bracket bracket(base::Instant time) const;
    std::string describe(const Record& record) const;

private:
    void choose(const std::vector<SeriesSource>& sources, const std::vector<std::vector<double>>& own,
                const Quantity& quantity, base::Instant start, base::Instant end);
    void check_gaps(const std::vector<SeriesSource>& sources, const std::vector<std::vector<double>>& own,
                    const std::string& section, std::size_t begin, std::size_t end) const;

    TimeRules rules_;
    std::vector<Record> records_;  // times increasing
};

}  // namespace groundswell::gridded
