// Propagation on a device: the bits of the processor's kernels, by any seed of the played device.
#include "groundswell/sea/propagation/on_device.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/sea/propagation/inflow.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "support/sea_propagation_case.hpp"

namespace groundswell::sea {
namespace {

using namespace test;

// An NVIDIA A100's block (CUDA C++ Programming Guide, table of compute capabilities, 8.0) with little memory.
const exec::DeviceLimits played{"played A100", 1024, 163 << 10, 64 << 20};

// One more edge at the coast for the cell, the seventh.
void add_edge(voronoi::LocalMesh& mesh, std::int32_t cell) {
    const auto at = mesh.edge_offset[cell + 1];
    mesh.neighbour.insert(mesh.neighbour.begin() + at, voronoi::coast);
    for (std::vector<double>* of_edges :
         {&mesh.edge_length, &mesh.edge_distance, &mesh.edge_bearing, &mesh.edge_lon, &mesh.edge_lat})
        of_edges->insert(of_edges->begin() + at, (*of_edges)[at - 1]);
    for (std::int32_t c = cell; c < mesh.total; ++c) ++mesh.edge_offset[c + 1];
    mesh.max_edges = 7;
}

constexpr auto by_upwind = PropagationScheme::upwind, by_second_order = PropagationScheme::second_order;

struct DeviceSetting {
    std::string name;
    PropagationScheme scheme;
    int directions;
    CoastBoundary coast = CoastBoundary::absorbing;
    bool all = false;  ///< frames turn, islands, ice and waves from outside
    bool currents = false, levels = false;
    friend void PrintTo(const DeviceSetting& setting, std::ostream* out) { *out << setting.name; }
};

class PropagatesOnADevice : public testing::TestWithParam<DeviceSetting> {
protected:
    // A belt around the Earth between coasts: pentagons, a cell with seven edges, rows that turn implicitly. North of 28° frames turn.
    PropagatesOnADevice() {
        options_ = with_scheme(GetParam().scheme);
        options_.coast = GetParam().coast;
        options_.swell_age = GetParam().all ? 4e5 : 0.0;
        options_.currents = GetParam().currents;
        options_.levels = GetParam().levels;
        options_.dry_depth = 20.0;
        const double north = GetParam().all ? 1.2 : 0.48;
        auto mesh = sphere(6, [north](double lon, double lat) {
            return lat < -0.48 || lat > north || std::cos(lon) * std::cos(lat) > 0.8 ? -1.0
                                                                                     : rough_depth(lon, lat);
        });
        for (std::int32_t cell = 0; mesh.max_edges < 7; ++cell)
            if (mesh.edge_offset[cell + 1] - mesh.edge_offset[cell] == 6) add_edge(mesh, cell);
        const auto islands = [](const voronoi::LocalMesh& of) {
            return obstruct(of, 12, [](std::int64_t from, std::int64_t to, int j) {
                return (from + to) % 3 == 0 ? 1.0 : noise(static_cast<int>(31 * from + 17 * to) + j);
            });
        };
        sea_ = std::make_unique<Case>(std::move(mesh), SpectralGrid(5, GetParam().directions, 0.05, 1.2),
                                      options_, GetParam().all ? Case::Obstruct(islands) : Case::Obstruct());
        sea_->fill(
            [](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) * (d % 7 < 3 ? 0 : 1); });
        if (GetParam().all) let_in_and_through();
        // Longer than second order is stable, so that some of its rows turn implicitly too: equal bits ask for no stability.
        const double share = GetParam().scheme == PropagationScheme::upwind ? 0.9 : 1.8;
        dt_ = share * sea_->propagator.longest_step().seconds;
        const PropagationTables tables(sea_->mesh, sea_->grid, options_);
        int implicit = 0;
        for (int cell = 0; cell < sea_->mesh.owned; ++cell) implicit += tables.turns_implicitly(cell, 0, dt_);
        EXPECT_GT(implicit, 0);
        EXPECT_LT(implicit, sea_->mesh.owned);
    }

    void let_in_and_through() {
        std::vector<std::int32_t> faces;
        for (std::int32_t e = 0; e < static_cast<std::int32_t>(sea_->mesh.neighbour.size()); ++e)
            if (sea_->mesh.neighbour[e] == voronoi::coast && e % 5 < 3) faces.push_back(e);
        const auto inflow = std::make_shared<Inflow>(sea_->mesh, faces, sea_->grid.bins());
        for (std::size_t face = 0; face < inflow->faces(); ++face)
            for (int b = 0; b < sea_->grid.bins(); ++b)
                inflow->beyond(face)[b] = static_cast<Real>(noise(static_cast<int>(face) * 131 + b));
        sea_->propagator.let_in(inflow);
        std::vector<Real> ice(sea_->mesh.total);
        for (std::int32_t cell = 0; cell < sea_->mesh.total; ++cell)
            ice[cell] = static_cast<Real>(cell % 4 == 0 ? noise(cell) : 1.0);
        sea_->propagator.let_through(ice);
        ASSERT_GT(inflow->faces(), 0U);
        ASSERT_FALSE(sea_->propagator.turning_frames().empty());
        ASSERT_LT(std::ssize(sea_->propagator.turning_frames()), sea_->mesh.owned / 2);
    }

