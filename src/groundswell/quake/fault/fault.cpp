#include "groundswell/quake/fault/fault.hpp"

#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/quake/basis/matrices.hpp"

namespace groundswell::quake {

namespace {

constexpr int face_values = sizeof(FaultFace<double>) / sizeof(double);

FaultFace<double> face_of(const FaultFrame& frame, const Material& plus, const Material& minus) {
    FaultFace<double> face{};
    for (int i = 0; i < 3; ++i) {
        face.normal[i] = frame.normal[i];
        face.strike[i] = frame.strike[i];
        face.dip[i] = frame.dip[i];
    }
    face.per_zp_plus = 1.0 / plus.zp();
    face.per_zp_minus = 1.0 / minus.zp();
    face.per_zs_plus = 1.0 / plus.zs();
    face.per_zs_minus = 1.0 / minus.zs();
    face.eta_p = 1.0 / (face.per_zp_plus + face.per_zp_minus);
    face.eta_s = 1.0 / (face.per_zs_plus + face.per_zs_minus);
    return face;
}

}  // namespace

const FaultKernel& FaultKernels::of(std::string_view law) const {
    const auto found = std::ranges::find(laws, law, &FaultKernel::law);
    GS_ASSERT(found != laws.end());
    return *found;
}

Fault::Fault(const tetra::LocalMesh& mesh, std::span<const Material> material, const Connections& connections,
             int order, const FaultInput& input, const FaultKernels& kernels)
    : rule_(order, input.points, input.pressure),
      of_fault_(input.of_fault),
      episodes_(input.nucleation),
      scheme_(input.scheme),
      counts_jump_(input.counts_jump),
      times_weakening_(input.times_weakening),
      plane_(rule_.place),
      series_(input.series),
      thermal_(input.thermal),
      given_(input.given),
      law_(*find_law(input.law)),
      parameters_(static_cast<int>(law_.at_places.size())),
      kernels_(kernels),
      kernel_(kernels.of(input.law)),
      lanes_(kernels.lanes) {
    const int points = rule_.points();
    for (int p = 0; p < points; ++p) {
        for (int q = 0; q < points; ++q) {
            double sum = 0.0;
            for (int m = 0; m < rule_.basis; ++m)
                sum += rule_.at[p * rule_.basis + m] * rule_.onto[m * points + q];
            smoothing_.push_back(sum);
        }
    }
    fill_traces(input.points == FacePoints::conical);
    find(mesh, input);
    number_sides(mesh, connections);
    fill(material, input);
}

void Fault::fill_traces(bool all_turns) {
    const int basis = rule_.basis;
    for (int turn = 0; turn < (all_turns ? 3 : 1); ++turn) {
        turned_[turn] = rule_.turned(turn);
        for (int f = 0; f < 4; ++f) {
            const Matrix matrix = trace(rule_.order, f);
            for (int row = 0; row < matrix.rows; ++row) {
                for (int column = 0; column < matrix.columns; ++column) {
                    double value = turn == 0 ? matrix(row, column) : 0.0;
                    for (int n = 0; turn > 0 && n < basis; ++n)
                        value += turned_[turn][row * basis + n] * matrix(n, column);
                    if (value != 0.0) trace_[turn][f].push_back({row, column, value});
                }
            }
        }
    }
}

void Fault::find(const tetra::LocalMesh& mesh, const FaultInput& input) {
    for (const auto& group : mesh.groups) {
        auto& groups = groups_.emplace_back();
        for (const bool crossing : {false, true}) {
            groups[crossing].begin = static_cast<std::int32_t>(faces_of_.size());
            int lane = lanes_;
            for (std::int32_t cell = group.owned().begin; cell < group.owned().end; ++cell) {
                for (int f = 0; f < 4; ++f) {
                    const auto& across = mesh.across[cell][f];
                    if (!tetra::is_fault(mesh.cell[cell].boundary[f]) || across.cell < 0) continue;
                    if ((across.cell >= mesh.owned) != crossing) continue;
                    const bool is_plus = mesh.cell[cell].is_plus(f);
                    if (!crossing && !is_plus) continue;  // once is enough
                    FaultPlace place;
                    for (int i = 0; i < 3; ++i)
                        place.corner[i] = mesh.cell[cell].place[tetra::face_corners[f][i]];
                    place.cell = {is_plus ? cell : across.cell, is_plus ? across.cell : cell};
                    place.face = {is_plus ? f : across.face, is_plus ? across.face : f};
                    const auto geometry = tetra::geometry_of(mesh.cell[place.cell[0]].place);
                    place.frame = frame_of(geometry.normal[place.face[0]]);
                    place.area = geometry.area[place.face[0]];
                    if (input.points == FacePoints::conical)  // which crowd to the last corner
                        place.turn = (crowded_corner(mesh.cell[place.cell[0]], place.face[0]) + 1) % 3;
                    std::ranges::rotate(place.corner, place.corner.begin() + place.turn);
                    if (input.points == FacePoints::conical)
                        place.first =
                            (first_corner(mesh.cell[place.cell[0]], place.face[0]) + 3 - place.turn) % 3;
                    place.tag = tetra::tag_of(mesh.cell[cell].boundary[f]);
                    place.id = mesh.id[place.cell[0]] * 4 + place.face[0];
                    place.mine = is_plus;
                    if (lane == lanes_) {
                        faces_of_.emplace_back();
                        faces_of_.back().fill(-1);
                        lane = 0;
                    }
                    batch_of_.push_back(static_cast<std::int32_t>(faces_of_.size()) - 1);
                    lane_of_.push_back(lane);
                    faces_of_.back()[lane++] = static_cast<std::int32_t>(places_.size());
                    places_.push_back(place);
                }
            }
            groups[crossing].end = static_cast<std::int32_t>(faces_of_.size());
        }
    }
}

void Fault::number_sides(const tetra::LocalMesh& mesh, const Connections& connections) {
    const auto& blocks = connections.places;
    looked_at_.resize(blocks_of_cluster * groups_.size());
    side_of_.assign(places_.size(), {-1, -1});
    own_of_ = beyond_of_ = side_of_;
    const auto take = [&](std::int32_t face, int s) {
        const std::int32_t cell = places_[face].cell[s], f = places_[face].face[s];
        side_of_[face][s] = sides_count_++;
        if (cell >= mesh.owned) return;
        const std::int32_t element = connections.element_of[cell];
        own_of_[face][s] = blocks.side(element, f);
        beyond_of_[face][s] = connections.beyond[element][f];
        const std::int32_t batch = blocks.batch(element);
        std::size_t block = 0;
        while (batch >= blocks.batch_end(static_cast<int>(block))) ++block;
        auto& looked = looked_at_[block];
        auto at = std::ranges::find(looked, batch, &LookedAt::batch);
        if (at == looked.end()) at = looked.insert(looked.end(), {batch, {}});
        const int lane = blocks.lane(element) % lanes_, first_lane = blocks.lane(element) - lane;
        const int turn = places_[face].turn;
        auto looks = std::ranges::find_if(at->faces, [&](const LookedFace& one) {
            return one.first_lane == first_lane && one.face == f && one.turn == turn;
        });
        if (looks == at->faces.end()) {
            looks = at->faces.insert(looks, {first_lane, f, turn, {}, {}});
            looks->side.fill(-1);
        }
        looks->side[lane] = side_of_[face][s];
        const tetra::Point normal = tetra::geometry_of(mesh.cell[cell].place).normal[f];
        for (int i = 0; i < 3; ++i) looks->normal[i * most_fault_lanes + lane] = normal[i];
    };
    const auto faces_of = [&](const Group& group) {
        std::vector<std::int32_t> faces;
        for (std::int32_t b = group.begin; b < group.end; ++b) {
            for (const std::int32_t face : faces_of_[b]) {
                if (face >= 0) faces.push_back(face);
            }
        }
        return faces;
    };
    crossing_.resize(groups_.size());
    for (std::size_t c = 0; c < groups_.size(); ++c) {
        first_side_.push_back(sides_count_);
        const auto crossing = faces_of(groups_[c][true]);
        const auto id = [&](std::int32_t face, int s) {
            return mesh.id[places_[face].cell[s]] * 4 + places_[face].face[s];
        };
        const auto is_mine = [&](std::int32_t face, int s) { return places_[face].cell[s] < mesh.owned; };
        for (const bool own : {true, false}) {
            for (const std::int32_t face : crossing) {
                const int s = is_mine(face, 0) == own ? 0 : 1;
                (own ? crossing_[c].owned : crossing_[c].needed).push_back(id(face, s));
                take(face, s);
            }
        }
        for (const std::int32_t face : faces_of(groups_[c][false])) {
            take(face, 0);
            take(face, 1);
        }
    }
    first_side_.push_back(sides_count_);
    sides_ = exec::make_cell_array<double>(sides_count_, side_values());
    for (std::size_t c = 0; c < groups_.size(); ++c)
        crossing_[c].first = sides_.data() + static_cast<std::size_t>(first_side_[c]) * side_values();
}

void Fault::fill(std::span<const Material> material, const FaultInput& input) {
    const auto batches = static_cast<std::int32_t>(faces_of_.size());
    const int points = rule_.points();
    const auto make = [&](int values) {
        return exec::make_cell_array<double>(batches, static_cast<std::size_t>(values * lanes_));
    };
    geometry_ = make(face_values);
    initial_ = make(3 * points);
    const int nucleating = static_cast<int>(episodes_.size()) * nucleation_values * points;
    if (nucleating > 0) nucleation_ = make(nucleating);
    parameter_ = make(parameters_ * points);
    state_ = make(kept_states * points);
    if (given_) points_ = make(3 * points);
    if (thermal_) {
        thermal_parameter_ = make(thermal_parameters * points);
        heat_ = make(thermal_values * points);
    }
    for (FaultPlace& place : places_) {
        place.mu = shear_modulus_between(material[place.cell[0]], material[place.cell[1]]);
        if (place.mu > 0.0) continue;
        const tetra::Point at = place.corner[0];
        throw base::Refusal(
            fmt::format("fault at {:.6g}, {:.6g}, {:.6g} m: expected rock on both sides, not water", at[0],
                        at[1], at[2]));
    }
    for (std::int32_t b = 0; b < batches; ++b) {
        for (int lane = 0; lane < lanes_; ++lane) {
            // Lanes without a face do what the last one does.
            int from = lane;
            while (faces_of_[b][from] < 0) --from;
            const FaultPlace& place = places_[faces_of_[b][from]];
            const auto put = [&](exec::Array<double>& to, int values, int value, double what) {
                to[first_of(b, values) + static_cast<std::size_t>(value * lanes_ + lane)] = what;
            };
            const auto face = face_of(place.frame, material[place.cell[0]], material[place.cell[1]]);
            const auto* numbers = reinterpret_cast<const double*>(&face);
            for (int i = 0; i < face_values; ++i) put(geometry_, face_values, i, numbers[i]);
            for (int p = 0; p < points; ++p) {
                const tetra::Point point = place.point(rule_.place.point[p]);
                const FaultPoint acting = input.at(place.spot(point));
                for (int i = 0; given_ && i < 3; ++i) put(points_, 3 * points, i * points + p, point[i]);
                for (int c = 0; c < 3; ++c) put(initial_, 3 * points, c * points + p, acting.traction[c]);
                for (std::size_t e = 0; e < episodes_.size(); ++e) {
                    const auto& [added, strength, later] = acting.nucleation[e];
                    const double all[nucleation_values] = {added[0], added[1], added[2], strength, later};
                    const int first = static_cast<int>(e) * nucleation_values;
                    for (int i = 0; i < nucleation_values; ++i)
                        put(nucleation_, nucleating, (first + i) * points + p, all[i]);
                }
                for (int i = 0; thermal_ && i < thermal_parameters; ++i)
                    put(thermal_parameter_, thermal_parameters * points, i * points + p, acting.thermal[i]);
                for (int i = 0; i < parameters_; ++i)
                    put(parameter_, parameters_ * points, i * points + p, acting.parameter[i]);
            }
        }
    }
    for (std::int32_t b = 0; b < batches; ++b) kernel_.start(rule_, step(0.0, 0.0), batch(b));
}

FaultMemory Fault::batch(std::int32_t index) {
    const int points = rule_.points();
    const auto of = [&](exec::Array<double>& values, int count) {
        return values.data() + first_of(index, count);
    };
    FaultMemory all{};
    all.face = of(geometry_, face_values);
    all.initial = of(initial_, 3 * points);
    const int episodes = static_cast<int>(episodes_.size());
    all.nucleation = episodes > 0 ? of(nucleation_, episodes * nucleation_values * points) : nullptr;
    all.parameter = of(parameter_, parameters_ * points);
    all.state = of(state_, kept_states * points);
    if (given_) all.place = of(points_, 3 * points);
    if (thermal_) {
        all.thermal = of(thermal_parameter_, thermal_parameters * points);
        all.heat = of(heat_, thermal_values * points);
    }
    return all;
}

FaultFace<double> Fault::geometry(std::int32_t face) const {
    FaultFace<double> one{};
    const double* const from = geometry_.data() + first_of(batch_of_[face], face_values) + lane_of_[face];
    for (int i = 0; i < face_values; ++i) reinterpret_cast<double*>(&one)[i] = from[i * lanes_];
    return one;
}

}  // namespace groundswell::quake
