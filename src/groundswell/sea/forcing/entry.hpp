#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/sea/forcing/layer.hpp"

namespace groundswell::simulation {
class Section;
}

namespace groundswell::sea {

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
