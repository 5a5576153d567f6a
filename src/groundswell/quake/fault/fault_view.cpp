#include <algorithm>
#include <cmath>
#include <utility>

#include "groundswell/quake/fault/fault.hpp"

namespace groundswell::quake {

// Between the states before and after a step. Rates and tractions are those of the last time in a step, and stay so to its end, slips
// those of its end; what is greatest so far and when it broke is that of the end, and so is what the law keeps.
void Fault::interpolate(const StateAt& at, std::span<double> state) const {
    const int points = rule_.points();
    for (int which = 0; which < kept_states; ++which) {
        const bool last =
            which == peak_rate || which == rupture_time || which == weakening_time || which >= fault_states;
        const bool rate = which == rate_strike || which == rate_dip || which == friction ||
                          (which >= normal_change && which <= dip_change);
        const double share = last ? 1.0 : rate ? at.of_rates : at.of_slips;
        for (int p = 0; p < points; ++p) {
            const int value = which * points + p;
            state[value] = at.after[value * lanes_ + at.lane];
            if (last) continue;
            const double before = at.before[value * lanes_ + at.lane];
            state[value] = before + share * (state[value] - before);
        }
    }
}

void Fault::show(std::int32_t index, const FaultStep& step, std::span<const std::vector<Moment>> moments,
                 const double* before) const {
    std::vector<double> state(static_cast<std::size_t>(kept_states * rule_.points()));
    const double late = 1.0 - rule_.time.back();
    const auto state_at = [&](std::int32_t face, const Moment& moment) {
        const double passed = (moment.time - step.time) / step.length;
        const double* const after = state_.data() + first_of(index, kept_states * rule_.points());
        interpolate({before, after, lane_of_[face], passed, std::min(passed + late, 1.0)}, state);
    };
    for (std::size_t o = 0; o < observers_.size(); ++o) {
        for (const Moment& moment : moments[o]) {
            for (const std::int32_t face : faces_of_[index]) {
                if (face < 0 || !places_[face].mine) continue;
                state_at(face, moment);
                observers_[o].see(face, {moment, moment.time - step.time}, state);
            }
        }
    }
    const auto probes = probes_.find(index);
    if (probes == probes_.end()) return;
    std::vector<Moment> wanted;
    for (const Probing& probing : probes->second) {
        wanted.clear();
        probing.probe.moments(step.time, step.time + step.length, wanted);
        for (const Moment& moment : wanted) {
            state_at(probing.probe.face, moment);
            show_to_probe(probing, step, moment, state);
        }
    }
}

void Fault::show_to_probe(const Probing& probing, const FaultStep& step, const Moment& moment,
                          std::span<const double> state) const {
    const std::int32_t face = probing.probe.face;
    const FaultFace<double> of_face = geometry(face);
    double locked[3 * most_rows];
    lock(of_face, side(face, 0), side(face, 1), FaultRule::rows(rule_.order), locked);
    struct Seen final : FaultGlimpse {
        const Fault& fault;
        const Probing& of;
        double passed;
        std::span<const double> state;
        Seen(const Fault& fault_, const Probing& of_, double passed_, std::span<const double> state_)
            : fault(fault_), of(of_), passed(passed_), state(state_) {}

        double normal_velocity() const override {
            return fault.normal_velocity(of.probe.face, of.basis, passed);
        }
        double front_speed() const override { return fault.front_speed(of.probe.face, state); }
    };
    Seen glimpse(*this, probing, moment.time - step.time, state);
    double pressing = 0.0;  // see FacePressure
    const FaultPoint& acting = probing.acting;
    double felt = 1.0;
    std::array<double, 3> background = acting.traction;
    for (std::size_t e = 0; e < episodes_.size(); ++e) {
        const auto& [added, strength, later] = acting.nucleation[e];
        const double share = episodes_[e].share(moment.time, later);
        for (int c = 0; c < 3; ++c) background[c] += share * added[c];
        felt *= 1.0 - share * strength;
    }
    for (int c = 0; c < 3; ++c) {
        double factor = 1.0;
        const double* from = locked + c;
        for (int k = 0; k < rule_.order; ++k) {
            const int rows = face_basis_size(rule_.order - k);
            for (int m = 0; m < rows; ++m) {
                const double part = factor * probing.basis[m] * from[3 * m];
                glimpse.all_traction[c] += part;
                if (c == 0 && m < rule_.pressing) pressing += part;
            }
            from += 3 * rows;
            factor *= (moment.time - step.time) / (k + 1);
        }
        glimpse.all_traction[c] += background[c];
        if (c == 0) pressing += background[c];
    }
    const int points = rule_.points();
    const double strength =
        law_.strength({acting.parameter.data()}, {&state[probing.nearest], points},
                      std::max(-(pressing * felt + state[probing.nearest + pore_pressure * points]), 0.0));
    const double shear = std::hypot(glimpse.all_traction[1], glimpse.all_traction[2]);
    const double eta = of_face.eta_s, rate = std::max((shear - strength) / eta, 0.0);
    if (law_.slip_until != nullptr) {
        const double around = 0.005 * step.length;
        const auto slip = [&](double time) {
            return law_.slip_until({acting.parameter.data()}, time, series_.get());
        };
        const auto before = slip(moment.time - around), after = slip(moment.time + around);
        for (int c = 0; c < 2; ++c) glimpse.all_rate[c] = (after[c] - before[c]) / (2.0 * around);
    } else if (rate > 0.0) {
        for (int c = 0; c < 2; ++c) glimpse.all_rate[c] = rate * glimpse.all_traction[1 + c] / shear;
    }
    for (int c = 0; c < 2; ++c) glimpse.all_traction[1 + c] -= eta * glimpse.all_rate[c];
    for (int m = 0; m < rule_.basis; ++m) {
        for (int p = 0; p < points; ++p) {
            const double weight = probing.basis[m] * rule_.onto[m * points + p];
            glimpse.path += weight * state[slip_path * points + p];
            glimpse.all_slip[0] += weight * state[slip_strike * points + p];
            glimpse.all_slip[1] += weight * state[slip_dip * points + p];
        }
    }
    for (int c = 0; c < 3; ++c) glimpse.change[c] = glimpse.all_traction[c] - background[c];
    glimpse.bears = strength;
    glimpse.nearest = &state[probing.nearest];
    glimpse.points = points;
    probing.probe.see(moment.number, glimpse);
}

// By the wave that the + side sends: both sides have the traction of a locked fault along the normal, whatever slips.
double Fault::normal_velocity(std::int32_t face, std::span<const double> basis, double passed) const {
    const FaultFace<double> of_face = geometry(face);
    double locked[3 * most_rows];
    lock(of_face, side(face, 0), side(face, 1), FaultRule::rows(rule_.order), locked);
    const double* plus = side(face, 0);
    double velocity = 0.0, factor = 1.0;
    for (int k = 0, row = 0; k < rule_.order; factor *= passed / ++k) {
        const int rows = face_basis_size(rule_.order - k);
        for (int m = 0; m < rows; ++m, ++row) {
            double moves = 0.0, pull = 0.0;
            for (int i = 0; i < 3; ++i) {
                pull += of_face.normal[i] * plus[6 * row + i];
                moves += of_face.normal[i] * plus[6 * row + 3 + i];
            }
            velocity += factor * basis[m] * (moves + (locked[3 * row] - pull) * of_face.per_zp_plus);
        }
    }
    return velocity;
}

double Fault::front_speed(std::int32_t face, std::span<const double> state) const {
    const auto points = static_cast<std::size_t>(rule_.points());
    const auto times = state.subspan(rupture_time * points, points);
    if (!(std::ranges::max(times) < never_ruptured)) return 0.0;
    const double slowness = plane_.steepness(times, places_[face].corner);
    return slowness > 0.0 ? 1.0 / slowness : 0.0;
}

// The time in the step at which what is left comes to 0, as if it went evenly. A run that begins to ask when it goes on after a restart
// tells nothing of where that was before.
void Fault::time_weakening(std::int32_t index, const FaultStep& step, const double* before) {
    const int points = rule_.points();
    double* const after = state_.data() + first_of(index, kept_states * points);
    const auto left = [&](const double* states, int p, int lane) {
        const PointNumbers<double> parameter{
            &parameter_[first_of(index, parameters_ * points)] + p * lanes_ + lane, points * lanes_};
        return law_.left_to_weaken(parameter, {states + p * lanes_ + lane, points * lanes_},
                                   of_fault_.data());
    };
    for (int lane = 0; lane < lanes_; ++lane) {
        for (int p = 0; p < points; ++p) {
            const auto at = [&](int which) -> double& { return after[(which * points + p) * lanes_ + lane]; };
            if (at(weakening_time) < never_ruptured) continue;
            const double first = left(before, p, lane), last = left(after, p, lane);
            if (first <= 0.0 || last > 0.0) continue;
            const double time = step.time + step.length * first / (first - last);
            at(weakening_time) = at(rupture_time) < never_ruptured ? std::max(time, at(rupture_time)) : time;
        }
    }
}

int Fault::nearest_point(std::int32_t face, const Point2& place) const {
    const auto& corner = places_[face].corner;
    const int first = places_[face].first;
    const auto distance = [&](const Point2& point) {
        const double chi = point[0] - place[0], tau = point[1] - place[1];
        if (first >= 0) {
            std::array<double, 3> away{-chi - tau, chi, tau};
            away[first] = 0.0;
            return away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
        }
        double sum = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double way = (corner[1][i] - corner[0][i]) * chi + (corner[2][i] - corner[0][i]) * tau;
            sum += way * way;
        }
        return sum;
    };
    return static_cast<int>(std::ranges::min_element(rule_.place.point, {}, distance) -
                            rule_.place.point.begin());
}

void Fault::add_probe(FaultProbe probe, const FaultPoint& acting) {
    Probing probing{std::move(probe), acting, {}, 0};
    for (const auto& psi : triangle_basis(rule_.order, probing.probe.place))
        probing.basis.push_back(psi.value);
    probing.nearest = nearest_point(probing.probe.face, probing.probe.place);
    probes_[batch_of_[probing.probe.face]].push_back(std::move(probing));
}

}  // namespace groundswell::quake
