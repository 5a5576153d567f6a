#include "groundswell/quake/source/point/time_function.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <utility>

#include "groundswell/quake/basis/quadrature.hpp"

namespace groundswell::quake {

namespace {

using Complex = std::complex<double>;

// The discrete Fourier transform, by halves (J. W. Cooley & J. W. Tukey 1965); a power of two of values.
std::vector<Complex> transform(std::vector<Complex> value) {
    const std::size_t count = value.size();
    for (std::size_t i = 1, j = 0; i < count; ++i) {
        std::size_t bit = count >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(value[i], value[j]);
    }
    for (std::size_t length = 2; length <= count; length *= 2) {
        for (std::size_t k = 0; k < length / 2; ++k) {
            const Complex turn = std::polar(
                1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
            for (std::size_t first = k; first < count; first += length) {
                const Complex here = value[first], there = turn * value[first + length / 2];
                value[first] = here + there;
                value[first + length / 2] = here - there;
            }
        }
    }
    return value;
}

class Gaussian : public TimeFunction {
public:
    Gaussian(double centre, double width) : centre_(centre), width_(width) {}
    double integral(double time) const override {
        return 0.5 * std::erfc((centre_ - time) / (width_ * std::numbers::sqrt2));
    }
    double width() const override { return width_; }
    double first_moment() const override { return centre_; }
    double onset() const override { return centre_ - 3.0902 * width_; }
    // Where the error function, of the spectrum exp(−(ω width)²/2) squared, is 0.99.
    double highest_frequency() const override { return 0.2898826 / width_; }

private:
    double centre_, width_;
};

class Ricker : public TimeFunction {
public:
    Ricker(double centre, double frequency) : centre_(centre), frequency_(frequency) {}
    double integral(double time) const override {
        const double since = time - centre_, a = std::pow(std::numbers::pi * frequency_ * since, 2);
        return since * std::exp(-a);
    }
    double width() const override { return 1.0 / (std::numbers::pi * frequency_ * std::numbers::sqrt2); }
    double first_moment() const override { return 0.0; }
    // x exp(−x²) is there a thousandth of what it is at x = 1/√2.
    double onset() const override { return centre_ - 2.9747 / (std::numbers::pi * frequency_); }
    // Where ∫ x⁴ exp(−2x²), x in units of the peak frequency, has 0.99 of its whole.
    double highest_frequency() const override { return 1.942053 * frequency_; }

private:
    double centre_, frequency_;
};

class Brune : public TimeFunction {
public:
    Brune(double onset, double time) : onset_(onset), time_(time) {}
    double integral(double time) const override {
        const double since = (time - onset_) / time_;
        return since <= 0.0 ? 0.0 : 1.0 - (1.0 + since) * std::exp(-since);
    }
    double width() const override { return time_; }
    double first_moment() const override { return onset_ + 2.0 * time_; }
    double begin() const override { return onset_; }
    double end() const override { return onset_ + 45.0 * time_; }  // where 1 − (1 + 45) exp(−45) is 1
    // Where ∫ 1/(1 + (ω time)²)² has 0.99 of its whole.
    double highest_frequency() const override { return 0.5367103 / time_; }

private:
    double onset_, time_;
};

class Step : public TimeFunction {
public:
    explicit Step(double onset) : onset_(onset) {}
    double integral(double time) const override { return time > onset_ ? 1.0 : 0.0; }
    double width() const override { return 0.0; }
    double first_moment() const override { return onset_; }
    double begin() const override { return onset_; }
    double end() const override { return std::nextafter(onset_, std::numeric_limits<double>::infinity()); }
    double highest_frequency() const override { return std::numeric_limits<double>::infinity(); }

private:
    double onset_;
};

class Sampled : public TimeFunction {
public:
    Sampled(double onset, double interval, std::vector<double> rate)
        : onset_(onset), interval_(interval), rate_(std::move(rate)), until_(rate_.size(), 0.0) {
        for (std::size_t i = 1; i < rate_.size(); ++i)
            until_[i] = until_[i - 1] + 0.5 * interval_ * (rate_[i - 1] + rate_[i]);
    }
    double integral(double time) const override {
        if (rate_.empty()) return 0.0;
        const double at = (time - onset_) / interval_;
        const double last = static_cast<double>(rate_.size() - 1);
        if (at <= 0.0) return 0.0;
        if (at >= last) return until_.back();
        const auto i = static_cast<std::size_t>(at);
        const double part = at - static_cast<double>(i);
        return until_[i] + interval_ * part * (rate_[i] + 0.5 * part * (rate_[i + 1] - rate_[i]));
    }
    double width() const override { return interval_; }
    double first_moment() const override {
        double sum = 0.0;
        for (std::size_t i = 1; i < rate_.size(); ++i) {
            const double from = onset_ + static_cast<double>(i - 1) * interval_;
            sum += from * (until_[i] - until_[i - 1]) +
                   interval_ * interval_ * (rate_[i - 1] + 2.0 * rate_[i]) / 6.0;
        }
        return sum;
    }
    // A little early and late, since times of samples are rounded.
    double begin() const override { return onset_ - 1e-9 * interval_; }
    double end() const override {
        return onset_ + interval_ * (static_cast<double>(rate_.size()) - 1.0 + 1e-9);
    }
    double next_bend(double time) const override {
        double sample = std::max(0.0, std::floor((time - onset_) / interval_) + 1.0);
        while (onset_ + sample * interval_ <= time) sample += 1.0;
        return sample < static_cast<double>(rate_.size()) ? onset_ + sample * interval_
                                                          : std::numeric_limits<double>::infinity();
    }
    double highest_frequency() const override {
        constexpr double share = 0.99;                // of the energy
        constexpr std::size_t fine_spectrum = 65536;  // rows: a power of two
        constexpr std::size_t enough_points = 4096;   // between fewer samples we look more closely
        const std::size_t pieces = (enough_points + rate_.size() - 1) / rate_.size();
        const std::size_t points = (rate_.size() - 1) * pieces + 1;
        std::size_t count = fine_spectrum;
        while (count < 2 * points) count *= 2;
        std::vector<Complex> value(count);
        for (std::size_t i = 0; i < points; ++i) {
            const std::size_t sample = i / pieces;
            const double part = static_cast<double>(i % pieces) / static_cast<double>(pieces);
            value[i] = rate_[sample] + (part > 0.0 ? part * (rate_[sample + 1] - rate_[sample]) : 0.0);
        }
        value = transform(std::move(value));
        // Each stands for the frequencies half a row to both sides.
        std::vector<double> energy;
        for (std::size_t k = 0; k <= count / 2; ++k)
            energy.push_back((k == 0 ? 0.5 : 1.0) * std::norm(value[k]));
        const double whole = std::accumulate(energy.begin(), energy.end(), 0.0);
        if (whole == 0.0) return 0.0;
        double below = 0.0;
        std::size_t k = 0;
        for (; k < count / 2 && below + energy[k] < share * whole; ++k) below += energy[k];
        const double row = static_cast<double>(k) - 0.5 + (share * whole - below) / energy[k];
        return row * static_cast<double>(pieces) / (static_cast<double>(count) * interval_);
    }

private:
    double onset_, interval_;
    std::vector<double> rate_, until_;  // until_: the integral up to each sample
};

}  // namespace

std::vector<double> moments_of(const TimeFunction& rate, double begin, double end, int last) {
    static const std::vector<Quadrature<double>> rules = [] {
        std::vector<Quadrature<double>> all;
        for (int points = 2; points <= 10; ++points) all.push_back(gauss_jacobi(points, 0));
        return all;
    }();
    const double before = rate.integral(begin);
    std::vector<double> moments(static_cast<std::size_t>(last) + 1, 0.0);
    moments[0] = rate.integral(end) - before;
    // By parts, from the integral, which is smoother than the rate.
    const auto& rule = rules[static_cast<std::size_t>(last)];
    for (double from = begin; from < end;) {
        const double to = std::min(end, rate.next_bend(from)), length = to - from;
        for (std::size_t p = 0; p < rule.size(); ++p) {
            const double left = (end - to) + 0.5 * length * (1.0 - rule.point[p]);
            double factor = 0.5 * length * rule.weight[p] * (rate.integral(end - left) - before);
            for (int k = 1; k <= last; ++k) {
                moments[k] += factor;
                factor *= left / k;
            }
        }
        from = to;
    }
    return moments;
}

std::unique_ptr<TimeFunction> gaussian(double centre, double width) {
    return std::make_unique<Gaussian>(centre, width);
}
std::unique_ptr<TimeFunction> ricker(double centre, double frequency) {
    return std::make_unique<Ricker>(centre, frequency);
}
std::unique_ptr<TimeFunction> brune(double onset, double time) {
    return std::make_unique<Brune>(onset, time);
}
std::unique_ptr<TimeFunction> step(double onset) {
    return std::make_unique<Step>(onset);
}
std::unique_ptr<TimeFunction> sampled(double onset, double interval, std::vector<double> rate) {
    return std::make_unique<Sampled>(onset, interval, std::move(rate));
}

}  // namespace groundswell::quake
