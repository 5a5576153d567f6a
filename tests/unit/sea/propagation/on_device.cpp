// The first-order scheme on a device: the bits of the processor's kernels, by any seed of the played device.
#include "groundswell/sea/propagation/upwind/on_device.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
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

struct DeviceSetting {
    int directions;
    CoastBoundary coast;
};

class UpwindOnADevice : public testing::TestWithParam<DeviceSetting> {
protected:
    // A belt around the Earth between coasts: pentagons, a cell with seven edges, rows that turn implicitly.
    UpwindOnADevice() {
        options_ = with_scheme(PropagationScheme::upwind);
        options_.coast = GetParam().coast;
        auto mesh = sphere(6, [](double lon, double lat) {
            return std::abs(lat) > 0.48 || std::cos(lon) * std::cos(lat) > 0.8 ? -1.0 : rough_depth(lon, lat);
        });
        for (std::int32_t cell = 0; mesh.max_edges < 7; ++cell)
            if (mesh.edge_offset[cell + 1] - mesh.edge_offset[cell] == 6) add_edge(mesh, cell);
        sea_ = std::make_unique<Case>(std::move(mesh), SpectralGrid(5, GetParam().directions, 0.05, 1.2),
                                      options_);
        sea_->fill(
            [](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) * (d % 7 < 3 ? 0 : 1); });
        tables_ = std::make_unique<PropagationTables>(sea_->mesh, sea_->grid, options_);
        dt_ = 0.9 * sea_->propagator.longest_step().seconds;
    }

    // The state after `steps`.
    std::vector<Real> on(exec::Device& device, int steps) const {
        const exec::Stream stream = device.make_stream();
        UpwindOnDevice upwind(*tables_, device, stream);
        exec::DeviceArray<Real> a(device, "state", stream, sea_->old), b(device, "next", stream, sea_->old);
        std::span<Real> old = a.span(), next = b.span();
        const std::int32_t middle = sea_->mesh.owned / 3;
        for (int step = 0; step < steps; ++step) {
            upwind.propagate(stream, 0, middle, next, old, dt_);
            upwind.propagate(stream, middle, sea_->mesh.owned, next, old, dt_);
            std::swap(old, next);
        }
        std::vector<Real> result(sea_->old.size());
        device.copy_out(stream, result.data(), old.data(), old.size_bytes());
        device.synchronise(stream);
        return result;
    }
    std::vector<Real> on_processor(int steps) {
        for (int step = 0; step < steps; ++step) sea_->step(dt_);
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
    std::unique_ptr<PropagationTables> tables_;
    double dt_ = 0.0;
};

TEST_P(UpwindOnADevice, HasTheBitsOfTheProcessorBySeedsAndBackEnds) {
    int implicit = 0, explicitly = 0;
    for (int cell = 0; cell < sea_->mesh.owned; ++cell)
        ++(tables_->turns_implicitly(cell, 0, dt_) ? implicit : explicitly);
    ASSERT_GT(implicit, 0);
    ASSERT_GT(explicitly, 0);

    std::vector<std::vector<Real>> results;
    const auto as_host = exec::make_host_device();
    results.push_back(on(*as_host, 2));
    for (unsigned seed = 0; seed < 20; ++seed) {
        exec::PlayedDevice device(played, seed);
        results.push_back(on(device, 2));
        EXPECT_EQ(device.counts().launches, 4);
        EXPECT_EQ(device.counts().bytes_out, sea_->old.size() * sizeof(Real));
    }
    const std::vector<Real> expected = on_processor(2);
    for (const std::vector<Real>& result : results) ASSERT_EQ(differs(result, expected), -1);
}

INSTANTIATE_TEST_SUITE_P(settings, UpwindOnADevice,
                         testing::Values(DeviceSetting{12, CoastBoundary::absorbing},
                                         DeviceSetting{36, CoastBoundary::closed},
                                         DeviceSetting{7, CoastBoundary::absorbing}),
                         [](const auto& setting) {
                             return "directions_" + std::to_string(setting.param.directions);
                         });

TEST(PropagationOnADevice, IsRefusedWhereItHasNoForm) {
    const auto refusal = [](const voronoi::LocalMesh& mesh, const PropagationOptions& options,
                            const Obstruction* obstruction) -> std::string {
        const PropagationTables tables(mesh, SpectralGrid(3, 12, 0.05, 1.2), options, obstruction);
        exec::PlayedDevice device(played, 0);
        try {
            UpwindOnDevice(tables, device, device.make_stream());
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return "";
    };
    PropagationOptions options = with_scheme(PropagationScheme::upwind);
    const auto flat = patch(5, 5, 1e4, [](double, double) { return 100.0; });
    EXPECT_EQ(refusal(flat, options, nullptr), "");
    EXPECT_NE(refusal(sphere(4, 100.0), options, nullptr).find("cells near a pole"), std::string::npos);
    const Obstruction islands = obstruct(flat, 12, [](std::int64_t, std::int64_t, int) { return 0.5; });
    EXPECT_NE(refusal(flat, options, &islands).find("obstructed edges"), std::string::npos);
    options.currents = true;
    EXPECT_NE(refusal(flat, options, nullptr).find("currents"), std::string::npos);
}

}  // namespace
}  // namespace groundswell::sea
