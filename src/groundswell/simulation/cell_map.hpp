#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::simulation {

/// Fields of type float on all rows of a distributed dimension: a map.
class CellMap : public Stream {
public:
    /// Contents of a map.
    struct Parts {
        std::string file;
        base::Duration every;
        output::Schema schema;
        const output::Decomposition* rows = nullptr;  ///< must outlive the map
        std::vector<std::string> fields = {};         ///< names of the record variables that fill() gives
        /// Gives each field's values on the rows of this rank, as the state is now.
        std::function<void(std::vector<std::vector<float>>& values)> fill = {};
        /// Writes what does not change with time; may be empty.
        std::function<void(output::Dataset& file)> write_fixed = {};
        std::int64_t row_values = 1;  ///< of a field in each row
        /// Beginning and end of what the values of a record are of, as time has them; empty: moments.
        std::function<std::array<double, 2>()> interval = {};
    };
    explicit CellMap(Parts parts);

    void write_fixed(output::Dataset& file) override;
    std::int64_t record_bytes() const override;
    std::vector<output::Values> record() override;

private:
    Parts parts_;
    std::vector<std::vector<float>> values_;  // [field][row]
    std::array<double, 2> interval_{};
};

}  // namespace groundswell::simulation
