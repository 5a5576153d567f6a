#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/elements/connections.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/fault/elsewhere.hpp"
#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/fault/kernels.hpp"
#include "groundswell/quake/fault/setup.hpp"

namespace groundswell::quake {

/// A face of a fault of which this rank has at least one side.
struct FaultPlace {
    std::array<std::int32_t, 2> cell{};    ///< local, of the + and the − side
    std::array<std::int32_t, 2> face{};    ///< of that cell
    std::array<tetra::Point, 3> corner{};  ///< m, in the order of the elements' faces from the `turn`-th on
    FaultFrame frame{};
    double area = 0.0;  ///< m²
    double mu = 0.0;    ///< Pa, see shear_modulus_between
    int tag = 0;        ///< of the fault, as the mesh has it
    int turn = 0;       ///< see corner; 0 with FacePoints::symmetric
    int first = -1;  ///< which of `corner` is first in the file, with FacePoints::conical; -1: of no matter
    std::int64_t id = 0;  ///< that of the + side's cell times 4, plus its face
    bool mine = true;     ///< whether this rank tells of it: that which has the + side

    /// Where in the triangle of `corner` a place in that of the elements' faces is.
    Point2 in_corners(const Point2& in_face) const {
        const std::array<double, 3> share{1.0 - in_face[0] - in_face[1], in_face[0], in_face[1]};
        return {share[(1 + turn) % 3], share[(2 + turn) % 3]};
    }
    /// The way back.
    Point2 in_face(const Point2& in_corners) const {
        std::array<double, 3> share{};
        const std::array<double, 3> turned{1.0 - in_corners[0] - in_corners[1], in_corners[0], in_corners[1]};
        for (int i = 0; i < 3; ++i) share[(i + turn) % 3] = turned[i];
        return {share[1], share[2]};
    }
    /// The place in space of one in the triangle of `corner`.
    tetra::Point point(const Point2& in_corners) const {
        const auto& [chi, tau] = in_corners;
        tetra::Point at{};
        for (int i = 0; i < 3; ++i)
            at[i] = corner[0][i] * (1.0 - chi - tau) + corner[1][i] * chi + corner[2][i] * tau;
        return at;
    }
    FaultSpot spot(const tetra::Point& place) const { return {place, frame, mu, tag}; }
};

/// Request for a fault when it is made. Which side of each face is which the mesh knows, see tetra::mark_plus_sides().
struct FaultInput {
    std::string law;
    std::vector<double> of_fault;  ///< LawDescription::of_fault
    FacePoints points = FacePoints::symmetric;
    FacePressure pressure = FacePressure::smooth;
    FrictionScheme scheme = {};
    std::vector<NucleationStep> nucleation = {};          ///< of FaultPoint::nucleation
    bool counts_jump = false;                             ///< whether jump_path is kept
    bool times_weakening = false;                         ///< whether weakening_time is kept
    std::shared_ptr<const SlipSeries> series = {};        ///< that places choose from, if any do
    std::optional<ThermalNumbers> thermal = {};           ///< none: slip does not heat
    std::shared_ptr<GivenFriction> given = {};            ///< none: friction is the law's
    std::function<FaultPoint(const FaultSpot& spot)> at;  ///< what acts there
};

/// The faces of faults: where friction decides what passes from one element to the other. Both ranks that share a face
/// compute the same bits of it. All numbers are double, whatever the wave field's are.
class Fault {
public:
    /// base::Refusal where `input` has no number for a place.
    Fault(const tetra::LocalMesh& mesh, std::span<const Material> material, const Connections& connections,
          int order, const FaultInput& input, const FaultKernels& kernels);

