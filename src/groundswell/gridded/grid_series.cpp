#include "groundswell/gridded/grid_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::gridded {

GridSeries::GridSeries(const Quantity& quantity, const std::vector<Source>& sources, const TimeRules& rules,
                       std::span<const double> longitude, std::span<const double> latitude,
                       base::Instant start, base::Instant end)
    : quantity_(quantity), sources_(sources) {
    for (Level& level : levels_) level.cells.resize(longitude.size(), quantity_.beyond.value_or(0.0));
    GS_ASSERT(!sources.empty());
    for (const Source& source : sources_) {
        const netcdf::Reader file(source.path);
        const auto* variable = file.find(source.variable);
        GS_ASSERT(variable != nullptr);
        variables_.emplace_back(file, *variable, quantity_, source.stated);
        base::require(
            !variables_.back().time().before_year_one() || rules.repeat_every_year, source.path, "time",
            "counted from a date before year 1",
            fmt::format("a date of the standard calendar, which begins with year 1; MATLAB's datenum is read "
                        "with {}.time_units = \"datenum\" in the case file",
                        quantity_.section));
        base::require(variables_.back().along_grid() == variables_.front().along_grid(), source.path,
                      source.variable,
                      variables_.back().along_grid() ? "along the grid" : "towards true east or north",
                      fmt::format("a component like that of {}", sources_.front().path));
        base::require(
            variables_.back().grid() == variables_.front().grid(), source.path, source.variable,
            variables_.back().grid().describe(),
            fmt::format("the grid of {} ({})", sources_.front().path, variables_.front().grid().describe()));
    }
    std::vector<double> x, y;
    if (quantity_.beyond) {
        HorizontalGrid::Box box;
        for (std::size_t i = 0; i < longitude.size(); ++i) {
            if (!variables_.front().grid().locate(longitude[i], latitude[i], box)) continue;
            inside_.push_back(i);
            x.push_back(longitude[i]);
            y.push_back(latitude[i]);
        }
        longitude = x;
        latitude = y;
    }
    check_region(longitude, latitude);
    times_.emplace(sources_, variables_, quantity_, rules, start, end);
    const bool looks_around = sources_.front().stated.gaps == Gaps::nearest;
    window_.emplace(variables_.front().grid(), longitude, latitude, looks_around ? nearest_reach : 0);
}

void GridSeries::open(MPI_Comm group, double check_mebibytes, base::Instant start) {
    group_ = group;
    shared_.emplace(group, variables_.front().grid(), window_->box(), variables_.front().rows_together());
    try {
        const double all =
            static_cast<double>(times_->size() * shared_->largest() * sizeof(double)) / (1024.0 * 1024.0);
        if (all <= check_mebibytes)
            for (std::size_t record = 0; record < times_->size(); ++record) load(record, levels_[0].cells);
        at(start);
    } catch (const base::RunFailure& failure) {
        throw base::Refusal(failure.what());  // found before the first step
    }
}

void GridSeries::check_region(std::span<const double> longitude, std::span<const double> latitude) const {
    const HorizontalGrid& grid = variables_.front().grid();
    HorizontalGrid::Box box;
    const double inf = std::numeric_limits<double>::infinity();
    double west = inf, east = -inf, south = inf, north = -inf;
    std::ptrdiff_t outside = -1;
    for (std::size_t i = 0; i < longitude.size(); ++i) {
        const bool found = grid.locate(longitude[i], latitude[i], box);
        if (outside < 0 && !found) outside = static_cast<std::ptrdiff_t>(i);
        if (found && box.hole > 0.0) refuse_hole(box, longitude[i], latitude[i]);
        west = std::min(west, longitude[i]), east = std::max(east, longitude[i]);
        south = std::min(south, latitude[i]), north = std::max(north, latitude[i]);
    }
    if (outside < 0) return;
    const auto i = static_cast<std::size_t>(outside);
    base::refuse(
        sources_.front().path, sources_.front().variable, grid.describe(),
        fmt::format("a grid that covers the sea cells, {:.2f}…{:.2f}°E, {:.2f}…{:.2f}°N (the cell at "
                    "{:.3f}°E, {:.3f}°N lies outside)",
                    west / base::degree, east / base::degree, south / base::degree, north / base::degree,
                    longitude[i] / base::degree, latitude[i] / base::degree));
}

void GridSeries::refuse_hole(const HorizontalGrid::Box& box, double longitude, double latitude) const {
    const HorizontalGrid& grid = variables_.front().grid();
    base::refuse(
        sources_.front().path, sources_.front().variable, grid.describe(),
        fmt::format("values all around the sea cells: that at {:.3f}°E, {:.3f}°N lies in a hole of the grid, "
                    "{:.6g}{} wide, between {} and {}",
                    longitude / base::degree, latitude / base::degree, box.hole, grid.unit(),
                    grid.describe(box.column[0], box.row[0]), grid.describe(box.column[1], box.row[1])));
}

LinearInTime GridSeries::at(base::Instant time) {
    const SeriesTimes::Bracket now = times_->bracket(time);
    const LinearInTime::Level before = level(now.before, now.after), after = level(now.after, now.before);
    return {before, after, now.weight};
}

// The values of a record on the cells, read if need be over the level that does not hold `other`.
LinearInTime::Level GridSeries::level(std::size_t record, std::size_t other) {
    for (const Level& level : levels_)
        if (level.record == record) return {level.cells, record};
    Level& free = levels_[0].record == other ? levels_[1] : levels_[0];
    free.record.reset();
    load(record, free.cells);
    free.record = record;
    return {free.cells, record};
}

