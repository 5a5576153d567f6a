#include "groundswell/sea/streams/station_stream.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/output_schema.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/products.hpp"

namespace groundswell::sea {

namespace {

/// Degrees, going to, clockwise from north, in [0, 360).
double bearing_to(double direction) {
    return std::fmod(bearing_from(direction) + 180.0, 360.0);
}

std::vector<int> directions_by_bearing(const SpectralGrid& grid) {
    std::vector<int> order(grid.directions);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int j) { return bearing_to(grid.direction[j]); });
    return order;
}

/// Station of which a record is made.
struct Place {
    std::int32_t cell = 0;
    CellSituation situation;
    SpectrumInPlace spectrum;
    SourceBudget budget;
};

/// Variable of the file with `width` values at a station.
struct Column {
    std::string name;
    std::size_t width;
    std::function<void(const Place&, std::vector<float>&)> add;
    std::vector<float> values;
};

float bearing_of(const FrequencyRow& row) {
    const bool has = std::hypot(row.east, row.north) > 0.0;
    return has ? static_cast<float>(bearing_from(std::atan2(row.north, row.east))) : fill_value;
}

float spread_of(const FrequencyRow& row) {
    if (!(row.energy > 0.0)) return fill_value;
    const double length = std::hypot(row.east, row.north) / row.energy;
    return static_cast<float>(std::sqrt(2.0 * std::max(1.0 - length, 0.0)) / base::degree);
}

class Spectra : public StationStream {
public:
    Spectra(MPI_Comm comm, const PointsSection& section, output::Schema schema, const Model& model,
            Situations& situations, std::vector<Station> stations)
        : StationStream(comm, section, std::move(schema), model, situations, std::move(stations)),
          by_bearing_(directions_by_bearing(model.grid())),
          depths_(section.depths),
          has_directions_(has(section, "efth")),
          has_budgets_(has(section, "budgets")) {
        if (has_directions_) add_density();
        if (has(section, "ef"))
            by_frequency("ef", [](const FrequencyRow& row) { return static_cast<float>(row.energy); });
        if (has(section, "th1m")) by_frequency("th1m", bearing_of);
        if (has(section, "sth1m")) by_frequency("sth1m", spread_of);
        if (has(section, "stokes")) {
            by_depth("ustokes", &Drift::east);
            by_depth("vstokes", &Drift::north);
        }
        if (has_budgets_) add_budgets();
        add_wind_and_depth();
    }

    void write_fixed(output::Dataset& file) override {
        StationStream::write_fixed(file);
        const SpectralGrid& grid = model_.grid();
        file.write_fixed(output::replicated<double>("frequency", grid.frequency));
        if (!depths_.empty()) file.write_fixed(output::replicated<double>("depth", depths_));
        if (!has_directions_) return;
        std::vector<double> bearing;
        for (const int j : by_bearing_) bearing.push_back(bearing_to(grid.direction[j]));
        file.write_fixed(output::replicated<double>("direction", bearing));
    }

    std::int64_t record_bytes() const override {
        std::size_t values = 0;
        for (const Column& column : columns_) values += column.width;
        return bytes(values);
    }

    std::vector<output::Values> record() override {
        for (Column& column : columns_) column.values.clear();
        model_.bring_back(mine_);
        for (const std::int32_t cell : mine_) {
            Place place{cell, situations_.of(cell, Reads::nothing), model_.spectrum(cell), {}};
            if (has_budgets_) place.budget = model_.budget(cell);
            for (Column& column : columns_) column.add(place, column.values);
        }
        std::vector<output::Values> record;
        for (const Column& one : columns_) record.push_back(column(one.name, one.values));
        return record;
    }

private:
    static bool has(const PointsSection& section, const char* name) {
        return std::ranges::find(section.spectra, name) != section.spectra.end();
    }

    void add_density() {
        const SpectralGrid& grid = model_.grid();
        columns_.push_back({"efth",
                            static_cast<std::size_t>(grid.bins()),
                            [this, &grid](const Place& place, std::vector<float>& values) {
                                for (int i = 0; i < grid.frequencies; ++i)
                                    for (const int j : by_bearing_)
                                        values.push_back(static_cast<float>(
                                            grid.sigma[i] * place.spectrum.action[grid.index(i, j)]));
                            },
                            {}});
    }

    void by_frequency(const char* name, float (*value)(const FrequencyRow&)) {
        const SpectralGrid& grid = model_.grid();
        columns_.push_back({name,
                            static_cast<std::size_t>(grid.frequencies),
                            [&grid, value](const Place& place, std::vector<float>& values) {
                                for (int i = 0; i < grid.frequencies; ++i)
                                    values.push_back(
                                        value(frequency_row(SumAxes::of(grid), place.spectrum.action, i)));
                            },
                            {}});
    }

    void by_depth(const char* name, double Drift::*part) {
        columns_.push_back(
            {name,
             depths_.size(),
             [this, part](const Place& place, std::vector<float>& values) {
                 for (const double below : depths_)
                     values.push_back(
                         below > place.spectrum.depth
                             ? fill_value
                             : static_cast<float>(stokes_drift(model_.grid(), place.spectrum, below).*part));
             },
             {}});
    }

    void add_budgets() {
        const SourcePackage& package = *model_.package();
        const auto frequencies = static_cast<std::size_t>(model_.grid().frequencies);
        for (int term = 0; term < package.terms(); ++term)
            columns_.push_back({budget_name(package.term_name(term)),
                                frequencies,
                                [first = static_cast<std::size_t>(term) * frequencies, frequencies](
                                    const Place& place, std::vector<float>& values) {
                                    for (std::size_t i = 0; i < frequencies; ++i)
                                        values.push_back(
                                            static_cast<float>(place.budget.rates[first + i].energy));
                                },
                                {}});
    }

    void add_wind_and_depth() {
        const auto add = [this](const char* name, float (*value)(const CellSituation&)) {
            columns_.push_back({name,
                                1,
                                [value](const Place& place, std::vector<float>& values) {
                                    values.push_back(value(place.situation));
                                },
                                {}});
        };
        add("dpt", [](const CellSituation& c) { return static_cast<float>(c.depth); });
        add("wnd", [](const CellSituation& c) {
            return static_cast<float>(std::hypot(static_cast<double>(c.forcing.eastward_wind),
                                                 static_cast<double>(c.forcing.northward_wind)));
        });
        add("wnddir", [](const CellSituation& c) {
            return static_cast<float>(bearing_from(std::atan2(static_cast<double>(c.forcing.northward_wind),
                                                              static_cast<double>(c.forcing.eastward_wind))));
        });
    }

    std::vector<int> by_bearing_;  // directions as the file has them: bearings increase
    std::vector<double> depths_;
    bool has_directions_, has_budgets_;
    std::vector<Column> columns_;
};

}  // namespace

std::unique_ptr<simulation::Stream> make_spectra(MPI_Comm comm, const PointsSection& section,
                                                 output::Schema schema, const Model& model,
                                                 Situations& situations, std::vector<Station> stations) {
    return std::make_unique<Spectra>(comm, section, std::move(schema), model, situations,
                                     std::move(stations));
}

}  // namespace groundswell::sea
