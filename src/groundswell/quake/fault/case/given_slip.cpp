#include "groundswell/quake/fault/case/given_slip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/broadcast.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/quake/fault/laws/imposed_series.hpp"
#include "groundswell/quake/source/point/samples.hpp"

namespace groundswell::quake {

namespace {

// A place belongs to a part up to so many half sides from its middle: a little beyond it, as faults bend.
constexpr double reach = 1.1;
// Least share of a part's slip that is in the fault's plane: at 45 degrees to it.
constexpr double least_in_plane = 0.7;

std::array<double, 3> times_normal(const std::array<double, 6>& s, const std::array<double, 3>& n) {
    return {s[0] * n[0] + s[3] * n[1] + s[5] * n[2], s[3] * n[0] + s[1] * n[1] + s[4] * n[2],
            s[5] * n[0] + s[4] * n[1] + s[2] * n[2]};
}

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Place, area, and of each direction its tensor, onset, interval and rates.
void pack(const Rupture& rupture, const std::string& name, std::vector<double>& to) {
    for (const SubSource& part : rupture.parts) {
        to.insert(to.end(), part.place.begin(), part.place.end());
        to.push_back(part.area);
        to.push_back(static_cast<double>(part.pulses.size()));
        for (const Pulse& pulse : part.pulses) {
            std::array<double, 6> tensor = pulse.per_mu;
            for (int i = 0; i < 6; ++i) tensor[i] += pulse.moment[i];
            double square = 0.0;
            for (int i = 0; i < 6; ++i) square += (i < 3 ? 1.0 : 2.0) * tensor[i] * tensor[i];
            const double size = std::sqrt(0.5 * square), trace = tensor[0] + tensor[1] + tensor[2];
            if (std::abs(trace) > 1e-6 * size || part.pulses.size() > 2)
                base::refuse(name, "line", std::to_string(part.line),
                             "slip in the fault alone: it opens there");
            for (const double one : tensor) to.push_back(one / size);
            to.push_back(pulse.onset);
            to.push_back(pulse.interval);
            to.push_back(static_cast<double>(pulse.rate.size()));
            to.insert(to.end(), pulse.rate.begin(), pulse.rate.end());
        }
    }
}

}  // namespace

GivenSlip::GivenSlip(MPI_Comm comm, const std::vector<std::string>& files,
                     const std::function<Rupture()>& make, std::string name)
    : name_(std::move(name)), has_rupture_(files.empty()) {
    if (has_rupture_) {
        read(comm, make);
        return;
    }
    parallel::agree(comm, [&] {
        for (const std::string& file : files) {
            Samples samples = read_samples(file);
            const double slip = sampled(samples.onset, samples.interval, samples.rate)->whole();
            base::require(slip > 0.0, file, "", fmt::format("a slip of {:.4g}", slip),
                          "slip rates whose integral is above 0");
            for (double& rate : samples.rate) rate /= slip;
            series_->push_back(sampled(samples.onset, samples.interval, std::move(samples.rate)));
        }
    });
}

void GivenSlip::read(MPI_Comm comm, const std::function<Rupture()>& make) {
    std::vector<double> values;
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) == 0) pack(make(), name_, values);
    });
    parallel::broadcast(comm, values);
    for (const double* at = values.data(); at != values.data() + values.size();) {
        Part part{{at[0], at[1], at[2]}, std::sqrt(at[3]), {}, {-1.0, -1.0}};
        const auto pulses = static_cast<int>(at[4]);
        at += 5;
        for (int i = 0; i < pulses; ++i) {
            std::copy_n(at, 6, part.of[i].begin());
            part.series[i] = static_cast<double>(series_->size());
            const auto count = static_cast<std::size_t>(at[8]);
            series_->push_back(sampled(at[6], at[7], std::vector<double>(at + 9, at + 9 + count)));
            at += 9 + count;
        }
        box_ = std::max(box_, part.side);
        parts_.push_back(part);
    }
    for (std::size_t i = 0; i < parts_.size(); ++i)
        in_box_.emplace(key(parts_[i].place, 0, 0, 0), static_cast<std::int32_t>(i));
}

std::int64_t GivenSlip::key(const tetra::Point& place, int dx, int dy, int dz) const {
    const auto count = [&](int axis, int more) {
        return (static_cast<std::int64_t>(std::floor(place[axis] / box_)) + more) & 0x1fffff;
    };
    return count(0, dx) << 42 | count(1, dy) << 21 | count(2, dz);
}

const GivenSlip::Part* GivenSlip::at(const FaultSpot& spot) const {
    const Part* nearest = nullptr;
    double least = 0.0;
    for (int box = 0; box < 27; ++box) {
        const auto found = in_box_.equal_range(key(spot.place, box % 3 - 1, box / 3 % 3 - 1, box / 9 - 1));
        for (auto it = found.first; it != found.second; ++it) {
            const Part& part = parts_[it->second];
            const tetra::Point away{spot.place[0] - part.place[0], spot.place[1] - part.place[1],
                                    spot.place[2] - part.place[2]};
            const double furthest =
                std::max({std::abs(dot(away, spot.frame.strike)), std::abs(dot(away, spot.frame.dip)),
                          std::abs(dot(away, spot.frame.normal))});
            if (furthest > 0.5 * reach * part.side) continue;
            // The first one of the file, of two that are as near.
            const double square = dot(away, away);
            if (nearest != nullptr && (square > least || (square == least && &part > nearest))) continue;
            nearest = &part;
            least = square;
        }
    }
    return nearest;
}

void GivenSlip::set(const FaultSpot& spot, FaultPoint& point) const {
    if (!has_rupture_) {
        const double number = point.parameter[SeriesGrowth::series];
        if (number == std::floor(number) && number >= 0.0 && number < static_cast<double>(series_->size()))
            return;
        base::refuse(name_, "fault.set.series",
                     fmt::format("{:.6g} at {:.6g}, {:.6g}, {:.6g}", number, spot.place[0], spot.place[1],
                                 spot.place[2]),
                     fmt::format("a whole number from 0 to {}, of fault.slip_rates", series_->size() - 1));
    }
    point.parameter = {};
    point.parameter[SeriesGrowth::series] = point.parameter[SeriesGrowth::series_across] = SeriesGrowth::none;
    const Part* const part = at(spot);
    if (part == nullptr) return;
    for (int i = 0; i < 2 && part->series[i] >= 0.0; ++i) {
        // The tensor times the normal is how the side that this points to moves past the other.
        const auto slip = times_normal(part->of[i], spot.frame.normal);
        const double strike = dot(slip, spot.frame.strike), dip = dot(slip, spot.frame.dip);
        const double size = std::hypot(strike, dip);
        if (size < least_in_plane)
            base::refuse(
                name_, "part at",
                fmt::format("{:.6g}, {:.6g}, {:.6g}", part->place[0], part->place[1], part->place[2]),
                "a plane of slip within 45 degrees of the mesh's fault at that place");
        const int first = i == 0 ? 0 : int{SeriesGrowth::across_strike};
        point.parameter[first] = strike / size;
        point.parameter[first + 1] = dip / size;
        point.parameter[i == 0 ? SeriesGrowth::series : SeriesGrowth::series_across] = part->series[i];
    }
}

}  // namespace groundswell::quake
