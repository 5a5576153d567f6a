#pragma once

#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::sea {

/// Seas known by a few numbers, in time: from CSV with the columns time, hs, tp, dir and, if they change, spread and gamma; or from
/// NetCDF with variables of these names over time, such as a series of fields at one point of a run. Between two times variance, period,
/// spread and gamma are linear, and the direction turns the shorter way round.
class SeaSeries {
public:
    /// `otherwise`: what the file does not hold. Throws base::Refusal where it does not cover the period.
    SeaSeries(const std::string& path, const ParametricSea& otherwise, base::Instant start,
              base::Instant end);

    ParametricSea at(base::Instant time) const;

private:
    void read_csv(const std::string& path, const ParametricSea& otherwise);
    void read_netcdf(const std::string& path, const ParametricSea& otherwise);

    std::vector<base::Instant> times_;
    std::vector<ParametricSea> seas_;
};

/// Refuses times that do not ascend or do not cover a period. `where`: file.
void require_cover(const std::string& where, const std::vector<base::Instant>& times, base::Instant start,
                   base::Instant end);

/// The records around a time that they cover, and the weight of the second one.
struct Bracket {
    std::size_t first = 0, second = 0;
    double part = 0.0;
};
Bracket bracket(const std::vector<base::Instant>& times, base::Instant time);

}  // namespace groundswell::sea
