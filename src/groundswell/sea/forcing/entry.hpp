#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/parallel/read_cost.hpp"
#include "groundswell/sea/forcing/linear_layer.hpp"

namespace groundswell::simulation {
class Section;
}

namespace groundswell::sea {

/// The values of a kind of forcing: [component][cells].
using ForcingValues = std::span<const std::span<double>>;

/// One entry of a kind of forcing, such as a [[wind]], on cells of a rank. A cell's values depend on its own place and on time
/// alone, so the bits do not depend on the partition. A layer is made by each rank for itself; then all ranks
/// of a group open it, and from then on ask for the same times together.
class ForcingLayer {
public:
    virtual ~ForcingLayer() = default;

    /// Reads what is to be checked before the first step, and the values at `start`. Throws base::Refusal on
    /// all ranks of the group. Collective over `group`, which must outlive the layer. Most layers read
    /// nothing.
    virtual void open([[maybe_unused]] MPI_Comm group, [[maybe_unused]] base::Instant start) {}

    /// The layer at a time, good until the next call, where its values are linear between two times; null of one that is otherwise,
    /// always. Reads what that wants. Collective over the group.
    virtual const LinearLayer* linear([[maybe_unused]] base::Instant time) { return nullptr; }
    /// Replaces the values of the layers below, or blends over them: what a layer does that is otherwise. Collective over the group.
    virtual void apply([[maybe_unused]] base::Instant time, [[maybe_unused]] ForcingValues values) {
        std::terminate();
    }

    /// Cells of the rank that it says something of; none on all ranks is refused by refuse_far().
    virtual std::size_t cells_reached() const { return 1; }
    [[noreturn]] virtual void refuse_far() const { std::terminate(); }

    /// So far, on this rank.
    virtual parallel::ReadCost cost() const { return {}; }
};

struct ForcingKind;

/// Whom a layer is made for.
struct LayerPlace {
    std::string_view case_file;  ///< for messages about the entry itself
    const ForcingKind& kind;
    std::string key;                              ///< "wind[0].file", for messages
    std::span<const double> longitude, latitude;  ///< rad, of the cells' centres
    base::Instant start, end;                     ///< of what will be asked for
    bool is_first;                                ///< no layer stands below
};

/// An entry of the case file, such as one [[wind]]: what it says, read and not yet looked at.
class ForcingEntry {
public:
    /// Way in which an entry that is not the first is combined with what stands above it.
    enum class Blend {
        none,  ///< not at all: it must be the first
        add,   ///< their sum
        own    ///< as the layer itself does it
    };

    virtual ~ForcingEntry() = default;
    /// The key that says which sort of entry it is, and its value: for messages.
    virtual std::string_view key() const = 0;
    virtual std::string value() const = 0;
    virtual std::vector<std::string> files() const { return {}; }
    virtual Blend blend() const = 0;
    /// Throws base::Refusal. Not collective.
    virtual std::unique_ptr<ForcingLayer> make(const LayerPlace& place) const = 0;
};

using ForcingEntries = std::vector<std::shared_ptr<const ForcingEntry>>;

}  // namespace groundswell::sea
