#include "groundswell/sea/streams/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/row_blocks.hpp"
#include "groundswell/parallel/sparse_exchange.hpp"
#include "groundswell/sea/output_schema.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"
#include "groundswell/simulation/cell_map.hpp"

namespace groundswell::sea {

namespace {

using voronoi::BoxGrid;

using voronoi::BoxShare;

/// Mean of a field over the cells of a box that keeps what the field stands for. With A the area of a cell in the box and E = hs²:
///   heights                 √(Σ A h²/Σ A), so that energy is kept
///   tm01, tm02              Σ A E/Σ A E/tm01; √(Σ A E/Σ A E/tm02²): moments of spectra add up
///   other periods           Σ A E T/Σ A E
///   bearings                that of Σ A E r (sin, cos), r = 1 − spread²/2 for `dir`, else 1
///   spread                  √(2(1 − length of that vector/Σ A E))
///   everything else         Σ A v/Σ A
/// A cell without a value is left out.
class BoxMean {
public:
    /// Area of a cell in the box, and where its values are.
    struct Part {
        double area = 0.0;
        const float* values = nullptr;  ///< by names()
    };

    explicit BoxMean(const std::vector<std::string>& fields) : fields_(fields.size()) {
        for (const std::string& name : fields) reads_.push_back(&find_field(name));
        height_ = place_of("hs");
        if (std::ranges::any_of(fields,
                                [](const std::string& name) { return name == "dir" || name == "spread"; })) {
            direction_ = place_of("dir");
            spread_ = place_of("spread");
        }
    }

    /// The fields whose values are wanted of each cell: those asked for, then what else their means need.
    const std::vector<const Field*>& reads() const { return reads_; }

    /// The mean of field number `number`; fill_value without a value.
    float operator()(std::size_t number, std::span<const Part> parts) const {
        const Kind kind = kind_of(*reads_[number]);
        const bool with_spread = kind == Kind::spread || reads_[number]->name == "dir";
        double weight = 0.0, sum = 0.0, east = 0.0, north = 0.0;
        for (const Part& part : parts) {
            const float value = part.values[number];
            if (value == fill_value) continue;
            const auto v = static_cast<double>(value), height = static_cast<double>(part.values[height_]);
            const bool plain = kind == Kind::plain || kind == Kind::height;
            const double a = plain ? part.area : part.area * height * height;
            weight += a;
            if (kind == Kind::bearing || kind == Kind::spread) {
                const double spread =
                    with_spread ? static_cast<double>(part.values[spread_]) * base::degree : 0.0;
                const double bearing =
                    (with_spread ? static_cast<double>(part.values[direction_]) : v) * base::degree;
                east += a * (1.0 - 0.5 * spread * spread) * std::sin(bearing);
                north += a * (1.0 - 0.5 * spread * spread) * std::cos(bearing);
            } else {
                sum += a * (kind == Kind::height           ? v * v
                            : kind == Kind::inverse        ? 1.0 / v
                            : kind == Kind::inverse_square ? 1.0 / (v * v)
                                                           : v);
            }
        }
        if (!(weight > 0.0)) return fill_value;
        const double length = std::hypot(east, north);
        switch (kind) {
            case Kind::height:
                return static_cast<float>(std::sqrt(sum / weight));
            case Kind::inverse:
                return static_cast<float>(weight / sum);
            case Kind::inverse_square:
                return static_cast<float>(std::sqrt(weight / sum));
            case Kind::spread:
                return static_cast<float>(std::sqrt(2.0 * std::max(1.0 - length / weight, 0.0)) /
                                          base::degree);
            case Kind::bearing:
                return length > 0.0 ? static_cast<float>(bearing_from(std::atan2(-north, -east)))
                                    : fill_value;
            case Kind::period:
            case Kind::plain:
                break;
        }
        return static_cast<float>(sum / weight);
    }

    /// Words of CF's cell_methods for the mean of a field.
    static const char* method(const Field& field) {
        return kind_of(field) == Kind::height ? "area: root_mean_square where sea" : "area: mean where sea";
    }

private:
    enum class Kind { plain, height, inverse, inverse_square, period, bearing, spread };

    static Kind kind_of(const Field& field) {
        if (field.is_bearing()) return Kind::bearing;
        if (field.name == "spread") return Kind::spread;
        if (field.name.starts_with("hs") || field.name == "hmax") return Kind::height;
        if (field.name == "tm01") return Kind::inverse;
        if (field.name == "tm02") return Kind::inverse_square;
        return field.unit == "s" ? Kind::period : Kind::plain;
    }

