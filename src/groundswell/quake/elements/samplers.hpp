#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/elements/probe_look.hpp"

/// Samples a wave field without touching it: values at places, and of whole elements, at any time, from the
/// time polynomials of the predictor.
namespace groundswell::quake {

/// Data for a probe: the derivatives in time of the unknowns at its place, [order][quantity], at time `from`; the
/// unknowns until `to` are the Taylor series of them.
struct Glimpse {
    double from = 0.0, to = 0.0;
    std::span<const double> derivatives;
    int quantities = 9;
    std::span<const double> slopes =
        {};  ///< [axis][order][quantity] of their derivatives along x, y and z, m⁻¹
    std::span<const double> sea = {};  ///< at the sea's surface: its displacement and the derivatives of that

    /// The quantity `seconds` after `from`.
    double value(int quantity, double seconds) const;
    /// Its derivative along an axis; for a Probe with a gradient.
    double slope(int quantity, int axis, double seconds) const;
    /// Its derivative in time there, s⁻¹; and its integral over time from `from` until there, s.
    double rate(int quantity, double seconds) const;
    double integral(int quantity, double seconds) const;
    /// The displacement of the sea's surface, m; NaN anywhere else.
    double sea_surface(double seconds) const;

private:
    double series(std::span<const double> of, int quantity, double seconds, std::size_t first) const;
};

/// Sees every step of its element, or those that it wants: from, and up to but not at, a time. Called by any thread.
struct Probe {
    std::function<void(const Glimpse&)> see;
    std::function<bool(double from, double to)> wants = {};
    /// The gradient of the cell's coordinates, [coordinate][axis], m⁻¹, for who asks for Glimpse::slope.
    std::optional<std::array<std::array<double, 3>, 3>> gradient = {};
};

/// A time that somebody wants to see, by a number of their own.
struct Moment {
    std::int64_t number = 0;
    double time = 0.0;
};

/// Sees every owned element at times of its own.
struct Observer {
    /// Appends the moments from, and up to but not at, a time.
    std::function<void(double from, double to, std::vector<Moment>& moments)> moments;
    /// Called by any thread, for each element once a moment, whose number this is. `state`: [basis][quantity], and behind it
    /// what the element remembers, [basis][mechanism][strain].
    std::function<void(std::int32_t element, std::int64_t number, std::span<const double> state)> see;
};

/// Looks of all probes that want a step.
struct LooksOfProbes {
    std::vector<std::int32_t> batch{};  ///< of elements, ascending
    std::vector<std::int32_t> begin{};  ///< [batch] its first look, and the end
    std::vector<ProbeLook> looks{};
    std::span<const double> basis{};  ///< [ProbeLook::basis][function], of all probes
};

/// Where probes look, if states are not in the memory of Elements.
class ProbesElsewhere {
public:
    virtual ~ProbesElsewhere() = default;
    /// As Elements::evaluate, [look][order][quantity]; valid until the next call.
    virtual std::span<const double> look(const LooksOfProbes& looks) = 0;
};

/// All who look at a wave field, by blocks of elements.
template <class Real>
class Samplers {
public:
    explicit Samplers(int blocks) : probes_(static_cast<std::size_t>(blocks)) {}

    /// `basis`: at the place; and its derivatives along x, y and z there, for a probe with a gradient.
    void add(const Elements<Real>& elements, int block, std::int32_t element,
             std::vector<std::vector<double>> basis, Probe probe);
    void add(Observer observer) { observers_.push_back(std::move(observer)); }
    /// The step from `from` to `to` of the blocks `first` to `last`, whose state is that at `from`.
    void show(Elements<Real>& elements, int first, int last, double from, double to) const;
    /// Says where probes look from now on; null: here, at states that elements on a device bring.
    void move_to(ProbesElsewhere* elsewhere) { elsewhere_ = elsewhere; }

private:
    struct Place {
        std::int32_t element;
        std::int32_t begin, end;  // which values of the basis
        Probe probe;
    };
    void show_to_probes(Elements<Real>& elements, int first, int last, double from, double to) const;
    void show_to_observers(Elements<Real>& elements, int first, int last, double from, double to) const;

    std::vector<std::vector<Place>> probes_;  // [block], by batch
    std::vector<double> basis_;               // [values][function]
    std::vector<Observer> observers_;
    ProbesElsewhere* elsewhere_ = nullptr;
};

}  // namespace groundswell::quake
