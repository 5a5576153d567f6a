#include "groundswell/sea/forcing/forcing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/gridded/shared_window.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::sea {

std::vector<Forcing::Kind> Forcing::make_kinds(std::string_view case_file,
                                               std::span<const ForcingSection> sections,
                                               const ForcedCells& cells, base::Instant start,
                                               base::Instant end) {
    std::vector<Kind> kinds;
    for (const auto& [kind, entries] : sections) {
        if (entries.empty()) continue;
        Kind& made = kinds.emplace_back(Kind{kind, kind->in_halo ? cells.longitude.size() : cells.owned, {}});
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const ForcingEntry& entry = *entries[i];
            const std::string key = fmt::format("{}[{}].{}", kind->name, i, entry.key());
            base::require(i == 0 || entry.blend() != ForcingEntry::Blend::none, case_file, key, entry.value(),
                          expected_blend(*kind));
            made.layers.push_back({entry.make({case_file, *kind, key, cells.longitude.first(made.cells),
                                               cells.latitude.first(made.cells), start, end, i == 0}),
                                   entry.blend() == ForcingEntry::Blend::add});
        }
    }
    return kinds;
}

Forcing::Forcing(MPI_Comm comm, std::string_view case_file, std::span<const ForcingSection> sections,
                 const ForcedCells& cells, base::Instant start, base::Instant end)
    : group_(gridded::reading_group(comm)),
      cells_(exec::make_cell_array<CellForcing>(static_cast<std::int32_t>(cells.longitude.size()), 1)) {
    GS_ASSERT(cells.longitude.size() == cells.latitude.size() && cells.owned <= cells.longitude.size());
    kinds_ = parallel::agree(comm, [&] { return make_kinds(case_file, sections, cells, start, end); });
    // A group throws together and waits for no other one before all have come to the end.
    parallel::agree(comm, [&] {
        for (const Kind& kind : kinds_)
            for (const Layer& layer : kind.layers) layer.values->open(group_.get(), start);
    });
    for (const Kind& kind : kinds_)
        for (const Layer& layer : kind.layers) {
            const auto most = parallel::max(comm, static_cast<std::int64_t>(layer.values->cells_reached()));
            parallel::agree(comm, [&] {
                if (most == 0) layer.values->refuse_far();
            });
        }
}

const Forcing::Kind* Forcing::find(std::string_view kind) const {
    const auto found =
        std::ranges::find_if(kinds_, [kind](const Kind& each) { return each.kind->name == kind; });
    return found == kinds_.end() ? nullptr : &*found;
}

bool Forcing::has(std::string_view kind) const {
    return find(kind) != nullptr;
}

parallel::ReadCost Forcing::cost() const {
    parallel::ReadCost cost;
    for (const Kind& kind : kinds_)
        for (const Layer& layer : kind.layers) cost += layer.values->cost();
    return cost;
}

std::optional<std::vector<LinearLayer>> Forcing::linear_layers(std::string_view kind) const {
    std::vector<LinearLayer> layers;
    if (const Kind* const found = find(kind))
        for (const Layer& layer : found->layers) {
            if (!layer.linear) return std::nullopt;
            layers.push_back(*layer.linear);
        }
    return layers;
}

void Forcing::leave(std::string_view kind) {
    if (!linear_layers(kind)) return;
    for (Kind& each : kinds_) each.left = each.left || each.kind->name == kind;
}

void Forcing::read(base::Instant time) {
    if (time_ == time) return;
    for (Kind& kind : kinds_) read(kind, time);
    time_ = time;
}

Forcing::Scratch Forcing::zeros(std::vector<double> (&scratch)[2], std::size_t cells) {
    for (std::vector<double>& component : scratch) component.assign(cells, 0.0);
    return {scratch[0], scratch[1]};
}

void Forcing::read(Kind& kind, base::Instant time) {
    if (!kind.left) zeros(values_, kind.cells);
    for (Layer& layer : kind.layers) {
        layer.linear.reset();
        if (const LinearLayer* const linear = layer.values->linear(time)) {
            layer.linear = *linear;
            layer.linear->adds = layer.add;
        }
        if (kind.left) continue;
        if (layer.linear)
            lay(kind, *layer.linear);
        else
            blend(kind, layer, time);
    }
    kind.behind = kind.left;
    if (!kind.left) store(kind);
}

void Forcing::settle() {
    for (Kind& kind : kinds_) {
        if (!std::exchange(kind.behind, false)) continue;
        zeros(values_, kind.cells);
        for (const Layer& layer : kind.layers) lay(kind, *layer.linear);
        store(kind);
    }
}

void Forcing::lay(const Kind& kind, const LinearLayer& layer) {
    exec::for_each_cell(0, static_cast<std::int32_t>(kind.cells), [&](std::int32_t cell) {
        const auto i = static_cast<std::size_t>(cell);
        const auto found = layer.over(i, {values_[0][i], values_[1][i]});
        for (std::size_t c = 0; c < found.size(); ++c) values_[c][i] = found[c];
    });
}

void Forcing::blend(const Kind& kind, const Layer& layer, base::Instant time) {
    const std::size_t components = kind.kind->components.size();
    const Scratch all{values_[0], values_[1]};
    if (!layer.add) {
        layer.values->apply(time, {all.data(), components});
        return;
    }
    const Scratch one = zeros(one_layer_, kind.cells);
    layer.values->apply(time, {one.data(), components});
    for (std::size_t c = 0; c < components; ++c)
        std::ranges::transform(all[c], one[c], all[c].begin(), std::plus<>());
}

void Forcing::store(const Kind& kind) {
    for (std::size_t c = 0; c < kind.kind->components.size(); ++c) {
        Real CellForcing::*const value = kind.kind->components[c].value;
        for (std::size_t i = 0; i < kind.cells; ++i) cells_[i].*value = static_cast<Real>(values_[c][i]);
    }
}

}  // namespace groundswell::sea
