#include "groundswell/quake/device/probes/probes_on_device.hpp"

namespace groundswell::quake {

template <class Real>
ProbesOnDevice<Real>::ProbesOnDevice(Samplers<Real>& samplers, ElementsOnDevice<Real>& elements,
                                     SeaOnDevice<Real>* sea)
    : samplers_(samplers), elements_(elements), sea_(sea) {
    samplers.move_to(this);
}

template <class Real>
ProbesOnDevice<Real>::~ProbesOnDevice() {
    samplers_.move_to(nullptr);
}

template <class Real>
template <class T>
std::span<T> ProbesOnDevice<Real>::room(Array<T>& array, const char* name, std::size_t values) {
    if (!array || array->span().size() < values) array.emplace(elements_.device(), name, values);
    return array->span().first(values);
}

template <class Real>
template <class T>
std::span<const T> ProbesOnDevice<Real>::copy(Array<T>& array, const char* name, std::span<const T> values) {
    const std::span<T> to = room(array, name, values.size());
    elements_.device().copy_in(elements_.stream(), to.data(), values.data(), values.size_bytes());
    return to;
}

template <class Real>
std::span<const double> ProbesOnDevice<Real>::look(const LooksOfProbes& looks) {
    exec::Device& device = elements_.device();
    const BatchLayout& layout = elements_.layout();
    // Probes may be added at any time, and none is ever taken away.
    if (!basis_ || basis_->span().size() != looks.basis.size()) copy(basis_, "basis at places", looks.basis);
    here_.resize(looks.looks.size() * static_cast<std::size_t>(layout.order * layout.quantities));
    ProbeLooks there;
    there.batch = copy<std::int32_t>(batch_, "batches at places", looks.batch);
    there.begin = copy<std::int32_t>(begin_, "their looks", looks.begin);
    there.looks = copy<ProbeLook>(looks_, "looks at places", looks.looks);
    there.basis = basis_->span();
    there.seen = room(seen_, "seen at places", here_.size());
    elements_.look(there, looks.batch);
    device.copy_out(elements_.stream(), here_.data(), there.seen.data(), here_.size() * sizeof(double));
    if (sea_ != nullptr) sea_->bring(looks.batch);
    elements_.wait();
    return here_;
}

template class ProbesOnDevice<float>;
template class ProbesOnDevice<double>;

}  // namespace groundswell::quake
