#include "groundswell/simulation/cell_map.hpp"

#include <utility>

#include "groundswell/simulation/cf.hpp"

namespace groundswell::simulation {

CellMap::CellMap(Parts parts)
    : Stream(parts.file, parts.every, parts.schema),
      parts_(std::move(parts)),
      values_(parts_.fields.size(), std::vector<float>(parts_.rows->owned() * parts_.row_values)) {}

void CellMap::write_fixed(output::Dataset& file) {
    if (parts_.write_fixed) parts_.write_fixed(file);
}

std::int64_t CellMap::record_bytes() const {
    return static_cast<std::int64_t>(values_.size() * sizeof(float)) * parts_.rows->owned() *
           parts_.row_values;
}

std::vector<output::Values> CellMap::record() {
    parts_.fill(values_);
    std::vector<output::Values> record;
    for (std::size_t f = 0; f < values_.size(); ++f)
        record.push_back(output::distributed<float>(parts_.fields[f], *parts_.rows, values_[f]));
    if (parts_.interval) {
        interval_ = parts_.interval();
        record.push_back(output::replicated<double>(time_bounds, interval_));
    }
    return record;
}

}  // namespace groundswell::simulation
