#include "groundswell/quake/plasticity/device/plasticity_on_device.hpp"

#include "groundswell/quake/device/relax.hpp"

namespace groundswell::quake {

template <class Real>
struct PlasticityOnDevice<Real>::Memory {
    Memory(const PlasticParts<Real>& p, exec::Device& device, exec::Stream stream)
        : rock(device, "strength of rock", stream, p.rock),
          at_places(device, "functions at places", stream, p.at_places),
          through(device, "functions through places", stream, p.through),
          mu(device, "shear moduli", stream, p.mu),
          strain(device, "plastic strain", stream, p.strain),
          work(device, "plastic work", stream, p.work) {
        device.synchronise(stream);
    }

    exec::DeviceArray<Real> rock, at_places, through;
    exec::DeviceArray<double> mu, strain, work;
};

template <class Real>
PlasticityOnDevice<Real>::PlasticityOnDevice(Plasticity<Real>& plasticity, ElementsOnDevice<Real>& elements)
    : elements_(elements),
      parts_(plasticity.parts()),
      memory_(std::make_unique<Memory>(parts_, elements.device(), elements.stream())) {
    elements.bring_too([this](std::span<const std::int32_t> batches) {
        for_each_run(batches, [&](std::int32_t begin, std::int32_t end) {
            const auto first = static_cast<std::size_t>(begin) * parts_.lanes;
            const std::size_t bytes = static_cast<std::size_t>(end - begin) * parts_.lanes * sizeof(double);
            exec::Device& device = elements_.device();
            device.copy_out(elements_.stream(), parts_.strain.data() + first,
                            memory_->strain.span().data() + first, bytes);
            device.copy_out(elements_.stream(), parts_.work.data() + first,
                            memory_->work.span().data() + first, bytes);
        });
    });
}

template <class Real>
PlasticityOnDevice<Real>::~PlasticityOnDevice() = default;

template <class Real>
void PlasticityOnDevice<Real>::relax(BatchRange batches, double seconds) {
    Memory& m = *memory_;
    RelaxOnDevice<Real> work{m.rock.span(),      m.at_places.span(), m.through.span(),     m.mu.span(),
                             elements_.states(), m.strain.span(),    m.work.span(),        batches.begin,
                             parts_.places,      parts_.lanes,       parts_.share(seconds)};
    elements_.relax(work, batches);
}

template class PlasticityOnDevice<float>;
template class PlasticityOnDevice<double>;

}  // namespace groundswell::quake
