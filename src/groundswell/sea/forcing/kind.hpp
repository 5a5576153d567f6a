#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/gridded/quantity.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/forcing/entry.hpp"

namespace groundswell::sea {

/// A kind of forcing: wind, current, … One file in sea/forcing/kinds and a line in its list.
///
/// The case file has it as an array of sections [[name]], each of one sort of entry; entries stand in order, the first one alone,
/// those behind it blended over what stands above them. Files of all kinds are read by one reader, FileEntry.
struct ForcingKind {
    struct Component {
        std::string_view key;        ///< in an entry that has files, the name of its variable: "eastward"
        std::string_view meaning;    ///< "eastward wind"
        gridded::Quantity quantity;  ///< how files have it
        Real CellForcing::*value;
    };
    /// A sort of entry: the key that tells it, and who reads it.
    struct Sort {
        std::string_view key;
        std::shared_ptr<const ForcingEntry> (*read)(const simulation::Section&, const ForcingKind&);
    };

    std::string_view name;              ///< of its section: "wind"
    std::string_view noun, short_noun;  ///< "10 m wind", "wind"
    std::string_view unit;              ///< of its components, as CF writes it: "m s-1"
    std::string_view names_expected;    ///< in files, for messages
    std::vector<Component> components;
    std::vector<Sort> sorts;
    std::vector<std::string> units;  ///< that the case may state for files without any
    std::string_view level_rule{};   ///< which level of a file is taken without the key `level`
    double largest = 0.0;            ///< magnitude of what the case gives in numbers
    /// Sorts that blend by themselves, for messages: "vortices"; empty: none.
    std::string_view blending_sorts{};
    /// Two components, towards east and north, that turn with the axes of a mapped grid.
    bool is_vector = true;
    /// Propagation feels it, so cells of the halo have it too.
    bool in_halo = true;
};

/// Reads the entries [[name]] of the case file. Throws base::Refusal.
ForcingEntries read_entries(const simulation::Section& root, const ForcingKind& kind);

/// Expectation for an entry that is not the first and does not say how it is combined with those above.
std::string expected_blend(const ForcingKind& kind);

}  // namespace groundswell::sea
