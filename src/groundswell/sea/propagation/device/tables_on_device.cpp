#include "groundswell/sea/propagation/device/tables_on_device.hpp"

#include <algorithm>

#include "groundswell/sea/propagation/flow/frequency_shift.hpp"
#include "groundswell/sea/propagation/kernels.hpp"

namespace groundswell::sea {

namespace {

// Four numbers each.
template <class Four>
std::span<const Real> as_numbers(const std::vector<Four>& fours) {
    static_assert(sizeof(Four) == 4 * sizeof(Real));
    return {reinterpret_cast<const Real*>(fours.data()), 4 * fours.size()};
}

}  // namespace

FlowOnDevice::FlowOnDevice(const PropagationTables& t, exec::Device& device, exec::Stream stream)
    : t_(t),
      device_(device),
      drift_(device, "currents over edges", t.flow->drift.size()),
      outflow_(device, "outflow by currents", t.flow->outflow.size()),
      x_(device, "currents, x", t.flow->x.size()),
      y_(device, "currents, y", t.flow->y.size()),
      strain_(device, "strain of currents", 4 * t.flow->strain.size()),
      density_(device, "k/cg", t.flow->all_densities().size()),
      potential_(device, "half of k squared", density_.span().size()),
      density_before_(device, "k/cg before", density_.span().size()),
      potential_before_(device, "half of k squared before", density_.span().size()),
      directions_(device, "directions of strain", 4 * static_cast<std::size_t>(t.grid.directions)),
      width_(device, "widths of frequencies", static_cast<std::size_t>(t.grid.frequencies)),
      distance_(device, "distances of frequencies", static_cast<std::size_t>(t.grid.frequencies)),
      dry_(device, "dry cells", t.flow->dry.size()),
      cells_(device, "cells of other depth", static_cast<std::size_t>(t.mesh.owned)) {
    const std::vector<flow_formulas::StrainedDirection> directions = Flow::strained_directions(t.grid);
    const std::vector<Real> width = FrequencyShift::widths(t.grid),
                            distance = FrequencyShift::distances(t.grid);
    const auto copy = [&](exec::DeviceArray<Real>& to, std::span<const Real> from) {
        device.copy_in(stream, to.span().data(), from.data(), from.size_bytes());
    };
    copy(directions_, as_numbers(directions));
    copy(width_, width);
    copy(distance_, distance);
    copy_water(stream);
    device.synchronise(stream);  // the host's arrays go away
}

void FlowOnDevice::copy_water(exec::Stream stream) {
    const Flow& flow = *t_.flow;
    const auto copy = [&](exec::DeviceArray<Real>& to, std::span<const Real> from) {
        device_.copy_in(stream, to.span().data(), from.data(), from.size_bytes());
    };
    copy(drift_, flow.drift);
    copy(outflow_, flow.outflow);
    copy(x_, flow.x);
    copy(y_, flow.y);
    copy(strain_, as_numbers(flow.strain));
    copy(density_, flow.all_densities());
    copy(potential_, flow.all_potentials());
    device_.copy_in(stream, dry_.span().data(), flow.dry.data(), flow.dry.size());
}

void FlowOnDevice::give(DeviceTables& tables) const {
    if (t_.options.currents) {
        tables.drift = drift_.span();
        tables.drift_outflows = outflow_.span();
    }
    tables.dry = dry_.span();
}

FlowTables FlowOnDevice::tables() const {
    return {t_.flow->row_length(), t_.options.turning ? 1 : 0, Flow::per_radian(t_.grid), strain_.span(),
            density_.span(),       potential_.span(),          directions_.span(),        width_.span(),
            distance_.span()};
}

void FlowOnDevice::set_water(exec::Stream stream, const DeviceTables& of_cells,
                             std::span<const std::int32_t> cells, std::span<Real> action) {
    if (!cells.empty()) {
        const std::size_t bytes = density_.span().size_bytes();
        device_.copy_within(stream, density_before_.span().data(), density_.span().data(), bytes);
        device_.copy_within(stream, potential_before_.span().data(), potential_.span().data(), bytes);
        device_.copy_in(stream, cells_.span().data(), cells.data(), cells.size_bytes());
    }
    copy_water(stream);
    if (cells.empty()) return;
    const DepthStep step{
        of_cells, tables(), action, cells_.span(), density_before_.span(), potential_before_.span()};
    device_.launch(stream,
                   {"depth", static_cast<int>(cells.size()), lanes(),
                    SpectrumOfBlock<exec::Block>::scratch_bytes(t_.grid.frequencies, t_.grid.directions)},
                   {propagation_kernels().depth_step, depth_cuda_entry()}, exec::Arguments::of(step));
}

void FlowOnDevice::change_spectra(exec::Stream stream, const DeviceTables& of_cells, std::int32_t begin,
                                  std::int32_t end, std::span<Real> n, double dt) {
    if (begin == end) return;
    const FlowStep step{of_cells, tables(), n, begin, static_cast<Real>(dt)};
    device_.launch(stream,
                   {"flow", end - begin, lanes(),
                    SpectrumOfBlock<exec::Block>::scratch_bytes(t_.grid.frequencies, t_.grid.directions)},
                   {propagation_kernels().flow_step, flow_cuda_entry()}, exec::Arguments::of(step));
}

TablesOnDevice::TablesOnDevice(const PropagationTables& t, exec::Device& device, exec::Stream stream)
    : t_(t), device_(device) {
    const auto directions = [&](const char* name, const DirectionTable& table) {
        return numbers(name, stream, {table.data(), static_cast<std::size_t>(t.grid.directions)});
    };
    const auto of = [&](const char* name, std::span<const Real> values) {
        return numbers(name, stream, values);
    };
    tables_.mesh = {places("edge offsets", stream, t.mesh.edge_offset),
                    places("neighbours", stream, t.mesh.neighbour)};
    tables_.grid = {t.grid.directions, t.grid.frequencies, static_cast<int>(t.grid.stride())};
    tables_.frequency_stride = t.frequency_stride;
    tables_.is_second_order = t.options.scheme == PropagationScheme::second_order ? 1 : 0;
    tables_.coast_absorbs = t.options.coast == CoastBoundary::absorbing ? 1 : 0;
    tables_.largest_explicit_outflow = t.largest_explicit_outflow;
    tables_.wave_number = renewed("wave numbers", stream, t.wave_number.span());
    tables_.ratio = renewed("ratios", stream, t.ratio.span());
    tables_.outflow_rate = renewed("outflow rates", stream, t.outflow_rate.span());
    tables_.rate = of("edge rates", t.rate);
    tables_.normal_x = of("normals, x", t.normal_x);
    tables_.normal_y = of("normals, y", t.normal_y);
    tables_.cosine = directions("cosines", t.cosine);
    tables_.sine = directions("sines", t.sine);
    tables_.turn_upper_x = directions("turning, upper x", t.turn_upper_x);
    tables_.turn_upper_y = directions("turning, upper y", t.turn_upper_y);
    tables_.turn_lower_x = directions("turning, lower x", t.turn_lower_x);
    tables_.turn_lower_y = directions("turning, lower y", t.turn_lower_y);
    if (t.flow) {
        flow_ = std::make_unique<FlowOnDevice>(t, device, stream);
        flow_->give(tables_);
    }
    copy_islands(stream);
    copy_cells_with_more_inflow(stream);
    let_through(stream);
    let_in(stream);
}

std::span<const Real> TablesOnDevice::renewed(const char* name, exec::Stream stream,
                                              std::span<const Real> values) {
    const std::span<const Real> there = numbers(name, stream, values);
    if (t_.flow) renewed_.emplace_back(&numbers_.back(), values);
    return there;
}

void TablesOnDevice::set_water(exec::Stream stream, std::span<const std::int32_t> cells,
                               std::span<Real> action) {
    for (const auto& [there, here] : renewed_)
        device_.copy_in(stream, there->span().data(), here.data(), here.size_bytes());
    flow_->set_water(stream, tables_, cells, action);
}

void TablesOnDevice::copy_islands(exec::Stream stream) {
    std::vector<std::int32_t> row(t_.mesh.neighbour.size(), -1);
    std::vector<Real> shares;
    const int n = t_.grid.directions;
    for (std::int32_t e = 0; e < t_.mesh.edge_offset[t_.mesh.owned]; ++e) {
        const Real* const through = t_.transparency(e);
        if (through == nullptr) continue;
        row[e] = static_cast<std::int32_t>(shares.size()) / n;
        shares.insert(shares.end(), through, through + n);
    }
    if (shares.empty()) return;
    tables_.transparency_row = places("edges with islands", stream, row);
    tables_.transparencies = numbers("what islands let through", stream, shares);
    device_.synchronise(stream);
}

void TablesOnDevice::copy_cells_with_more_inflow(exec::Stream stream) {
    std::vector<std::int32_t> has_more(t_.mesh.owned, 0), edge_begin{0}, edge, face_begin{0}, face_edge;
    std::vector<Real> turn;
    std::size_t face = 0;
    // Currents bring something to every cell: in second order with the waves, but for edges between frames.
    const bool by_upwind = tables_.is_second_order == 0, drifts = t_.options.currents;
    for (std::int32_t cell = 0; cell < t_.mesh.owned; ++cell) {
        const auto between_frames =
            by_upwind || drifts ? t_.rotated_edges_of(cell) : std::span<const RotatedEdge>();
        for (const RotatedEdge& of : between_frames) {
            edge.insert(edge.end(), {of.edge, of.rotation.shift});
            turn.insert(turn.end(), {of.normal_x, of.normal_y, of.rotation.part});
        }
        // Faces of owned cells come first.
        for (; t_.lets_in(cell) && face < t_.inflow->faces() &&
               t_.inflow->edge(face) < t_.mesh.edge_offset[cell + 1];
             ++face)
            face_edge.push_back(t_.inflow->edge(face));
        if (between_frames.empty() && !t_.lets_in(cell) && !(by_upwind && drifts)) continue;
        has_more[cell] = 1;
        cells_with_more_.push_back(cell);
        edge_begin.push_back(static_cast<std::int32_t>(edge.size()) / 2);
        face_begin.push_back(static_cast<std::int32_t>(face_edge.size()));
    }
    if (cells_with_more_.empty()) return;
    const std::vector<std::int32_t> rotated(t_.rotated.begin(), t_.rotated.end());
    const auto copy = [&](const char* name, const std::vector<std::int32_t>& values) {
        return values.empty() ? std::span<const std::int32_t>() : places(name, stream, values);
    };
    tables_.more_inflow = copy("cells with more inflow", has_more);
    if (!edge.empty()) tables_.rotated = copy("frames that turn", rotated);
    more_.cell = copy("which these are", cells_with_more_);
    more_.edge_begin = copy("where their edges between frames begin", edge_begin);
    if (!edge.empty()) more_.edge = copy("edges between frames", edge);
    if (!turn.empty()) more_.turn = numbers("how these turn", stream, turn);
    more_.face_begin = copy("where their faces begin", face_begin);
    if (!face_edge.empty()) more_.face_edge = copy("faces that let in", face_edge);
    device_.synchronise(stream);  // the host's arrays go away
}

void TablesOnDevice::launch_more_inflow(exec::Stream stream, std::int32_t begin, std::int32_t end,
                                        std::span<Real> n_new, std::span<const Real> n_old, double dt) {
    const auto first = std::ranges::lower_bound(cells_with_more_, begin),
               last = std::ranges::lower_bound(cells_with_more_, end);
    if (first == last) return;
    MoreInflow more = more_;
    more.t = tables_;
    more.n_old = n_old;
    more.n_new = n_new;
    more.first = static_cast<std::int32_t>(first - cells_with_more_.begin());
    more.dt = static_cast<Real>(dt);
    device_.launch(stream,
                   {"more inflow", static_cast<int>(last - first),
                    std::min(MoreInflow::most_lanes, device_.limits().lanes), 0},
                   {propagation_kernels().more_inflow, more_inflow_cuda_entry()}, exec::Arguments::of(more));
}

void TablesOnDevice::let_through(exec::Stream stream) {
    if (t_.passing.empty()) return;
    if (!passing_)
        passing_ =
            std::make_unique<exec::DeviceArray<Real>>(device_, "what ice lets through", t_.passing.size());
    tables_.passing = passing_->span();
    device_.copy_in(stream, passing_->span().data(), t_.passing.data(), t_.passing.size() * sizeof(Real));
}

void TablesOnDevice::let_in(exec::Stream stream) {
    if (!t_.inflow || t_.inflow->faces() == 0) return;
    const std::size_t size = t_.inflow->faces() * static_cast<std::size_t>(t_.grid.bins());
    if (!beyond_) beyond_ = std::make_unique<exec::DeviceArray<Real>>(device_, "waves from outside", size);
    more_.beyond = beyond_->span();
    device_.copy_in(stream, beyond_->span().data(), t_.inflow->beyond_edge(t_.inflow->edge(0)),
                    size * sizeof(Real));
}

}  // namespace groundswell::sea