    /// All faces, in the order of their batches.
    std::span<const FaultPlace> places() const { return places_; }
    const FaultRule& rule() const { return rule_; }
    const LawDescription& law() const { return law_; }
    /// A function gives the friction, or weakening_time is kept: the processor must see each step.
    bool must_be_here() const { return given_ != nullptr || times_weakening_; }
    double state(std::int32_t face, int which, int point) const {
        return state_[at(face, which * rule_.points() + point, kept_states)];
    }
    double& state(std::int32_t face, int which, int point) {
        return state_[at(face, which * rule_.points() + point, kept_states)];
    }
    /// Amplitudes of heat and pressure across a point, so many: 0 where slip does not heat.
    int heat_values() const { return thermal_ ? thermal_values : 0; }
    double& heat(std::int32_t face, int which, int point) {
        return heat_[at(face, which * rule_.points() + point, thermal_values)];
    }
    double heat(std::int32_t face, int which, int point) const {
        return heat_[at(face, which * rule_.points() + point, thermal_values)];
    }
    /// Calls `observer` for all faces that this rank tells of.
    void add_observer(FaultObserver observer) { observers_.push_back(std::move(observer)); }
    /// Calls `probe` for a place of a face that this rank tells of. `acting`: at that place.
    void add_probe(FaultProbe probe, const FaultPoint& acting);
    /// The point of a face that is nearest to a place in its triangle: by its distance, m, or with FacePoints::conical by that in the
    /// coordinates of the triangle whose origin is the first corner in the file, which is what SeisSol takes.
    int nearest_point(std::int32_t face, const Point2& place) const;
    /// Numbers of the law at a point.
    PointNumbers<double> parameters(std::int32_t face, int point) const {
        return {&parameter_[at(face, point, parameters_)], rule_.points() * lanes_};
    }
    double initial(std::int32_t face, int component, int point) const {
        return initial_[at(face, component * rule_.points() + point, 3)];
    }
    /// Background traction at a time, without changes by slip and waves: the initial traction and that of the nucleation, Pa.
    double acting(std::int32_t face, int component, int point, double time) const {
        double sum = initial(face, component, point);
        for (int e = 0; e < std::ssize(episodes_); ++e)
            sum += nucleated(face, e, point, time) * nucleation(face, e, added_stress + component, point);
        return sum;
    }
    /// Share of the pressure that strength feels at a time.
    double felt(std::int32_t face, int point, double time) const {
        double share = 1.0;
        for (int e = 0; e < std::ssize(episodes_); ++e)
            share *= 1.0 - nucleated(face, e, point, time) * nucleation(face, e, lost_strength, point);
        return share;
    }
    /// m, along strike and dip in the end, where slip is given.
    std::array<double, 2> given_slip(std::int32_t face, int point) const {
        return law_.slip_until(parameters(face, point), 1e30, series_.get());
    }
    /// Velocity of both sides along the normal, from the + to the − side, m s⁻¹, so long after the start of the step that is shown.
    /// `basis`: the polynomials at the place.
    double normal_velocity(std::int32_t face, std::span<const double> basis, double passed) const;
    /// Speed of the front along a face, m s⁻¹, by the plane nearest to its rupture times; 0 until all of it has ruptured. `state`: as an
    /// observer sees it.
    double front_speed(std::int32_t face, std::span<const double> state) const;
    /// Shear that a point bears without more slip, Pa. `state`: of the face at that time, as an observer sees it.
    double strength(std::int32_t face, int point, double time, std::span<const double> state) const {
        const int points = rule_.points();
        const double normal = state[normal_change * points + point] + acting(face, 0, point, time);
        const double pressure = -normal * felt(face, point, time) - state[pore_pressure * points + point];
        return law_.strength(parameters(face, point), {&state[point], points}, std::max(pressure, 0.0));
    }

    /// Takes what the sides at faults of a block are at the start of a step, before it is predicted.
    template <class Real>
    void look(Elements<Real>& elements, int block);
    /// Solves the faces of a cluster whose sides are both of this rank, or those of which one is not, once their elements are
    /// predicted, and leaves at each side of this rank what comes in through it.
    template <class Real>
    void solve(Elements<Real>& elements, int cluster, bool crossing, double time, double length);

    /// For a face both of whose sides are of this rank: what look() has taken of a side, [row][traction, velocity]; and the states
    /// [kept_states][point] that its next solve() leaves, computed number by number.
    const double* side(std::int32_t face, int which) const {
        return sides_.data() + static_cast<std::size_t>(side_of_[face][which]) * side_values();
    }
    std::vector<double> solved_plainly(std::int32_t face, double time, double length);