void GridSeries::load(std::size_t record, std::vector<double>& cells) {
    parallel::agree(group_, [&] { read_band(record); });
    shared_->exchange(band_, scratch_);
    parallel::agree(group_, [&] { interpolate(record, cells); });
}

void GridSeries::read_band(std::size_t record) {
    const SeriesTimes::Record& from = (*times_)[record];
    band_.resize(shared_->band().size());
    if (band_.empty()) return;
    try {
        if (!open_ || open_source_ != from.source) open_file(from.source);
        variables_[from.source].read(*open_, from.step, shared_->band(), band_);
    } catch (const base::Refusal& refusal) {
        throw base::RunFailure(refusal.what());
    }
    bytes_read_ += static_cast<std::int64_t>(band_.size() * sizeof(double));
}

// A file that is opened when its time comes may have been replaced since it was looked at; more times at its
// end do no harm.
void GridSeries::open_file(std::size_t source) {
    const auto& [path, name, stated] = sources_[source];
    open_.reset();
    auto file = std::make_unique<netcdf::Reader>(path);
    const auto* variable = file->find(name);
    base::require(variable != nullptr, path, name, "", "the variable that it had when the run began");
    GridVariable found(*file, *variable, quantity_, stated);
    const GridVariable& known = variables_[source];
    bool same = found.grid() == known.grid() && found.times().size() >= known.times().size();
    for (std::size_t i = 0; same && i < known.times().size(); ++i)
        same = found.time().instant(found.times()[i]) == known.time().instant(known.times()[i]);
    base::require(same, path, name, found.grid().describe(),
                  "the grid and the times that it had when the run began");
    variables_[source] = std::move(found);
    open_ = std::move(file);
    open_source_ = source;
}

void GridSeries::interpolate(std::size_t record, std::vector<double>& cells) const {
    const auto stencils = window_->stencils();
    const bool lands = quantity_.missing_at_land && sources_.front().stated.gaps == Gaps::refused;
    for (std::size_t i = 0; i < stencils.size(); ++i) {
        const GridWindow::Stencil& stencil = stencils[i];
        double sum = 0.0, missing = 0.0;
        for (int corner = 0; corner < 4; ++corner) {
            const double weight = stencil.weight(corner);
            const auto place = static_cast<std::size_t>(stencil.corner[corner]);
            if (weight == 0.0) continue;
            if (lands && std::isnan(scratch_[place])) {
                missing += weight;
                continue;
            }
            sum += weight * value_at(record, place);
        }
        cells[quantity_.beyond ? inside_[i] : i] = missing == 0.0         ? sum
                                                   : missing < 1.0 - 1e-9 ? sum / (1.0 - missing)
                                                                          : quantity_.nowhere;
    }
}

double GridSeries::value_at(std::size_t record, std::size_t place) const {
    const double value = scratch_[place];
    if (std::abs(value) <= quantity_.largest) return value;
    if (std::isnan(value)) {
        const Gaps gaps = sources_.front().stated.gaps;
        if (gaps == Gaps::zero) return 0.0;
        if (gaps == Gaps::nearest) {
            if (const auto found = nearest_known(place)) return *found;
        }
    }
    report_bad_value(record, place);
}

// By rows and columns, so that it does not depend on how large this rank's window is.
std::optional<double> GridSeries::nearest_known(std::size_t place) const {
    const GridBox& box = window_->box();
    const HorizontalGrid& grid = variables_.front().grid();
    const auto rows = static_cast<int>(box.rows), columns = static_cast<int>(box.columns);
    const auto row = static_cast<int>(place) / columns, column = static_cast<int>(place) % columns;
    const bool around = grid.around_the_earth() && box.columns == grid.columns();
    std::optional<double> found;
    int nearest = 2 * nearest_reach * nearest_reach + 1;
    for (int y = -nearest_reach; y <= nearest_reach; ++y) {
        if (row + y < 0 || row + y >= rows) continue;
        for (int x = -nearest_reach; x <= nearest_reach; ++x) {
            const int other = around ? (column + x + columns) % columns : column + x;
            if (x * x + y * y >= nearest || other < 0 || other >= columns) continue;
            const double value = scratch_[static_cast<std::size_t>((row + y) * columns + other)];
            if (std::isnan(value) || std::abs(value) > quantity_.largest) continue;
            found = value;
            nearest = x * x + y * y;
        }
    }
    return found;
}

void GridSeries::report_bad_value(std::size_t record, std::size_t place) const {
    const SeriesTimes::Record& from = (*times_)[record];
    const HorizontalGrid& grid = variables_[from.source].grid();
    const GridBox& box = window_->box();
    const std::size_t row = box.first_row + place / box.columns;
    const std::size_t column = (box.first_column + place % box.columns) % grid.columns();
    const double value = scratch_[place];
    throw base::RunFailure(base::describe(
        sources_[from.source].path,
        fmt::format("{} at {}, {}", sources_[from.source].variable, times_->describe(from),
                    grid.describe(column, row)),
        std::isnan(value) ? "missing" : fmt::format("{} {}", value, quantity_.unit),
        std::isnan(value)
            ? fmt::format("{} at every place around a sea cell; {}.gaps = \"nearest\" or \"zero\" fills "
                          "such places",
                          quantity_.noun, quantity_.section)
            : fmt::format("{} not above {} {}{}", quantity_.noun, quantity_.largest, quantity_.unit,
                          quantity_.largest_because)));
}

}  // namespace groundswell::gridded
