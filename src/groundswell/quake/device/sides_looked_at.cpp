#include "groundswell/quake/device/sides_looked_at.hpp"

namespace groundswell::quake {

struct SidesLookedAt::Numbers {
    Numbers(std::span<const std::span<const TraceEntry>> tables, int rows,
            std::span<const std::vector<SidesLookedAt::Side>> sides) {
        for (const std::span<const TraceEntry> entries : tables) {
            auto entry = entries.begin();
            for (int r = 0; r <= rows; ++r) {
                while (entry != entries.end() && entry->row < r) ++entry;
                row.push_back(static_cast<std::int32_t>(std::ssize(trace) + (entry - entries.begin())));
            }
            trace.insert(trace.end(), entries.begin(), entries.end());
        }
        for (const auto& of_block : sides) {
            for (const SidesLookedAt::Side& one : of_block) {
                if (static_cast<std::int32_t>(batch.size()) == first.back() || batch.back() != one.batch) {
                    batch.push_back(one.batch);
                    begin.push_back(static_cast<std::int32_t>(side.size()));
                }
                side.push_back({one.element, one.table, one.written});
                normal.insert(normal.end(), one.normal.begin(), one.normal.end());
            }
            first.push_back(static_cast<std::int32_t>(batch.size()));
        }
        begin.push_back(static_cast<std::int32_t>(side.size()));
    }

    std::vector<std::int32_t> first{0}, batch, begin, row;
    std::vector<SideLooks::Side> side;
    std::vector<double> normal;
    std::vector<TraceEntry> trace;
};

SidesLookedAt::SidesLookedAt(exec::Device& device, exec::Stream stream,
                             std::span<const std::span<const TraceEntry>> tables, int rows,
                             std::span<const std::vector<Side>> sides)
    : SidesLookedAt(device, stream, Numbers(tables, rows, sides)) {}

SidesLookedAt::SidesLookedAt(exec::Device& device, exec::Stream stream, const Numbers& numbers)
    : first_(numbers.first),
      batches_(numbers.batch),
      batch_(device, "batches looked at", stream, numbers.batch),
      begin_(device, "their sides", stream, numbers.begin),
      row_(device, "rows of traces", stream, numbers.row),
      side_(device, "sides looked at", stream, numbers.side),
      normal_(device, "their normals", stream, numbers.normal),
      trace_(device, "traces", stream, numbers.trace),
      nowhere_(device, "nowhere", 0),
      no_faces_(device, "no faces", 0) {
    device.synchronise(stream);
}

SideLooks SidesLookedAt::of(int block) const {
    SideLooks looks;
    looks.batch = batch_.span();
    looks.begin = begin_.span();
    looks.looked = side_.span();
    looks.normal = normal_.span();
    looks.row = row_.span();
    looks.trace = trace_.span();
    looks.sides = nowhere_.span();
    looks.sea = {no_faces_.span(), nowhere_.span(), nowhere_.span(), nowhere_.span()};
    looks.first = first_[block];
    return looks;
}

}  // namespace groundswell::quake
