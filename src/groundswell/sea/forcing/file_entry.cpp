#include "groundswell/sea/forcing/file_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/grid_series.hpp"
#include "groundswell/sea/forcing/kind.hpp"

namespace groundswell::sea {

namespace {

class FileLayer final : public ForcingLayer {
public:
    FileLayer(const FileOptions& options, const LayerPlace& place)
        : file_(options.files.front()),
          check_mebibytes_(options.check_mebibytes),
          is_over_(options.over.has_value()) {
        std::vector<gridded::Quantity> quantities;
        for (const ForcingKind::Component& component : place.kind.components) {
            quantities.push_back(component.quantity);
            if (quantities.size() <= options.names.size())
                quantities.back().explicit_name = options.names[quantities.size() - 1];
            if (options.over) quantities.back().beyond = quantities.back().nowhere = std::nan("");
        }
        const std::vector<Sources> sources = find_sources(options, place, quantities);
        const gridded::TimeRules rules{options.climatology, options.longest_step};
        for (std::size_t c = 0; c < quantities.size(); ++c)
            series_.push_back(std::make_unique<gridded::GridSeries>(
                quantities[c], sources[c], rules, place.longitude, place.latitude, place.start, place.end));
        layer_.count = static_cast<int>(series_.size());
        if (place.kind.is_vector) find_turns(options, place);
        if (!options.over) return;
        const gridded::HorizontalGrid& grid = series_.front()->grid();
        for (std::size_t i = 0; i < place.longitude.size(); ++i) {
            const double steps = grid.steps_to_rim(place.longitude[i], place.latitude[i]);
            shares_.push_back(steps < *options.over ? steps / *options.over : 1.0);
        }
        layer_.share = shares_;
    }

    void open(MPI_Comm group, base::Instant start) override {
        for (const auto& one : series_) one->open(group, check_mebibytes_, start);
    }
    parallel::ReadCost cost() const override {
        parallel::ReadCost cost;
        for (const auto& one : series_) cost += one->cost();
        return cost;
    }
    const LinearLayer* linear(base::Instant time) override {
        for (std::size_t c = 0; c < series_.size(); ++c) layer_.components[c] = series_[c]->at(time);
        return &layer_;
    }
    std::size_t cells_reached() const override {
        return is_over_ ? series_.front()->cells_inside() : ForcingLayer::cells_reached();
    }
    [[noreturn]] void refuse_far() const override {
        base::refuse(file_, "grid", series_.front()->grid().describe(),
                     "a grid with a sea cell in it, where this entry is to stand over those above it");
    }

private:
    using Sources = std::vector<gridded::GridSeries::Source>;
    static std::vector<Sources> find_sources(const FileOptions& options, const LayerPlace& place,
                                             const std::vector<gridded::Quantity>& quantities) {
        std::vector<Sources> sources(quantities.size());
        for (const std::string& path : options.files) {
            const netcdf::Reader file(path);
            bool found = false;
            for (std::size_t c = 0; c < quantities.size(); ++c) {
                const auto* variable = gridded::find_variable(file, quantities[c]);
                if (variable == nullptr) continue;
                sources[c].push_back({path, variable->name, options.units});
                found = true;
            }
            if (found) continue;
            std::vector<std::string> names;
            for (const auto& variable : file.variables()) names.push_back(variable.name);
            base::refuse(path, "variables", fmt::format("{}", fmt::join(names, ", ")),
                         place.kind.names_expected);
        }
        for (std::size_t c = 0; c < quantities.size(); ++c)
            base::require(!sources[c].empty(), options.files.front(), quantities[c].standard_name,
                          quantities[c].explicit_name.empty() ? "(none)" : quantities[c].explicit_name,
                          "a variable of this name or standard_name in one of the files");
        return sources;
    }
    void find_turns(const FileOptions& options, const LayerPlace& place) {
        const gridded::GridSeries &x = *series_[0], &y = *series_[1];
        base::require(x.along_grid() == y.along_grid() && (!x.along_grid() || x.grid() == y.grid()),
                      options.files.front(), "components", "along different axes",
                      "both components towards true east and north, or both along the axes of one grid");
        if (!x.along_grid()) return;
        for (std::size_t i = 0; i < place.longitude.size(); ++i) {
            const double turn = x.grid().mapping()->turn(place.longitude[i], place.latitude[i]);
            cosines_.push_back(std::cos(turn));
            sines_.push_back(std::sin(turn));
        }
        layer_.cosine = cosines_;
        layer_.sine = sines_;
    }

    std::string file_;  // for messages
    double check_mebibytes_;
    std::vector<std::unique_ptr<gridded::GridSeries>> series_;  // [component]
    std::vector<double> cosines_, sines_;                       // as LinearLayer has them
    bool is_over_;                                              // what stands above
    std::vector<double> shares_;                                // [cells] if it is
    LinearLayer layer_;
};

}  // namespace

std::string FileEntry::value() const {
    return fmt::format("{}", fmt::join(options_.files, ", "));
}

std::unique_ptr<ForcingLayer> FileEntry::make(const LayerPlace& place) const {
    base::require(!options_.files.empty(), place.case_file, place.key, "[]", "at least one file");
    base::require(!options_.over || !place.is_first, place.case_file, place.key, value(),
                  fmt::format("another [[{}]] above it, which holds beyond its grid", place.kind.name));
    return std::make_unique<FileLayer>(options_, place);
}

}  // namespace groundswell::sea
