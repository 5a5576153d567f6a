#include "groundswell/quake/device/sea_on_device.hpp"

#include <algorithm>

namespace groundswell::quake {

namespace {

// Lanes of blocks that have a face.
constexpr int lanes_of_a_face = 64;

std::vector<std::vector<SidesLookedAt::Side>> sides_of(const SeaParts& parts) {
    std::vector<std::vector<SidesLookedAt::Side>> all;
    for (const auto& [begin, end] : parts.of_block) {
        auto& sides = all.emplace_back();
        for (std::int32_t f = begin; f < end; ++f) {
            const SeaParts::Face& face = parts.faces[f];
            sides.push_back({face.batch, face.element, face.face, f, face.normal});
        }
    }
    return all;
}

std::vector<SeaView::Face> faces_of(const SeaParts& parts) {
    std::vector<SeaView::Face> all;
    for (const SeaParts::Face& face : parts.faces)
        all.push_back({face.own,
                       face.beyond,
                       face.weight,
                       face.per_z,
                       {face.normal[0], face.normal[1], face.normal[2]}});
    return all;
}

}  // namespace

template <class Real>
struct SeaOnDevice<Real>::Memory {
    Memory(const SeaParts& p, const std::vector<SeaView::Face>& of, exec::Device& device, exec::Stream stream)
        : looked(device, stream, p.trace, p.basis, sides_of(p)),
          faces(device, "faces at the sea's surface", stream, of),
          eta(device, "sea surface", stream, p.eta),
          impulse(device, "its mean", p.eta.size()),
          series(device, "its derivatives", stream, p.series) {
        device.synchronise(stream);
    }

    SidesLookedAt looked;
    exec::DeviceArray<SeaView::Face> faces;
    exec::DeviceArray<double> eta, impulse, series;
};

template <class Real>
SeaOnDevice<Real>::SeaOnDevice(SeaSurface& sea, ElementsOnDevice<Real>& elements)
    : sea_(sea),
      elements_(elements),
      parts_(sea.parts(elements.places())),
      memory_(std::make_unique<Memory>(parts_, faces_of(parts_), elements.device(), elements.stream())) {
    elements.bring_too([this](std::span<const std::int32_t> batches) { bring(batches); });
    sea.move_to(this);
}

template <class Real>
SeaOnDevice<Real>::~SeaOnDevice() {
    sea_.move_to(nullptr);
}

template <class Real>
SeaView SeaOnDevice<Real>::view(double seconds) {
    Memory& m = *memory_;
    return {m.faces.span(), m.eta.span(), m.impulse.span(), m.series.span(), seconds};
}

template <class Real>
std::vector<exec::ArrayPart> SeaOnDevice<Real>::parts_of(int block) {
    const auto [begin, end] = parts_.of_block[block];
    const auto of_faces = [&](std::span<double> array, int values) {
        const auto each = static_cast<std::size_t>(values * parts_.basis);
        return exec::part_of(array.subspan(begin * each, (end - begin) * each));
    };
    Memory& m = *memory_;
    return {of_faces(m.eta.span(), 1), of_faces(m.impulse.span(), 1),
            of_faces(m.series.span(), parts_.order + 1)};
}

template <class Real>
void SeaOnDevice<Real>::foresee(int block, double seconds) {
    SideLooks looks = memory_->looked.of(block);
    looks.sea = view(seconds);
    looks.of_sea = 1;
    elements_.look(looks, memory_->looked.batches(block), parts_of(block));
}

template <class Real>
void SeaOnDevice<Real>::step(int block, double seconds) {
    const auto [begin, end] = parts_.of_block[block];
    if (begin == end) return;
    const MeetSeaOnDevice<Real> work{view(seconds), elements_.sides(), begin,
                                     parts_.order,  parts_.basis,      elements_.side_values()};
    elements_.meet_sea(work, end - begin, lanes_of_a_face, parts_of(block));
}

template <class Real>
void SeaOnDevice<Real>::bring(std::span<const std::int32_t> batches) {
    exec::Device& device = elements_.device();
    const auto copy = [&](std::span<double> to, std::span<const double> from, std::size_t first,
                          std::size_t count) {
        device.copy_out(elements_.stream(), to.data() + first, from.data() + first, count * sizeof(double));
    };
    for_each_run(batches, [&](std::int32_t begin, std::int32_t end) {
        // Their faces stand one after the other but where a block ends.
        for (const auto& [first, last] : parts_.of_block) {
            const auto of = [&](std::int32_t batch) {
                return std::ranges::lower_bound(parts_.faces.begin() + first, parts_.faces.begin() + last,
                                                batch, {}, &SeaParts::Face::batch) -
                       parts_.faces.begin();
            };
            const auto from = static_cast<std::size_t>(of(begin)),
                       count = static_cast<std::size_t>(of(end)) - from;
            if (count == 0) continue;
            const auto basis = static_cast<std::size_t>(parts_.basis), all = basis * (parts_.order + 1);
            copy(parts_.eta, memory_->eta.span(), from * basis, count * basis);
            copy(parts_.series, memory_->series.span(), from * all, count * all);
        }
    });
}

template class SeaOnDevice<float>;
template class SeaOnDevice<double>;

}  // namespace groundswell::quake