    std::size_t place_of(std::string_view name) {
        const auto found = std::ranges::find(reads_, name, &Field::name);
        if (found != reads_.end()) return static_cast<std::size_t>(found - reads_.begin());
        reads_.push_back(&find_field(name));
        return reads_.size() - 1;
    }

    std::vector<const Field*> reads_;
    std::size_t fields_, height_, direction_ = 0, spread_ = 0;
};

/// The boxes of this rank's rows, and the cells in them.
class GridRows {
public:
    /// Collective.
    GridRows(MPI_Comm comm, const voronoi::LocalMesh& mesh, const BoxGrid& grid, double least_sea,
             BoxMean mean)
        : grid_(grid), mean_(std::move(mean)), width_(mean_.reads().size()) {
        const parallel::RowBlocks blocks(grid.rows, parallel::size_of(comm), parallel::rank_of(comm));
        std::vector<std::int64_t> mine(static_cast<std::size_t>(blocks.mine()));
        std::iota(mine.begin(), mine.end(), blocks.begin());
        rows_ = std::make_unique<output::Decomposition>(comm, grid.rows, mine);
        deal_out(comm, voronoi::share_out(mesh, grid), blocks);

        std::vector<std::int64_t> wanted;
        for (const BoxShare& share : shares_) wanted.push_back(share.cell);
        std::ranges::sort(wanted);
        wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
        for (const BoxShare& share : shares_)
            place_.push_back(
                static_cast<std::size_t>(mesh.owned) +
                static_cast<std::size_t>(std::ranges::lower_bound(wanted, share.cell) - wanted.begin()));
        values_.resize((static_cast<std::size_t>(mesh.owned) + wanted.size()) * width_);
        transport_ =
            halo::make_transport("posted", std::make_shared<const halo::Plan>(comm, mesh.owned_ids(), wanted),
                                 halo::channel_of<float>(width_));

        const std::size_t boxes = first_share_.size() - 1;
        for (std::size_t box = 0; box < boxes; ++box) {
            double sea = 0.0;
            for (std::size_t s = first_share_[box]; s < first_share_[box + 1]; ++s) sea += shares_[s].area;
            const auto row = static_cast<int>(blocks.begin() + static_cast<std::int64_t>(box) / grid.columns);
            sea_fraction_.push_back(sea / grid.area(row));
            kept_.push_back(sea > 0.0 && sea_fraction_.back() >= least_sea ? 1 : 0);
        }
    }

    const output::Decomposition& rows() const { return *rows_; }
    std::int64_t shares() const { return static_cast<std::int64_t>(shares_.size()); }
    /// Share of each box that sea covers. Not cut at 1, which straight pieces of edges exceed by some millionths.
    const std::vector<double>& sea_fraction() const { return sea_fraction_; }
    std::vector<std::int64_t> owned_rows() const { return rows_->owned_rows(); }

    /// Sets the means of all fields in the boxes, of the situations of this rank's owned cells. Collective.
    void fill(const std::vector<CellSituation>& cells, std::vector<std::vector<float>>& values) {
        const std::vector<const Field*>& reads = mean_.reads();
        for (std::size_t c = 0; c < cells.size(); ++c)
            for (std::size_t f = 0; f < width_; ++f) values_[c * width_ + f] = reads[f]->value(cells[c]);
        transport_->start(values_.data());
        transport_->finish();
        std::vector<BoxMean::Part> parts;
        for (std::size_t box = 0; box < kept_.size(); ++box) {
            parts.clear();
            for (std::size_t s = first_share_[box]; s < first_share_[box + 1]; ++s)
                parts.push_back({shares_[s].area, values_.data() + place_[s] * width_});
            for (std::size_t f = 0; f < values.size(); ++f)
                values[f][box] = kept_[box] != 0 ? mean_(f, parts) : fill_value;
        }
    }

private:
    // Each share goes to the rank that has its row.
    void deal_out(MPI_Comm comm, std::vector<BoxShare> shares, const parallel::RowBlocks& blocks) {
        parallel::SparseExchange exchange(comm);
        shares_ = parallel::send_to_owners(exchange, std::move(shares), [&](const BoxShare& share) {
            return blocks.owner(share.box / grid_.columns);
        });
        std::ranges::sort(shares_, {}, [](const BoxShare& s) { return std::pair(s.box, s.cell); });
        const std::int64_t begin = blocks.begin() * grid_.columns, boxes = blocks.mine() * grid_.columns;
        first_share_.assign(static_cast<std::size_t>(boxes) + 1, 0);
        for (BoxShare& share : shares_) {
            share.box -= begin;
            ++first_share_[static_cast<std::size_t>(share.box) + 1];
        }
        std::partial_sum(first_share_.begin(), first_share_.end(), first_share_.begin());
    }

