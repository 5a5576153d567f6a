#include "groundswell/quake/source/rupture/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/tetra/locate.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"

namespace groundswell::quake {

namespace {

constexpr std::size_t block_values = std::size_t{1} << 20;  // of a broadcast: 8 MiB

void pack(const SubSource& part, std::vector<double>& values) {
    const auto add = [&](const auto& more) { values.insert(values.end(), more.begin(), more.end()); };
    values.push_back(static_cast<double>(part.pulses.size()));
    for (const Pulse& pulse : part.pulses) {
        add(pulse.moment);
        add(pulse.per_mu);
        add(pulse.per_lambda);
        add(pulse.force);
        values.push_back(pulse.onset);
        values.push_back(pulse.interval);
        values.push_back(static_cast<double>(pulse.rate.size()));
        add(pulse.rate);
    }
}

// Moves `at` behind the part; without pulses where it is not wanted.
SubSource unpack(const double*& at, bool is_wanted) {
    SubSource part;
    const auto take = [&](auto& values) {
        std::copy_n(at, values.size(), values.begin());
        at += values.size();
    };
    const auto pulses = static_cast<int>(*at++);
    for (int i = 0; i < pulses; ++i) {
        Pulse pulse;
        take(pulse.moment);
        take(pulse.per_mu);
        take(pulse.per_lambda);
        take(pulse.force);
        pulse.onset = *at++;
        pulse.interval = *at++;
        const auto samples = static_cast<std::size_t>(*at++);
        if (is_wanted) pulse.rate.assign(at, at + samples);
        at += samples;
        if (is_wanted) part.pulses.push_back(std::move(pulse));
    }
    return part;
}

// Where the parts are, on all ranks.
std::vector<tetra::Point> places_of(MPI_Comm comm, const Rupture& rupture) {
    std::vector<double> values;
    for (const SubSource& part : rupture.parts)
        values.insert(values.end(), part.place.begin(), part.place.end());
    parallel::broadcast(comm, values);
    std::vector<tetra::Point> places(values.size() / 3);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
    return places;
}

// "line 12 of x.srf", "sub-source 3".
std::string part_name(const Rupture& rupture, std::size_t part, const std::string& file) {
    const std::int64_t line = rupture.parts[part].line;
    return line > 0 ? fmt::format("{}:{}", file, line) : fmt::format("sub-source {}", part + 1);
}

void lower_from_surface(MPI_Comm comm, const Domain& domain, const std::string& name, const std::string& file,
                        const Rupture& rupture, std::vector<tetra::Point>& places) {
    const auto found = tetra::find_surface(comm, domain.mesh, places);
    const auto missing = std::ranges::find_if(found, [](const auto& one) { return !one.there; });
    parallel::agree(comm, [&] {
        if (missing == found.end() || parallel::rank_of(comm) != 0) return;
        const auto part = static_cast<std::size_t>(missing - found.begin());
        base::refuse(part_name(rupture, part, file), name + ".depth_from", "surface",
                     fmt::format("a free surface above the place, x = {:.6g} m, y = {:.6g} m; the nearest "
                                 "corner of one is {:.4g} m away",
                                 places[part][0], places[part][1], missing->beside));
    });
    for (std::size_t i = 0; i < places.size(); ++i) places[i][2] += found[i].height;
}

void refuse_outside(MPI_Comm comm, const Domain& domain, const std::string& name, const std::string& file,
                    const Rupture& rupture, const std::vector<tetra::Point>& places,
                    const std::vector<tetra::Located>& found) {
    std::size_t first = found.size(), farthest = found.size(), outside = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].id >= 0) continue;
        ++outside;
        if (first == found.size()) first = i;
        if (farthest == found.size() || found[i].outside > found[farthest].outside) farthest = i;
    }
    if (outside == 0) return;
    parallel::agree(comm, [&] {
        if (parallel::rank_of(comm) != 0) return;
        const auto& at = places[first];
        base::refuse(part_name(rupture, first, file), name,
                     fmt::format("[{:.6g}, {:.6g}, {:.6g}] m", at[0], at[1], at[2]),
                     fmt::format("places within the mesh, whose nearest corner is {:.4g} m away; {} of {} "
                                 "sub-sources lie outside, the farthest {:.4g} m from a corner ({}){}",
                                 found[first].outside, outside, found.size(), found[farthest].outside,
                                 part_name(rupture, farthest, file),
                                 domain.explain_distance(found[farthest].outside)));
    });
}

// What rank 0 knows, told to all.
SpreadRupture facts_of(MPI_Comm comm, const std::string& name, const Rupture& rupture) {
    RuptureFacts facts;
    if (parallel::rank_of(comm) == 0)
        facts = {std::ssize(rupture.parts), rupture.silent, times_of(rupture), extent_of(rupture),
                 reach_of(rupture)};
    MPI_Bcast(&facts, sizeof(facts), MPI_BYTE, 0, comm);
    return {facts, name};
}

}  // namespace

SpreadRupture spread(MPI_Comm comm, const Domain& domain, const std::string& name, const std::string& file,
                     const std::function<Rupture()>& make, const AddSources& add) {
    const bool has_all = parallel::rank_of(comm) == 0;
    Rupture rupture = parallel::agree(comm, [&] { return has_all ? make() : Rupture{}; });
    if (!rupture.warning.empty()) base::log_warning("{}: {}", name, rupture.warning);
    std::vector<tetra::Point> places = places_of(comm, rupture);
    int from_surface = rupture.depth_from_surface ? 1 : 0;
    MPI_Bcast(&from_surface, 1, MPI_INT, 0, comm);
    if (from_surface != 0) lower_from_surface(comm, domain, name, file, rupture, places);
    const auto found = tetra::locate(comm, domain.mesh, places);
    refuse_outside(comm, domain, name, file, rupture, places, found);
    if (has_all) {
        for (std::size_t part = 0; part < places.size(); ++part) rupture.parts[part].place = places[part];
    }
    SpreadRupture facts = facts_of(comm, name, rupture);
    std::vector<double> values;
    std::size_t packed = 0;
    for (std::size_t part = 0; part < places.size();) {
        values.clear();
        for (; packed < rupture.parts.size() && values.size() < block_values; ++packed) {
            pack(rupture.parts[packed], values);
            rupture.parts[packed] = {};
        }
        parallel::broadcast(comm, values);
        const double* at = values.data();
        for (; at != values.data() + values.size(); ++part) {
            const bool is_mine = found[part].cell >= 0;
            SubSource one = unpack(at, is_mine);
            if (!is_mine) continue;
            one.place = places[part];
            add(found[part].cell, found[part].reference, one.in(domain.material[found[part].cell]));
        }
    }
    return facts;
}

}  // namespace groundswell::quake
