#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Slip rates that a case names, and of a kinematic rupture which of its parts lies at a place of a fault: the nearest one, if
/// the place is within it.
class GivenSlip {
public:
    /// Reads files of two columns, time in s and slip rate, each scaled to a slip of 1; or a rupture, whose parts lie where a
    /// file has them. `make` is called on rank 0. base::Refusal on all ranks. Collective.
    GivenSlip(MPI_Comm comm, const std::vector<std::string>& files, const std::function<Rupture()>& make,
              std::string name);

    /// The numbers of the law imposed-series at a place, where there is a rupture.
    void set(const FaultSpot& spot, FaultPoint& point) const;
    std::shared_ptr<const SlipSeries> series() const { return series_; }

private:
    struct Part {
        tetra::Point place;
        double side;                              // m, of a square of its area
        std::array<std::array<double, 6>, 2> of;  // what slips: u ⊗ n + n ⊗ u of directions of length 1
        std::array<double, 2> series;             // -1: none
    };
    std::int64_t key(const tetra::Point& place, int dx, int dy, int dz) const;
    const Part* at(const FaultSpot& spot) const;
    void read(MPI_Comm comm, const std::function<Rupture()>& make);

    std::string name_;
    bool has_rupture_;
    std::shared_ptr<SlipSeries> series_ = std::make_shared<SlipSeries>();
    std::vector<Part> parts_;
    double box_ = 1.0;  // m, of a grid on which parts are looked for
    std::unordered_multimap<std::int64_t, std::int32_t> in_box_;
};

}  // namespace groundswell::quake
