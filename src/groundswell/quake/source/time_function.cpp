#include "groundswell/quake/source/time_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "groundswell/quake/basis/quadrature.hpp"

namespace groundswell::quake {

namespace {

class Gaussian : public TimeFunction {
public:
    Gaussian(double centre, double width) : centre_(centre), width_(width) {}
    double integral(double time) const override {
        return 0.5 * std::erfc((centre_ - time) / (width_ * std::numbers::sqrt2));
    }
    double width() const override { return width_; }

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

private:
    double onset_, time_;
};

class Step : public TimeFunction {
public:
    explicit Step(double onset) : onset_(onset) {}
    double integral(double time) const override { return time > onset_ ? 1.0 : 0.0; }
    double width() const override { return 0.0; }

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

private:
    double onset_, interval_;
    std::vector<double> rate_, until_;  // until_: the integral up to each sample
};

}  // namespace

std::vector<double> moments_of(const TimeFunction& rate, double begin, double end, int last) {
    const double before = rate.integral(begin), length = end - begin;
    std::vector<double> moments(static_cast<std::size_t>(last) + 1, 0.0);
    moments[0] = rate.integral(end) - before;
    // By parts, from the integral, which is smoother than the rate.
    const auto rule = gauss_jacobi(last + 2, 0);
    for (std::size_t p = 0; p < rule.size(); ++p) {
        const double left = 0.5 * length * (1.0 - rule.point[p]);
        double factor = 0.5 * length * rule.weight[p] * (rate.integral(end - left) - before);
        for (int k = 1; k <= last; ++k) {
            moments[k] += factor;
            factor *= left / k;
        }
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
