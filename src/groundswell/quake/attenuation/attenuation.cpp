#include "groundswell/quake/attenuation/attenuation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "groundswell/base/log.hpp"

namespace groundswell::quake {

namespace {

using Complex = std::complex<double>;

// So many from one to the other, at equal ratios.
std::vector<double> spread(double from, double to, int count) {
    std::vector<double> all;
    for (int i = 0; i < count; ++i)
        all.push_back(from * std::pow(to / from, count == 1 ? 0.5 : static_cast<double>(i) / (count - 1)));
    return all;
}

// Solves a symmetric positive system of a few unknowns, of which the matrix is lost.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = i + 1; k < n; ++k) {
            const double factor = a[k][i] / a[i][i];
            for (std::size_t j = i; j < n; ++j) a[k][j] -= factor * a[i][j];
            b[k] -= factor * b[i];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    return b;
}

// The modulus over the unrelaxed one of rock whose speed is known at a frequency: |1 / Re(1/√M)|².
double slower(Complex modulus) {
    const double slowness = std::real(1.0 / std::sqrt(modulus));
    return slowness * slowness;
}

}  // namespace

Attenuation::Attenuation(const AttenuationOptions& options) : options_(options) {
    const double low = 2.0 * std::numbers::pi * options.lowest,
                 high = 2.0 * std::numbers::pi * options.highest;
    fitted_ = spread(low, high, 20 * options.mechanisms);
    // Mechanisms stand within the band or reach beyond it, whatever fits best; all of them must take energy.
    double best = -1.0, found = 1.0;
    for (int i = 0; i <= 40; ++i) {
        const double inwards = 0.5 + 0.05 * i;
        if (high / low <= inwards * inwards) break;
        relaxing_ = spread(low * inwards, high / inwards, options.mechanisms);
        const auto y = strengths(0.02);
        if (std::ranges::min(y) < 0.0) continue;
        const double error = worst(0.02);
        if (best >= 0.0 && error >= best) continue;
        best = error;
        found = inwards;
    }
    relaxing_ = spread(low * found, high / found, options.mechanisms);
    error_ = std::max(worst(0.05), worst(0.001));
}

double Attenuation::worst(double loss) const {
    const auto y = strengths(loss);
    double most = 0.0;
    for (const double omega : fitted_) {
        const Complex m = modulus(y, omega);
        most = std::max(most, std::abs(m.imag() / m.real() / loss - 1.0));
    }
    return most;
}

std::vector<double> Attenuation::strengths(double loss) const {
    const std::size_t n = relaxing_.size();
    if (loss == 0.0) return std::vector<double>(n, 0.0);
    std::vector<std::vector<double>> normal(n, std::vector<double>(n, 0.0));
    std::vector<double> right(n, 0.0), row(n);
    for (const double omega : fitted_) {
        for (std::size_t l = 0; l < n; ++l) {
            const double own = relaxing_[l];
            row[l] = (own * omega / loss + own * own) / (own * own + omega * omega);
        }
        for (std::size_t i = 0; i < n; ++i) {
            right[i] += row[i];
            for (std::size_t j = 0; j < n; ++j) normal[i][j] += row[i] * row[j];
        }
    }
    return solve(normal, right);
}

Complex Attenuation::modulus(const std::vector<double>& strengths, Complex omega) const {
    Complex sum = 1.0;
    for (std::size_t l = 0; l < strengths.size(); ++l)
        sum -= strengths[l] * relaxing_[l] / (relaxing_[l] + Complex(0.0, 1.0) * omega);
    return sum;
}

Material Attenuation::unrelaxed(const Material& material) const {
    if (material.loss_p == 0.0 && material.loss_s == 0.0) return material;
    const Complex omega = 2.0 * std::numbers::pi * options_.reference;
    const double p = slower(modulus(strengths(material.loss_p), omega));
    const double s = slower(modulus(strengths(material.loss_s), omega));
    Material changed = material;
    changed.mu = material.mu * s;
    changed.lambda = (material.lambda + 2.0 * material.mu) * p - 2.0 * changed.mu;
    return changed;
}

std::vector<Mechanism> Attenuation::mechanisms_of(const Material& unrelaxed) const {
    const auto p = strengths(unrelaxed.loss_p), s = strengths(unrelaxed.loss_s);
    std::vector<Mechanism> all;
    for (std::size_t l = 0; l < relaxing_.size(); ++l) {
        const double mu = unrelaxed.mu * s[l];
        all.push_back({relaxing_[l], (unrelaxed.lambda + 2.0 * unrelaxed.mu) * p[l] - 2.0 * mu, mu});
    }
    return all;
}

std::pair<Complex, Complex> Attenuation::moduli(const Material& unrelaxed, Complex omega) const {
    const Complex mu = unrelaxed.mu * modulus(strengths(unrelaxed.loss_s), omega);
    const Complex p = (unrelaxed.lambda + 2.0 * unrelaxed.mu) * modulus(strengths(unrelaxed.loss_p), omega);
    return {p - 2.0 * mu, mu};
}

void Attenuation::announce() const {
    base::log_info("Q from {:.4g} to {:.4g} Hz by {} mechanism{}, within {:.2g} %; speeds at {:.4g} Hz",
                   options_.lowest, options_.highest, options_.mechanisms,
                   options_.mechanisms == 1 ? "" : "s", 100.0 * error_, options_.reference);
}

}  // namespace groundswell::quake
