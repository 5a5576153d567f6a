#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "groundswell/quake/device/elements_on_device.hpp"

namespace groundswell::quake {

/// All that elements have in the memory of a device.
template <class Real>
struct ElementsOnDevice<Real>::Memory {
    /// All in `from` must stay until the stream has come to this point.
    Memory(const ElementsMemory<Real>& from, const RowTables<Real>& rows, const RowTables<Real>& of_water,
           exec::Device& device, exec::Stream stream)
        : material(device, "material", stream, from.material),
          faces(device, "faces", stream, from.faces),
          state(device, "state", stream, from.state),
          memory(device, "memory variables", stream, from.memory),
          sides(device, "sides", stream, from.sides),
          beyond(device, "sides beyond", stream, from.beyond),
          pieces(device, "pieces", stream, from.pieces),
          other_kind(device, "sides of the other kind", stream, from.other_kind),
          is_water(device, "water", stream, from.is_water),
          begin(device, "rows", stream, rows.begin),
          water_begin(device, "rows of water", stream, of_water.begin),
          entries(device, "entries", stream, rows.entries),
          water_entries(device, "entries of water", stream, of_water.entries),
          anisotropic_of(device, "batches that meet anisotropic rock", stream, from.anisotropic_of),
          anisotropic_values(from.anisotropic.empty() ? 0 : from.anisotropic.front().size()),
          anisotropic(device, "anisotropic rock", from.anisotropic.size() * anisotropic_values) {
        for (std::size_t i = 0; i < from.anisotropic.size(); ++i)
            device.copy_in(stream, anisotropic.span().data() + i * anisotropic_values,
                           from.anisotropic[i].data(), anisotropic_values * sizeof(Real));
    }

    exec::DeviceArray<Real> material, faces, state, memory, sides;
    exec::DeviceArray<std::int32_t> beyond, pieces;
    exec::DeviceArray<std::uint32_t> other_kind;
    exec::DeviceArray<std::int32_t> is_water, begin, water_begin;
    exec::DeviceArray<SparseEntry<Real>> entries, water_entries;
    exec::DeviceArray<std::int32_t> anisotropic_of;
    const std::size_t anisotropic_values;  // of a batch that meets anisotropic rock: its material and faces
    exec::DeviceArray<Real> anisotropic;
    // What sources add: which batches have such, and their numbers.
    std::vector<std::int32_t> host_added_of, added_before;  // [batch]; and how many before it, and in all
    std::optional<exec::DeviceArray<std::int32_t>> added_of;
    std::optional<exec::DeviceArray<Real>> added;
    std::int64_t added_values = 0;
    // Sides on the way, as many as there were at most.
    std::vector<Real> host_moved;
    std::vector<std::int32_t> host_which;
    std::optional<exec::DeviceArray<Real>> moved;
    std::optional<exec::DeviceArray<std::int32_t>> which;
};

}  // namespace groundswell::quake
