#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/exec/array.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/forcing/entry.hpp"
#include "groundswell/sea/forcing/kind.hpp"

namespace groundswell::sea {

/// A kind of forcing that a case has, and its entries.
struct ForcingSection {
    const ForcingKind* kind;
    ForcingEntries entries;
};

/// The cells of a rank: those that it owns come first, those of its halo behind them.
struct ForcedCells {
    std::span<const double> longitude,
        latitude;  ///< [total] rad, of centres; any number of cells, none included
    std::size_t owned;
};

/// Forcing of the cells of one rank, of the kinds that the case has; a kind that it does not have costs nothing.
///
/// Files are read by groups of at most eight ranks of a host, each rank a band of whole rows, for no more
/// than two times at once; what a rank reads, sends and holds follows from the cells of its group.
class Forcing {
public:
    /// Checks everything that the period needs: throws base::Refusal on all ranks naming file, variable or
    /// line, what was found and what was expected. `case_file` names the case in messages about the entries
    /// themselves. Collective.
    Forcing(MPI_Comm comm, std::string_view case_file, std::span<const ForcingSection> sections,
            const ForcedCells& cells, base::Instant start, base::Instant end);

    /// Sets all cells to a time of the period, unless they are there. Times may come in any order, the same on all ranks, but each file is
    /// read once only when they do not go back. Throws base::RunFailure when a file can no longer be read or holds a bad value that was not
    /// checked before: on all ranks of one or more groups, so the caller lets all ranks agree. Collective.
    void read(base::Instant time);

    /// The layers of a kind at the time read last, from below, if they are all linear between two times; none of a kind that the case does
    /// not have. Good until the next read().
    std::optional<std::vector<LinearLayer>> linear_layers(std::string_view kind) const;
    /// From now on read() leaves the values of such a kind to whoever takes its layers, and to settle().
    void leave(std::string_view kind);
    /// Sets the cells to what read() has left. Not collective.
    void settle();

    /// [total], as read last; those of the halo without what propagation does not feel.
    std::span<const CellForcing> cells() const { return cells_.span(); }
    /// Does the case have a kind of this name; any kind?
    bool has(std::string_view kind) const;
    bool has_any() const { return !kinds_.empty(); }

    /// Cost of reading for this rank so far.
    parallel::ReadCost cost() const;

private:
    struct Layer {
        std::unique_ptr<ForcingLayer> values;
        bool add;
        std::optional<LinearLayer> linear{};  // of the time read last, if it is
    };
    struct Kind {
        const ForcingKind* kind;
        std::size_t cells;
        std::vector<Layer> layers;
        bool left = false, behind = false;  // to settle(), which has something to do
    };
    static std::vector<Kind> make_kinds(std::string_view case_file, std::span<const ForcingSection> sections,
                                        const ForcedCells& cells, base::Instant start, base::Instant end);

    const Kind* find(std::string_view kind) const;
    using Scratch = std::array<std::span<double>, 2>;
    static Scratch zeros(std::vector<double> (&scratch)[2], std::size_t cells);
    void read(Kind& kind, base::Instant time);
    void blend(const Kind& kind, const Layer& layer, base::Instant time);
    void lay(const Kind& kind, const LinearLayer& layer);
    void store(const Kind& kind);

    parallel::Communicator group_;  // of ranks that read together
    std::vector<Kind> kinds_;
    exec::Array<CellForcing> cells_;
    std::optional<base::Instant> time_;             // read last
    std::vector<double> values_[2], one_layer_[2];  // [cells] scratch
};

}  // namespace groundswell::sea
