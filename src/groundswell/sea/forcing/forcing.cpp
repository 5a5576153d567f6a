#include "groundswell/sea/forcing/forcing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

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

bool Forcing::has(std::string_view kind) const {
    return std::ranges::any_of(kinds_, [kind](const Kind& each) { return each.kind->name == kind; });
}

parallel::ReadCost Forcing::cost() const {
    parallel::ReadCost cost;
    for (const Kind& kind : kinds_)
        for (const Layer& layer : kind.layers) cost += layer.values->cost();
    return cost;
}

void Forcing::read(base::Instant time) {
    using Scratch = std::array<std::span<double>, 2>;
    const auto zeros = [](std::vector<double>(&scratch)[2], std::size_t components, std::size_t cells) {
        Scratch all;
        for (std::size_t c = 0; c < components; ++c) {
            scratch[c].assign(cells, 0.0);
            all[c] = scratch[c];
        }
        return all;
    };
    for (const Kind& kind : kinds_) {
        const std::size_t components = kind.kind->components.size();
        const Scratch all = zeros(values_, components, kind.cells);
        const ForcingValues values(all.data(), components);
        for (const Layer& layer : kind.layers) {
            if (!layer.add) {
                layer.values->apply(time, values);
                continue;
            }
            const Scratch one = zeros(one_layer_, components, kind.cells);
            layer.values->apply(time, {one.data(), components});
            for (std::size_t c = 0; c < components; ++c)
                std::ranges::transform(values[c], one[c], values[c].begin(), std::plus<>());
        }
        for (std::size_t c = 0; c < components; ++c)
            for (std::size_t i = 0; i < kind.cells; ++i)
                cells_[i].*(kind.kind->components[c].value) = static_cast<Real>(values[c][i]);
    }
}

}  // namespace groundswell::sea
