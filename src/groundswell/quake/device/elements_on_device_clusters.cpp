#include "groundswell/base/errors.hpp"
#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/device/memory_of_elements.hpp"

namespace groundswell::quake {

template <class Real>
typename ElementsOnDevice<Real>::Parts ElementsOnDevice<Real>::parts(const ClusterStreams::Sides& used) {
    Parts all;
    const auto tell = [&]<class U>(std::span<U> array, std::int64_t begin, std::int64_t end,
                                   std::int64_t values) {
        all.push_back(exec::part_of(array.subspan(static_cast<std::size_t>(begin * values),
                                                  static_cast<std::size_t>((end - begin) * values))));
    };
    const Memory& m = *memory_;
    const BatchLayout& layout = kernels_.elements.layout;
    const auto [begin, end] = clusters_.part().batches;
    tell(states(), begin, end, static_cast<std::int64_t>(layout.state));
    tell(memories(), begin, end, static_cast<std::int64_t>(layout.memory));
    tell(std::span<const Real>(m.added->span()), m.added_before[begin], m.added_before[end], m.added_values);
    const auto values = static_cast<std::int64_t>(layout.trace);
    for (const SideRange& range : used.written) tell(sides(), range.begin, range.end, values);
    for (const SideRange& range : used.read)
        tell(std::span<const Real>(sides()), range.begin, range.end, values);
    return all;
}

template <class Real>
void ElementsOnDevice<Real>::make_room_to_add() {
    Memory& m = *memory_;
    const std::int32_t batches = elements_.places().batches();
    std::int32_t with_sources = 0;
    m.added_before.assign(1, 0);
    m.host_added_of.assign(batches, -1);
    for (std::int32_t b = 0; b < batches; ++b) {
        if (!elements_.added_to(b).empty()) {
            m.host_added_of[b] = with_sources++;
            m.added_values = static_cast<std::int64_t>(elements_.added_to(b).size());
        }
        m.added_before.push_back(with_sources);
    }
    clusters_.wait_for_all();  // none uses those before
    m.added.emplace(device_, "sources", static_cast<std::size_t>(with_sources * m.added_values));
    m.added_of.emplace(device_, "batches with sources", stream(), m.host_added_of);
    for (std::int32_t b = 0; b < batches; ++b) {
        if (m.host_added_of[b] >= 0) add({&b, 1});
    }
    device_.synchronise(stream());  // for all clusters
}

template <class Real>
void ElementsOnDevice<Real>::add(std::span<const std::int32_t> batches) {
    Memory& m = *memory_;
    const auto is_new = [&](std::int32_t b) { return m.host_added_of[b] < 0; };
    if (std::ranges::any_of(batches, is_new)) return make_room_to_add();
    for (const std::int32_t b : batches) {
        const std::span<const Real> from = elements_.added_to(b);
        device_.copy_in(stream(), m.added->span().data() + m.host_added_of[b] * m.added_values, from.data(),
                        from.size_bytes());
    }
}

template ElementsOnDevice<float>::Parts ElementsOnDevice<float>::parts(const ClusterStreams::Sides&);
template ElementsOnDevice<double>::Parts ElementsOnDevice<double>::parts(const ClusterStreams::Sides&);
template void ElementsOnDevice<float>::make_room_to_add();
template void ElementsOnDevice<float>::add(std::span<const std::int32_t>);
template void ElementsOnDevice<double>::make_room_to_add();
template void ElementsOnDevice<double>::add(std::span<const std::int32_t>);

}  // namespace groundswell::quake
