#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "groundswell/output/formats/file_space.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"

namespace groundswell::output {

/// Where the records of a run go of which one rank has some: those that fill a chunk which is there already, by the
/// begin of that chunk, and the others, by the first such record (compressed: the first of that rank).
struct RunPlace {
    std::int64_t begun = 0, fresh = 0;
};

/// Places in a netCDF-4 file: values, metadata, and room for more. The rank that makes the metadata knows it, the
/// others the layouts alone. What is asked for counts from commit() on; until then undo() forgets it.
class Hdf5Places {
public:
    using Blocks = std::vector<Place>;
    /// Makes sure of new room on the disk, and fills with zeros what stands in it from byte `used` on: readers take
    /// chunks whole. May throw.
    using Prepare = std::function<void(const Place& room, std::int64_t used)>;

    Hdf5Places(std::vector<Hdf5Layout> layouts, Prepare prepare);

    const std::vector<Hdf5Layout>& layouts() const { return layouts_; }
    const std::vector<Blocks>& of_variables() const {
        return places_;
    }                                      ///< the chunks of each, in their order
    bool complete() const;                 ///< every variable without records has its place
    FileSpace& space() { return space_; }  ///< at work
    std::int64_t end() const { return committed_.end(); }

    /// A file in which everything below `end` is in use.
    void begin(std::int64_t end);
    void commit() { committed_ = space_; }
    /// Back to the last commit(), with `records` records.
    void undo(std::int64_t records);

    /// Where row 0 goes of a variable that is not compressed.
    std::int64_t place(std::size_t variable, std::int64_t record);
    /// The same for records [first, first + count), each of one chunk or less.
    RunPlace place_run(std::size_t variable, std::int64_t first, std::int64_t count);
    /// One place for the compressed chunks of a variable, one after another.
    std::int64_t place_deflated(std::size_t variable, const std::vector<std::int64_t>& sizes);

    /// Other metadata are in force. Whoever has the file open may still read those before: the place of the oldest is
    /// used again only when all together take more than a little of the file.
    void replace_metadata(Blocks blocks);
    /// Nobody reads them any more.
    void forget_old_metadata();

    /// Takes over the chunks of an existing file that hold so many records.
    void take_over(const std::vector<Hdf5Stored>& stored, std::int64_t records);
    /// Only the values and the metadata in force are in use: everything else is free.
    void free_the_rest();

private:
    std::int64_t take(std::int64_t bytes, std::int64_t used);
    void give_back(const Blocks& blocks);

    std::vector<Hdf5Layout> layouts_;
    Prepare prepare_;
    std::vector<Blocks> places_;
    FileSpace space_, committed_;
    Blocks metadata_;                  // in force
    std::deque<Blocks> old_metadata_;  // the oldest first
};

/// The first record from `first` on that begins a chunk.
std::int64_t first_fresh(const Hdf5Layout& layout, std::int64_t first);

}  // namespace groundswell::output
