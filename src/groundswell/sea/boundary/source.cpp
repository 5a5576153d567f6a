#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/sea/boundary/boundary.hpp"
#include "groundswell/sea/boundary/sea_series.hpp"
#include "groundswell/sea/boundary/spectra_file.hpp"
#include "groundswell/sea/boundary/spectral_mapping.hpp"
#include "groundswell/sea/boundary/stations.hpp"

namespace groundswell::sea {

namespace {

/// The same spectrum beyond all faces.
class SeaSource final : public BoundarySource {
public:
    SeaSource(const BoundarySection& section, const SpectralGrid& grid, base::Instant start,
              base::Instant end)
        : grid_(grid), sea_(section.sea), action_(grid.stride()) {
        if (section.kind == BoundarySection::Kind::series) series_.emplace(section.file, sea_, start, end);
    }
    void read(base::Instant time) override {
        fill_spectrum(grid_, series_ ? series_->at(time) : sea_, 1.0, action_.data());
    }
    void spectrum(std::size_t /*face*/, Real* action) const override {
        std::copy_n(action_.data(), grid_.bins(), action);
    }

private:
    const SpectralGrid grid_;
    ParametricSea sea_;
    std::optional<SeaSeries> series_;
    std::vector<Real> action_;
};

// Sets negative values of a row to 0, and keeps its sum if that is above 0.
void lift(Real* row, int size) {
    if (std::none_of(row, row + size, [](Real value) { return value < 0; })) return;
    double all = 0.0, positive = 0.0;
    for (int i = 0; i < size; ++i) {
        all += static_cast<double>(row[i]);
        row[i] = std::max(row[i], Real(0));
        positive += static_cast<double>(row[i]);
    }
    const auto share = static_cast<Real>(all > 0.0 ? all / positive : 0.0);
    for (int i = 0; i < size; ++i) row[i] *= share;
}

/// Spectra of stations between them in place as weigh_stations() says, in time linear between two records. Where that is negative
/// in a bin, the other directions of its frequency give what is lacking.
class StationSource final : public BoundarySource {
public:
    StationSource(const BoundarySection& section, const std::string& case_file, const SpectralGrid& grid,
                  std::span<const OpenFace> faces, base::Instant start, base::Instant end)
        : file_(section, case_file, start, end),
          mapping_(grid, file_.frequency(), file_.direction()),
          directions_(grid.directions),
          bins_(grid.bins()) {
        std::vector<voronoi::Vector3> stations;
        for (std::size_t s = 0; s < file_.stations(); ++s)
            stations.push_back(voronoi::point_at(file_.lon(s), file_.lat(s)));
        for (const OpenFace& face : faces) place(section, case_file, face, stations);
        first_record_ = bracket(file_.times(), start).first;
        last_record_ = bracket(file_.times(), end).second;
    }

    void read(base::Instant time) override {
        const auto [first, second, part] = bracket(file_.times(), time);
        part_ = part;
        // The older record goes, the newer one becomes the older.
        if (held_[1].record == first && held_[0].record != first) std::swap(held_[0], held_[1]);
        hold(held_[0], first);
        if (second != first) hold(held_[1], second);
    }

    void spectrum(std::size_t face, Real* action) const override {
        std::fill_n(action, bins_, Real(0));
        for (const auto& [station, weight] : faces_[face]) {
            const auto row = static_cast<std::size_t>(bins_) * station;
            const Real* const before = held_[0].action.data() + row;
            const Real* const after = held_[part_ > 0.0 ? 1 : 0].action.data() + row;
            const auto now = static_cast<Real>((1.0 - part_) * weight),
                       then = static_cast<Real>(part_ * weight);
            for (int bin = 0; bin < bins_; ++bin) action[bin] += now * before[bin] + then * after[bin];
        }
        for (int first = 0; first < bins_; first += directions_) lift(action + first, directions_);
    }

    Loss find_loss() override {
        constexpr std::size_t looks = 10;
        Loss worst;
        const std::size_t step = std::max<std::size_t>(1, (last_record_ - first_record_) / looks);
        std::vector<double> density;
        for (std::size_t record = first_record_; record <= last_record_; record += step) {
            for (const std::size_t station : stations_) {
                file_.read(record, station, density);
                const double share = mapping_.lost_share(density);
                if (mapping_.variance(density) < least_variance || share <= worst.share) continue;
                worst = {share, fmt::format("{}: station {} at {}", file_.path(), station + 1,
                                            base::format_instant(file_.times()[record]))};
            }
        }
        return worst;
    }

private:
    static constexpr double least_variance = 1e-6;  // m²: a significant height of 4 mm

    struct Held {
        std::optional<std::size_t> record;
        std::vector<Real> action;  // [stations_][bins]
    };

    std::size_t needed(std::size_t station) {
        const auto [found, is_new] = place_of_.emplace(station, stations_.size());
        if (is_new) stations_.push_back(station);
        return found->second;
    }

    void place(const BoundarySection& section, const std::string& case_file, const OpenFace& face,
               const std::vector<voronoi::Vector3>& stations) {
        const voronoi::Vector3 point = voronoi::point_at(face.lon, face.lat);
        const std::vector<Weighed> weighed = weigh_stations(stations, face.lon, face.lat);
        const std::size_t nearest = weighed.front().station;
        const double away = base::earth_radius * voronoi::arc(point, stations[nearest]);
        base::require(
            away <= section.reach, case_file, "boundary[].spectra", section.file,
            fmt::format("stations within boundary[].reach = {:g} km of all open faces: the nearest one to "
                        "that at {:.3f}°E, {:.3f}°N, station {} at {:.3f}°E, {:.3f}°N, is {:.1f} km away",
                        section.reach / 1e3, face.lon / base::degree, face.lat / base::degree, nearest + 1,
                        file_.lon(nearest) / base::degree, file_.lat(nearest) / base::degree, away / 1e3));
        faces_.push_back(weighed);
        for (Weighed& one : faces_.back()) one.station = needed(one.station);
    }

    void hold(Held& held, std::size_t record) {
        if (held.record == record) return;
        held.record.reset();
        held.action.resize(stations_.size() * static_cast<std::size_t>(bins_));
        std::vector<double> density;
        for (std::size_t i = 0; i < stations_.size(); ++i) {
            file_.read(record, stations_[i], density);
            mapping_.map(density, held.action.data() + i * static_cast<std::size_t>(bins_));
        }
        held.record = record;
    }

    SpectraFile file_;
    SpectralMapping mapping_;
    int directions_, bins_;
    std::vector<std::size_t> stations_;  // that the faces need
    std::map<std::size_t, std::size_t> place_of_;
    std::vector<std::vector<Weighed>> faces_;  // by place in stations_
    Held held_[2];
    double part_ = 0.0;
    std::size_t first_record_ = 0, last_record_ = 0;
};

}  // namespace

std::unique_ptr<BoundarySource> make_boundary_source(const BoundarySection& section,
                                                     const std::string& case_file, const SpectralGrid& grid,
                                                     std::span<const OpenFace> faces, base::Instant start,
                                                     base::Instant end) {
    if (section.kind == BoundarySection::Kind::spectra)
        return std::make_unique<StationSource>(section, case_file, grid, faces, start, end);
    return std::make_unique<SeaSource>(section, grid, start, end);
}

}  // namespace groundswell::sea
