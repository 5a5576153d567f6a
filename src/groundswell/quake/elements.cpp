#include "groundswell/quake/elements.hpp"

#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/elastic.hpp"

namespace groundswell::quake {

namespace {

Elastic::Material<double> coefficients_of(const Element& element) {
    const Material& m = element.material;
    Elastic::Material<double> values{};
    for (int d = 0; d < 3; ++d) {
        for (int j = 0; j < 3; ++j) values.gradient[d][j] = element.geometry.gradient[d][j];
    }
    values.lambda = m.lambda;
    values.mu = m.mu;
    values.buoyancy = 1.0 / m.density;
    values.vp_minus_vs = m.vp() - m.vs();
    values.vs = m.vs();
    return values;
}

Elastic::Face<double> coefficients_of(const Element& element, int face) {
    const auto& across = element.across[face];
    const Material& beyond = across.boundary == tetra::Boundary::none ? across.material : element.material;
    Elastic::Face<double> values{};
    for (int j = 0; j < 3; ++j) values.normal[j] = element.geometry.normal[face][j];
    values.scale = element.geometry.area[face] / (3.0 * element.geometry.volume);
    values.present = across.boundary == tetra::Boundary::absorbing ? 0.0 : 1.0;
    values.zp = beyond.zp();
    values.zs = beyond.zs();
    values.per_zp = 1.0 / (element.material.zp() + beyond.zp());
    values.per_zs = 1.0 / (element.material.zs() + beyond.zs());
    return values;
}

// The numbers of one lane, spread over a batch's.
template <class Values, class Real>
void spread(const Values& values, int lanes, Real* lane) {
    const auto* from = reinterpret_cast<const double*>(&values);
    for (std::size_t i = 0; i < sizeof(Values) / sizeof(double); ++i)
        lane[i * static_cast<std::size_t>(lanes)] = static_cast<Real>(from[i]);
}

}  // namespace

template <class Real>
Elements<Real>::Elements(const Kernels<Real>& kernels, std::span<const Element> elements)
    : kernels_(kernels), size_(static_cast<std::int32_t>(elements.size())) {
    const auto& l = kernels.layout;
    batches_ = (size_ + l.lanes - 1) / l.lanes;
    const auto lanes = static_cast<std::size_t>(l.lanes);
    state_ = exec::make_cell_array<Real>(batches_, l.state);
    material_ = exec::make_cell_array<Real>(batches_, l.material);
    faces_ = exec::make_cell_array<Real>(batches_, 4 * l.face);
    traces_ = exec::make_cell_array<Real>(batches_, 4 * lanes * l.trace);
    beyond_ = exec::make_cell_array<std::int32_t>(batches_, 4 * lanes);
    exec::for_each_cell(0, batches_, [&](std::int32_t index) {
        const Batch<Real> b = batch(index);
        auto* material = const_cast<Real*>(b.material);
        auto* faces = const_cast<Real*>(b.faces);
        auto* beyond = const_cast<std::int32_t*>(b.beyond);
        for (int lane = 0; lane < l.lanes; ++lane) {
            // Lanes behind the last element repeat it, so that they compute on sound numbers.
            const std::int32_t e = std::min(index * l.lanes + lane, size_ - 1);
            spread(coefficients_of(elements[e]), l.lanes, material + lane);
            for (int face = 0; face < 4; ++face) {
                spread(coefficients_of(elements[e], face), l.lanes, faces + face * l.face + lane);
                const auto& across = elements[e].across[face];
                beyond[face * l.lanes + lane] = across.boundary == tetra::Boundary::none
                                                    ? side(across.element, across.face)
                                                    : side(index * l.lanes + lane, face);
            }
        }
    });
}

template <class Real>
Batch<Real> Elements<Real>::batch(std::int32_t index) {
    const auto& l = kernels_.layout;
    const auto b = static_cast<std::size_t>(index);
    return {material_.data() + b * l.material,
            faces_.data() + b * 4 * l.face,
            state_.data() + b * l.state,
            traces_.data(),
            beyond_.data() + b * 4 * static_cast<std::size_t>(l.lanes),
            index * 4 * l.lanes};
}

template <class Real>
std::size_t Elements<Real>::bytes() const {
    return (state_.size() + material_.size() + faces_.size() + traces_.size()) * sizeof(Real) +
           beyond_.size() * sizeof(std::int32_t);
}

template <class Real>
void Elements<Real>::predict(Real seconds) {
    exec::for_each_cell(0, batches_, [&](std::int32_t index) { kernels_.predict(batch(index), seconds); });
}

template <class Real>
void Elements<Real>::correct() {
    exec::for_each_cell(0, batches_, [&](std::int32_t index) { kernels_.correct(batch(index)); });
}

template class Elements<float>;
template class Elements<double>;

}  // namespace groundswell::quake
