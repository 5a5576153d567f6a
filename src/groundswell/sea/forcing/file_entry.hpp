#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/gridded/quantity.hpp"
#include "groundswell/sea/forcing/entry.hpp"

namespace groundswell::sea {

/// A kind of forcing from CF NetCDF files on a grid with axes.
struct FileOptions {
    std::vector<std::string> files;  ///< in order of time; where two overlap, the later file holds
    std::vector<std::string>
        names;                 ///< [component] of variables; empty: by standard_name, else by common names
    bool climatology = false;  ///< the time axis is one year that repeats
    /// Every value that the run will need is read and checked before the first step if a rank's share of it
    /// is at most this many MiB; beyond, a bad value is found when its time comes.
    double check_mebibytes = 1024.0;
    gridded::Stated units{};    ///< what files leave out, and what of them is taken
    double longest_step = 0.0;  ///< s between two times; 0: a longer one than usual is a gap
    bool add = false;           ///< to what stands above
    /// Where it has values, it takes the place of what stands above; that fades into them along its rim, over so many
    /// steps of its grid.
    std::optional<double> over{};
};

/// Each component is interpolated by itself, linear in time and bilinear in the axes of its grid. Components along the axes of a
/// mapped grid are turned towards true east and north at each cell. A file may hold all components or some.
class FileEntry final : public ForcingEntry {
public:
    explicit FileEntry(FileOptions options) : options_(std::move(options)) {}

    std::string_view key() const override { return "file"; }
    std::string value() const override;
    std::vector<std::string> files() const override { return options_.files; }
    Blend blend() const override {
        return options_.add ? Blend::add : options_.over ? Blend::own : Blend::none;
    }
    /// Throws base::Refusal; see gridded::GridSeries for what is checked.
    std::unique_ptr<ForcingLayer> make(const LayerPlace& place) const override;

private:
    FileOptions options_;
};

/// Reads an entry with the key `file`.
std::shared_ptr<const ForcingEntry> read_file_entry(const simulation::Section& section,
                                                    const ForcingKind& kind);

}  // namespace groundswell::sea