    bool flows() const { return GetParam().currents || GetParam().levels; }
    // Currents that strain, one cell in four without any, and levels by which some fall dry and are wet again.
    std::vector<CellForcing> water(int step) const {
        std::vector<CellForcing> cells(static_cast<std::size_t>(sea_->mesh.total));
        for (std::int32_t cell = 0; cell < sea_->mesh.total; ++cell) {
            const double lon = sea_->mesh.lon[cell], lat = sea_->mesh.lat[cell];
            if (GetParam().currents && cell % 4 != 0) {
                cells[cell].eastward_current = static_cast<Real>(2.0 * std::sin(5.0 * lat + step));
                cells[cell].northward_current = static_cast<Real>(1.5 * std::cos(4.0 * lon));
            }
            if (GetParam().levels)
                cells[cell].water_level = static_cast<Real>(30.0 * std::sin(3.0 * lon + 2.0 * step));
        }
        return cells;
    }

    // The state after `steps`.
    std::vector<Real> on(exec::Device& device, int steps) {
        const exec::Stream stream = device.make_stream();
        if (flows()) sea_->propagator.set_water(water(0), {});
        const auto propagation = sea_->propagator.on_device(device, stream);
        exec::DeviceArray<Real> a(device, "state", stream, sea_->old), b(device, "next", stream, sea_->old);
        std::span<Real> old = a.span(), next = b.span();
        const std::int32_t middle = sea_->mesh.owned / 3;
        for (int step = 0; step < steps; ++step) {
            if (flows() && step > 0) {
                const Propagator::NewWater now = sea_->propagator.set_water(water(step));
                EXPECT_TRUE(now.any);
                EXPECT_EQ(now.cells.empty(), !GetParam().levels);
                propagation->set_water(stream, now.cells, old);
                device.synchronise(stream);
            }
            propagation->propagate(stream, 0, middle, next, old, dt_);
            propagation->propagate(stream, middle, sea_->mesh.owned, next, old, dt_);
            std::swap(old, next);
        }
        std::vector<Real> result(sea_->old.size());
        device.copy_out(stream, result.data(), old.data(), old.size_bytes());
        device.synchronise(stream);
        return result;
    }
    std::vector<Real> on_processor(int steps) {
        if (flows()) sea_->propagator.set_water(water(0), {});
        for (int step = 0; step < steps; ++step) {
            if (flows() && step > 0)
                sea_->propagator.set_water(water(step),
                                           [&](std::int32_t cell) { return &sea_->at(cell, 0, 0); });
            sea_->step(dt_);
        }
        return sea_->old;
    }
    // First cell whose bins differ; -1: none.
    int differs(const std::vector<Real>& a, const std::vector<Real>& b) const {
        for (int cell = 0; cell < sea_->mesh.owned; ++cell)
            if (std::memcmp(&a[cell * sea_->grid.stride()], &b[cell * sea_->grid.stride()],
                            sea_->grid.bins() * sizeof(Real)) != 0)
                return cell;
        return -1;
    }

    PropagationOptions options_;
    std::unique_ptr<Case> sea_;
    double dt_ = 0.0;
};

TEST_P(PropagatesOnADevice, HasTheBitsOfTheProcessorBySeedsAndBackEnds) {
    std::vector<std::vector<Real>> results;
    const auto as_host = exec::make_host_device();
    results.push_back(on(*as_host, 2));
    for (unsigned seed = 0; seed < 8; ++seed) {
        exec::PlayedDevice device(played, seed);
        results.push_back(on(device, 2));
        const int more = GetParam().all || (GetParam().currents && GetParam().scheme == by_upwind) ? 4 : 0;
        EXPECT_EQ(device.counts().launches, 4 + more + (flows() ? 4 : 0) + (GetParam().levels ? 1 : 0));
        EXPECT_EQ(device.counts().bytes_out, sea_->old.size() * sizeof(Real));
    }
    const std::vector<Real> expected = on_processor(2);
    for (const std::vector<Real>& result : results) ASSERT_EQ(differs(result, expected), -1);
}

INSTANTIATE_TEST_SUITE_P(
    settings, PropagatesOnADevice,
    testing::Values(
        DeviceSetting{"upwind_12", by_upwind, 12},
        DeviceSetting{"upwind_36", by_upwind, 36, CoastBoundary::closed},
        DeviceSetting{"upwind_7", by_upwind, 7},
        DeviceSetting{"upwind_all", by_upwind, 12, CoastBoundary::absorbing, true},
        DeviceSetting{"upwind_all_7", by_upwind, 7, CoastBoundary::closed, true},
        DeviceSetting{"second_order_12", by_second_order, 12},
        DeviceSetting{"second_order_7", by_second_order, 7, CoastBoundary::closed},
        DeviceSetting{"second_order_all", by_second_order, 12, CoastBoundary::absorbing, true},
        DeviceSetting{"upwind_levels", by_upwind, 12, CoastBoundary::absorbing, false, false, true},
        DeviceSetting{"upwind_currents_7", by_upwind, 7, CoastBoundary::closed, false, true},
        DeviceSetting{"upwind_water", by_upwind, 12, CoastBoundary::absorbing, true, true, true},
        DeviceSetting{"second_order_levels", by_second_order, 7, CoastBoundary::closed, true, false, true},
        DeviceSetting{"second_order_currents", by_second_order, 12, CoastBoundary::absorbing, false, true},
        DeviceSetting{"second_order_water", by_second_order, 12, CoastBoundary::absorbing, true, true, true}),
    [](const auto& setting) { return setting.param.name; });

}  // namespace
}  // namespace groundswell::sea
