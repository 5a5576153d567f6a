#include "groundswell/quake/layer/layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/layer/fading.hpp"

namespace groundswell::quake {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
// The cosine of the angle up to which a face may lean out of the plane of its side.
constexpr double straight = 0.99;

// The coordinate up to which the absorbing faces of each side reach, by axis, lower side first; of lower sides its negative.
struct Sides {
    std::array<double, 6> out{none, none, none, none, none, none};
    std::optional<tetra::Point> oblique;

    void add(const tetra::Tetrahedron& cell, int face) {
        const tetra::Point normal = tetra::geometry_of(cell.place).normal[face];
        for (int axis = 0; axis < 3; ++axis) {
            if (std::abs(normal[axis]) < straight) continue;
            double& far = out[2 * axis + (normal[axis] > 0.0 ? 1 : 0)];
            for (const int corner : tetra::face_corners[face])
                far = std::max(far, std::copysign(1.0, normal[axis]) * cell.place[corner][axis]);
            return;
        }
        if (!oblique) oblique = tetra::centre_of(cell);
    }
    // Distance from the nearest of them.
    double distance(const tetra::Point& at) const {
        double nearest = std::numeric_limits<double>::infinity();
        for (int s = 0; s < 6; ++s) {
            if (out[s] > none) nearest = std::min(nearest, out[s] - (s % 2 == 1 ? 1.0 : -1.0) * at[s / 2]);
        }
        return nearest;
    }
};

std::string words(const tetra::Point& at) {
    return fmt::format("{:.6g}, {:.6g}, {:.6g} m", at[0], at[1], at[2]);
}

}  // namespace

template <class Real>
AbsorbingLayer<Real>::AbsorbingLayer(MPI_Comm comm, const Elements<Real>& elements,
                                     const tetra::LocalMesh& mesh, std::span<const Material> material,
                                     std::span<const std::int32_t> element_of, const LayerOptions& options,
                                     bool breaks)
    : rate_(elements.size()), has_layer_(elements.places().batches()) {
    const auto refuse = [&](const std::string& found, const std::string& expected) {
        base::refuse(options.stated_at, "absorbing_layer.thickness",
                     fmt::format("{:g}{}", options.thickness, found), expected);
    };
    Sides sides;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        for (int f = 0; f < 4; ++f) {
            if (mesh.cell[cell].boundary[f] == tetra::Boundary::absorbing) sides.add(mesh.cell[cell], f);
        }
    }
    parallel::agree(comm, [&] {
        if (sides.oblique)
            refuse(" beside an absorbing face about " + words(*sides.oblique),
                   "an absorbing boundary that is the sides and the bottom of a box along the axes");
    });
    for (double& out : sides.out) out = parallel::max(comm, out);
    parallel::agree(comm, [&] {
        if (std::ranges::max(sides.out) == none) refuse("", "a mesh with an absorbing boundary");
    });
    double speed = 0.0;
    std::int64_t outside = 0;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        const double depth = 1.0 - sides.distance(tetra::centre_of(mesh.cell[cell])) / options.thickness;
        if (depth <= 0.0) ++outside;
        rate_[element_of[cell]] = std::clamp(depth, 0.0, 1.0);
        const bool is_liquid = material[cell].is_liquid();
        if (depth > 0.0) speed = std::max(speed, is_liquid ? material[cell].vp() : material[cell].vs());
    }
    outside = parallel::sum(comm, outside);
    parallel::agree(comm, [&] {
        if (outside == 0) refuse("", "a layer thinner than half of the mesh: it leaves nothing else of it");
    });
    speed = parallel::max(comm, speed);
    if (speed == 0.0 && parallel::rank_of(comm) == 0)
        base::log_warning(
            "absorbing_layer.thickness = {:g}: no element has its centre so near to the "
            "absorbing boundary: there is no layer",
            options.thickness);
    parallel::agree(comm, [&] {
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
            if (rate_[element_of[cell]] == 0.0 || !breaks) continue;
            if (std::ranges::any_of(mesh.cell[cell].boundary, tetra::is_fault))
                refuse(", about " + words(tetra::centre_of(mesh.cell[cell])),
                       "a layer that no fault reaches into: what slip leaves of stress fades there");
        }
    });
    // It grows evenly from nothing: the logarithm is half of its largest value times the way.
    for (std::int32_t e = 0; e < elements.size(); ++e) {
        rate_[e] *= 2.0 * options.strength * speed / options.thickness;
        if (rate_[e] > 0.0) has_layer_[elements.places().batch(e)] = true;
    }
}

template <class Real>
void AbsorbingLayer<Real>::fade(Elements<Real>& elements, BatchRange batches, double seconds) const {
    const BatchPlaces& places = elements.places();
    const auto& layout = elements.layout();
    const auto lanes = static_cast<std::size_t>(layout.lanes);
    exec::for_each_cell(batches.begin, batches.end, [&](std::int32_t b) {
        if (!reaches(b)) return;
        const std::int32_t first = places.element_begin(b), last = places.element_begin(b + 1);
        for (std::int32_t e = first; e < last; ++e) {
            const Real part = left(e, seconds);
            Real* const state = elements.state_of(e);
            for (std::size_t i = 0; i < layout.state; i += lanes) state[i] = faded(state[i], part);
            if (layout.memory == 0) continue;
            Real* const memory = elements.memory_of(e);
            for (std::size_t i = 0; i < layout.memory; i += lanes) memory[i] = faded(memory[i], part);
        }
    });
}

template class AbsorbingLayer<float>;
template class AbsorbingLayer<double>;

std::optional<LayerOptions> read_layer(const simulation::Section& section) {
    if (!section.has("thickness") && !section.has("strength") && !section.describing()) return std::nullopt;
    constexpr const char* source = "Cerjan, Kosloff, Kosloff & Reshef 1985, doi:10.1190/1.1441945";
    LayerOptions options;
    options.stated_at = section.place("");
    options.thickness = section.number(
        "thickness", std::nullopt, {1e-9, 1e9},
        {"of the layer in which waves fade, beside absorbing sides and above an absorbing bottom; no layer "
         "if the case has no such section",
         "m", source});
    options.strength = section.number(
        "strength", 0.5, {0.0, 100.0},
        {"an S wave that comes in at a right angle is e to the power of minus this at the boundary", "1"});
    return options;
}

}  // namespace groundswell::quake