    BoxGrid grid_;
    BoxMean mean_;
    std::unique_ptr<output::Decomposition> rows_;
    std::vector<BoxShare> shares_;          // by box, counted from this rank's first, then by cell
    std::vector<std::size_t> first_share_;  // [boxes + 1]
    std::vector<std::size_t> place_;        // of each share's cell in values_
    std::vector<double> sea_fraction_;      // [boxes]
    std::vector<char> kept_;                // [boxes]
    std::size_t width_ = 0;                 // values of a cell
    std::vector<float> values_;             // [owned cells, then cells wanted][width_]
    std::unique_ptr<halo::Transport> transport_;
};

/// Centres of boxes between edges.
std::vector<double> centres(const std::vector<double>& edges) {
    std::vector<double> found;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) found.push_back(0.5 * (edges[i] + edges[i + 1]));
    return found;
}

std::vector<double> pairs(const std::vector<double>& edges) {
    std::vector<double> found;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) found.insert(found.end(), {edges[i], edges[i + 1]});
    return found;
}

void write_axes(output::Dataset& file, const GridSection& section, const GridRows& rows) {
    const BoxGrid& grid = section.grid;
    const auto [row_name, column_name] = grid_axes(section);
    const std::vector<double> x = centres(grid.x_edges()), y = centres(grid.y_edges());
    file.write_fixed(output::replicated<double>(row_name, y));
    file.write_fixed(output::replicated<double>(row_name + "_bounds", pairs(grid.y_edges())));
    file.write_fixed(output::replicated<double>(column_name, x));
    file.write_fixed(output::replicated<double>(column_name + "_bounds", pairs(grid.x_edges())));
    const std::int32_t mapping = 0;
    file.write_fixed(output::replicated<std::int32_t>("crs", {&mapping, 1}));
    file.write_fixed(output::distributed<double>("sea_area_fraction", rows.rows(), rows.sea_fraction()));
    if (!grid.pole) return;
    std::vector<double> lon, lat;
    for (const std::int64_t row : rows.owned_rows())
        for (const double column : x) {
            const voronoi::Vector3 at = grid.to_earth(
                voronoi::point_at(column * base::degree, y[static_cast<std::size_t>(row)] * base::degree));
            lon.push_back(voronoi::longitude_of(at) / base::degree);
            lat.push_back(voronoi::latitude_of(at) / base::degree);
        }
    file.write_fixed(output::distributed<double>("longitude", rows.rows(), lon));
    file.write_fixed(output::distributed<double>("latitude", rows.rows(), lat));
}

}  // namespace

std::unique_ptr<simulation::Stream> make_grid(MPI_Comm comm, const Case& run, const GridSection& section,
                                              const Model& model, Situations& situations) {
    BoxMean mean(section.fields);
    const Reads reads = all_read(mean.reads());
    std::vector<std::string> methods;
    for (const std::string& name : section.fields) methods.emplace_back(BoxMean::method(find_field(name)));
    const auto rows =
        std::make_shared<GridRows>(comm, model.mesh(), section.grid, section.least_sea, std::move(mean));
    const std::int64_t shares = parallel::sum(comm, rows->shares());
    parallel::agree(comm, [&] {
        const BoxGrid& grid = section.grid;
        base::require(
            shares > 0, run.file, "output.grid[].region",
            fmt::format("[{:g}, {:g}, {:g}, {:g}]", grid.west, grid.west + grid.step_x * grid.columns,
                        grid.south, grid.south + grid.step_y * grid.rows),
            fmt::format("a grid that meets the sea of {}", run.mesh.file));
    });
    simulation::CellMap::Parts parts{section.file, section.every, grid_schema(run, section, methods),
                                     &rows->rows(), section.fields};
    parts.row_values = section.grid.columns;
    parts.fill = [rows, reads, &situations](std::vector<std::vector<float>>& values) {
        rows->fill(situations.of_all(reads), values);
    };
    parts.write_fixed = [rows, &section](output::Dataset& file) { write_axes(file, section, *rows); };
    return std::make_unique<simulation::CellMap>(std::move(parts));
}

}  // namespace groundswell::sea