    /// Exchanged data between ranks: sides of a cluster, values in each.
    struct Sides {
        std::vector<std::int64_t> owned, needed;
        double* first = nullptr;
    };
    const Sides& crossing_sides(int cluster) const { return crossing_[cluster]; }
    FaultParts parts();
    /// Says where faces are solved from now on; null: here. bring() makes states and heat() what they are by now there.
    void move_to(FaultElsewhere* elsewhere) { elsewhere_ = elsewhere; }
    void bring() const;
    int side_values() const {
        const int used = 6 * FaultRule::rows(rule_.order);
        return (used + side_granularity - 1) / side_granularity * side_granularity;
    }
    /// Steps of faces so far; a face at the border of two ranks is solved by both.
    std::int64_t solved() const { return solved_; }

private:
    using Lanes = FaultLanes;  // the first `lanes_` of them
    struct Group {             // of faces of one cluster: whole batches
        std::int32_t begin = 0, end = 0;
    };
    struct LookedFace {  // of `lanes_` elements of a batch, from one on
        int first_lane, face, turn;
        Lanes side;                                       // in sides_
        std::array<double, 3 * most_fault_lanes> normal;  // [axis][lane], outward
    };
    struct LookedAt {  // a batch with sides at a fault
        std::int32_t batch;
        std::vector<LookedFace> faces;
    };
    std::size_t at(std::int32_t face, int value, int values) const {
        const auto batch = static_cast<std::size_t>(batch_of_[face]);
        return (batch * static_cast<std::size_t>(values * rule_.points()) + value) * lanes_ + lane_of_[face];
    }
    void fill_traces(bool all_turns);
    void find(const tetra::LocalMesh& mesh, const FaultInput& input);
    void number_sides(const tetra::LocalMesh& mesh, const Connections& connections);
    void fill(std::span<const Material> material, const FaultInput& input);
    template <class Real>
    void look_at(const LookedFace& at, const Real* derivatives, std::size_t lanes_of_field);
    FaultMemory batch(std::int32_t index);
    FaultFace<double> geometry(std::int32_t face) const;
    struct Probing {
        FaultProbe probe;
        FaultPoint acting;
        std::vector<double> basis;
        int nearest;
    };
    struct StateAt {                   // a face's, between those at the ends of a step
        const double *before, *after;  // [value][lane]
        int lane;
        double of_slips, of_rates;  // how far through the step
    };
    void interpolate(const StateAt& at, std::span<double> state) const;
    double nucleation(std::int32_t face, int episode, int which, int point) const {
        const int values = static_cast<int>(episodes_.size()) * nucleation_values;
        return nucleation_[at(face, (episode * nucleation_values + which) * rule_.points() + point, values)];
    }
    double nucleated(std::int32_t face, int episode, int point, double time) const {
        return episodes_[episode].share(time, nucleation(face, episode, delay, point));
    }
    FaultStep step(double time, double length) const {
        return {time,
                length,
                of_fault_.data(),
                episodes_,
                smoothing_.data(),
                scheme_,
                series_.get(),
                thermal_ ? &*thermal_ : nullptr,
                given_.get()};
    }
    void show_to_probe(const Probing& probing, const FaultStep& step, const Moment& moment,
                       std::span<const double> state) const;
    void turn_back(int turn, double* felt) const;
    // Those of a group's faces that are of this rank.
    std::vector<std::int32_t> sides_of(const Group& group,
                                       const std::vector<std::array<std::int32_t, 2>>& of_faces) const;
    template <class Real>
    void write_beyond(Elements<Real>& elements, std::int32_t index, const double* traction) const;
    void add_jump(std::int32_t index, const FaultStep& step);
    void time_weakening(std::int32_t index, const FaultStep& step, const double* before);
    void solve_there(const Group& group, const FaultStep& step, std::span<const std::vector<Moment>> moments);
    void show(std::int32_t index, const FaultStep& step, std::span<const std::vector<Moment>> moments,
              const double* before) const;
    // The place of the values of a batch, so many a face.
    std::size_t first_of(std::int32_t index, int values) const {
        return static_cast<std::size_t>(index) * static_cast<std::size_t>(values * lanes_);
    }

    FaultRule rule_;
    std::vector<double> smoothing_, of_fault_;
    std::vector<NucleationStep> episodes_;
    FrictionScheme scheme_;
    bool counts_jump_, times_weakening_;
    NearestPlane plane_;
    std::shared_ptr<const SlipSeries> series_;
    std::optional<ThermalNumbers> thermal_;
    std::shared_ptr<GivenFriction> given_;
    const LawDescription& law_;
    const int parameters_;  // numbers of the law at a point
    const FaultKernels& kernels_;
    const FaultKernel& kernel_;
    const int lanes_;                               // faces in a batch
    std::vector<FaultPlace> places_;                // [face]
    std::vector<std::int32_t> batch_of_, lane_of_;  // [face]
    std::vector<Lanes> faces_of_;                   // [batch]
    std::vector<std::array<Group, 2>> groups_;      // [cluster][crossing]
    // [face][+, −]: in sides_; the element's own side, and where what lies beyond stands; -1 for those of other ranks.
    std::vector<std::array<std::int32_t, 2>> side_of_, own_of_, beyond_of_;
    std::vector<std::vector<LookedAt>> looked_at_;  // [block]
    std::int32_t sides_count_ = 0;
    std::array<std::array<std::vector<TraceEntry>, 4>, 3> trace_;  // [turn][face]: to FaultPlace::corner
    std::array<std::vector<double>, 3> turned_;                    // see FaultRule::turned
    std::vector<Sides> crossing_;
    std::vector<std::int32_t> first_side_;  // [cluster], those that cross first; and the end
    FaultElsewhere* elsewhere_ = nullptr;
    exec::Array<double> sides_, geometry_, initial_, nucleation_, parameter_, state_, thermal_parameter_,
        heat_, points_;  // [axis][point], where friction is given
    std::vector<FaultObserver> observers_;
    std::map<std::int32_t, std::vector<Probing>> probes_;                                      // [batch]
    std::tuple<std::vector<exec::Array<float>>, std::vector<exec::Array<double>>> workspace_;  // [thread]
    std::int64_t solved_ = 0;
};

}  // namespace groundswell::quake
