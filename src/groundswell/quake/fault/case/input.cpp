#include "groundswell/quake/fault/case/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/quake/fault/laws/imposed_series.hpp"
#include "groundswell/quake/fault/setup.hpp"
#include "groundswell/quake/source/point/samples.hpp"

namespace groundswell::quake {

namespace {

// A place belongs to a part up to so many half sides from its middle: a little beyond it, as faults bend.
constexpr double reach = 1.1;

// Least share of a part's slip that is in the fault's plane: at 45 degrees to it.
constexpr double least_in_plane = 0.7;

using tetra::dot;

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

// Slip rates that a case names, and of a kinematic rupture which of its parts lies at a place of a fault: the nearest one, if
// the place is within it.
class GivenSlip {
public:
    /// Reads files of two columns, time in s and slip rate, each scaled to a slip of 1; or a rupture, whose parts lie where a
    /// file has them. `make` is called on rank 0. base::Refusal on all ranks. Collective.
    GivenSlip(MPI_Comm comm, const std::vector<std::string>& files, const std::function<Rupture()>& make,
              std::string name)
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

    /// The numbers of the law imposed-series at a place, where there is a rupture.
    void set(const FaultSpot& spot, FaultPoint& point) const {
        if (!has_rupture_) {
            const double number = point.parameter[SeriesGrowth::series];
            if (number == std::floor(number) && number >= 0.0 &&
                number < static_cast<double>(series_->size()))
                return;
            base::refuse(
                name_, "fault.set.series",
                fmt::format("{:.6g} at {:.6g}, {:.6g}, {:.6g}", number, spot.place[0], spot.place[1],
                            spot.place[2]),
                fmt::format("a whole number from 0 to {}, of fault.slip_rates", series_->size() - 1));
        }
        point.parameter = {};
        point.parameter[SeriesGrowth::series] = point.parameter[SeriesGrowth::series_across] =
            SeriesGrowth::none;
        const Part* const part = at(spot);
        if (part == nullptr) return;
        for (int i = 0; i < 2 && part->series[i] >= 0.0; ++i) {
            // The tensor times the normal is how the side that this points to moves past the other.
            const auto slip = traction_on(spot.frame.normal, part->of[i]);
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
    std::shared_ptr<const SlipSeries> series() const { return series_; }

private:
    struct Part {
        tetra::Point place;
        double side;                              // m, of a square of its area
        std::array<std::array<double, 6>, 2> of;  // what slips: u ⊗ n + n ⊗ u of directions of length 1
        std::array<double, 2> series;             // -1: none
    };
    std::int64_t key(const tetra::Point& place, int dx, int dy, int dz) const {
        const auto count = [&](int axis, int more) {
            return (static_cast<std::int64_t>(std::floor(place[axis] / box_)) + more) & 0x1fffff;
        };
        return count(0, dx) << 42 | count(1, dy) << 21 | count(2, dz);
    }
    const Part* at(const FaultSpot& spot) const {
        const Part* nearest = nullptr;
        double least = 0.0;
        for (int box = 0; box < 27; ++box) {
            const auto found =
                in_box_.equal_range(key(spot.place, box % 3 - 1, box / 3 % 3 - 1, box / 9 - 1));
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
    void read(MPI_Comm comm, const std::function<Rupture()>& make) {
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

    std::string name_;
    bool has_rupture_;
    std::shared_ptr<SlipSeries> series_ = std::make_shared<SlipSeries>();
    std::vector<Part> parts_;
    double box_ = 1.0;  // m, of a grid on which parts are looked for
    std::unordered_multimap<std::int64_t, std::int32_t> in_box_;
};

// What a rank's part of the faults needs of grids, or `all` rock.
void load_grids(const FaultOptions& fault, bool all, const tetra::LocalMesh& mesh) {
    gridded::Region region;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        const auto& faces = mesh.cell[cell].boundary;
        if (!all && std::ranges::none_of(faces, tetra::is_fault)) continue;
        for (const tetra::Point& corner : mesh.cell[cell].place) region.add(corner);
    }
    for (const FaultEntry& entry : fault.entries) {
        base::require(
            !all || entry.tags.empty() || !entry.may_stress(), entry.stated_at, "fault.set.tags",
            "given, next to stress",
            "stress of all faults, as [plasticity] has none of its own: that of the rock is theirs");
        if (!entry.grid) continue;
        entry.grid->load(*find_law(fault.law), region);
        base::require(
            !entry.grid->nucleates() || fault.nucleation_duration > 0.0 || entry.nucleation.duration > 0.0,
            fault.stated_at, "fault.nucleation_duration", "not given",
            fmt::format("a duration in s, as {} has a nucleation", entry.grid->file()));
    }
}

}  // namespace

FaultInput make_fault_input(MPI_Comm comm, const FaultOptions& fault, bool of_all_rock,
                            const tetra::LocalMesh& mesh, const std::function<Rupture()>& rupture) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    const parallel::MemoryHolder holder(parallel::MemoryPart::forcing);
    parallel::agree(comm, [&] { load_grids(fault, of_all_rock, mesh); });
    FaultInput input;
    input.law = fault.law;
    input.of_fault = fault.of_fault;
    input.points = fault.points;
    input.pressure = fault.pressure;
    input.scheme = fault.scheme;
    for (std::size_t e = 0; e < fault.episodes.size(); ++e) {
        const NucleationEpisode& of = fault.episodes[e];
        const bool weakens = std::ranges::any_of(fault.entries, [e](const FaultEntry& entry) {
            return entry.episode == e && entry.nucleation_strength;
        });
        input.nucleation.push_back({of.start, of.duration, weakens, of.speed > 0.0});
    }
    input.thermal = fault.thermal;
    input.given = fault.given;
    input.at = [&fault](const FaultSpot& spot) { return fault.at(spot); };
    if (find_law(fault.law)->chooses_series) {
        const std::string& name = fault.rupture.empty() ? fault.stated_at : fault.rupture;
        const auto slip = std::make_shared<const GivenSlip>(comm, fault.slip_rates, rupture, name);
        input.series = slip->series();
        input.at = [&fault, slip](const FaultSpot& spot) {
            FaultPoint point = fault.at(spot);
            slip->set(spot, point);
            return point;
        };
    }
    return input;
}

}  // namespace groundswell::quake
