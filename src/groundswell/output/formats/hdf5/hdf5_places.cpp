#include "groundswell/output/formats/hdf5/hdf5_places.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/formats/hdf5/hdf5_image.hpp"

namespace groundswell::output {

namespace {

std::int64_t aligned(std::int64_t bytes) {
    return (bytes + 7) / 8 * 8;
}

}  // namespace

std::int64_t first_fresh(const Hdf5Layout& layout, std::int64_t first) {
    return (first + layout.slots - 1) / layout.slots * layout.slots;
}

Hdf5Places::Hdf5Places(std::vector<Hdf5Layout> layouts, Prepare prepare)
    : layouts_(std::move(layouts)), prepare_(std::move(prepare)), places_(layouts_.size()) {}

bool Hdf5Places::complete() const {
    for (std::size_t v = 0; v < places_.size(); ++v)
        if (places_[v].empty() && !layouts_[v].record) return false;
    return true;
}

void Hdf5Places::begin(std::int64_t end) {
    space_ = committed_ = FileSpace(aligned(end));
}

void Hdf5Places::undo(std::int64_t records) {
    space_ = committed_;
    for (std::size_t v = 0; v < places_.size(); ++v)
        if (layouts_[v].record) places_[v].resize(layouts_[v].chunks_of(records));
}

std::int64_t Hdf5Places::take(std::int64_t bytes, std::int64_t used) {
    const std::int64_t begin = space_.take(aligned(bytes));
    prepare_({begin, bytes}, used);
    return begin;
}

std::int64_t Hdf5Places::place(std::size_t variable, std::int64_t record) {
    const Hdf5Layout& layout = layouts_[variable];
    Blocks& places = places_[variable];
    if (!layout.record) {
        const std::int64_t bytes = layout.record_bytes();
        places = {{take(bytes, bytes), bytes}};
        return places.front().address;
    }
    const auto first = static_cast<std::size_t>(record / layout.slots * layout.chunks());
    if (places.size() <= first) {
        const std::int64_t bytes = layout.chunk_bytes();
        // What no record has filled yet, and what lies behind the last row, is there too.
        const std::int64_t address =
            take(layout.chunks() * bytes, layout.slots > 1 ? 0 : layout.record_bytes());
        for (std::int64_t chunk = 0; chunk < layout.chunks(); ++chunk)
            places.push_back({address + chunk * bytes, bytes});
    }
    return places[first].address + record % layout.slots * layout.record_bytes();
}

RunPlace Hdf5Places::place_run(std::size_t variable, std::int64_t first, std::int64_t count) {
    const Hdf5Layout& layout = layouts_[variable];
    GS_ASSERT(layout.chunks() == 1);
    Blocks& places = places_[variable];
    RunPlace run;
    const std::int64_t border = first_fresh(layout, first), end = first + count;
    if (border > first) run.begun = places[first / layout.slots].address;
    if (end <= border) return run;
    const std::int64_t chunks = layout.chunks_of(end) - layout.chunks_of(border);
    run.fresh = take(chunks * layout.chunk_bytes(), (end - border) * layout.record_bytes());
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
        places.push_back({run.fresh + chunk * layout.chunk_bytes(), layout.chunk_bytes()});
    return run;
}

std::int64_t Hdf5Places::place_deflated(std::size_t variable, const std::vector<std::int64_t>& sizes) {
    Blocks& places = places_[variable];
    if (!layouts_[variable].record) places.clear();
    const std::int64_t bytes = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    const std::int64_t begin = take(bytes, bytes);
    std::int64_t at = begin;
    for (const std::int64_t size : sizes) {
        places.push_back({at, size});
        at += size;
    }
    return begin;
}

void Hdf5Places::replace_metadata(Blocks blocks) {
    constexpr std::int64_t least = std::int64_t{4} << 20, part = 50;
    old_metadata_.push_back(std::exchange(metadata_, std::move(blocks)));
    std::int64_t bytes = 0;
    for (const Blocks& each : old_metadata_)
        for (const Place& place : each) bytes += place.bytes;
    while (bytes > std::max(least, space_.end() / part)) {
        for (const Place& place : old_metadata_.front()) bytes -= place.bytes;
        give_back(old_metadata_.front());
        old_metadata_.pop_front();
    }
}

void Hdf5Places::forget_old_metadata() {
    for (; !old_metadata_.empty(); old_metadata_.pop_front()) give_back(old_metadata_.front());
    commit();
}

void Hdf5Places::give_back(const Blocks& blocks) {
    for (const Place& place : blocks) space_.give_back(place.address, place.bytes);
}

void Hdf5Places::take_over(const std::vector<Hdf5Stored>& stored, std::int64_t records) {
    for (std::size_t v = 0; v < stored.size(); ++v) {
        places_[v] = stored[v].places;
        places_[v].resize(layouts_[v].chunks_of(records));
    }
}

void Hdf5Places::free_the_rest() {
    old_metadata_.clear();
    Blocks used{{0, hdf5_begin}};
    used.insert(used.end(), metadata_.begin(), metadata_.end());
    for (const Blocks& places : places_) used.insert(used.end(), places.begin(), places.end());
    std::sort(used.begin(), used.end(), [](const Place& a, const Place& b) { return a.address < b.address; });
    std::int64_t end = 0;
    for (const Place& place : used) end = std::max(end, aligned(place.address + place.bytes));
    begin(end);
    std::int64_t at = 0;
    for (const Place& place : used) {
        // Chunks that follow one another need not begin at multiples of eight; gaps do.
        const std::int64_t begin = place.address / 8 * 8;
        if (begin > at) space_.give_back(at, begin - at);
        at = std::max(at, aligned(place.address + place.bytes));
    }
    commit();
}

}  // namespace groundswell::output
