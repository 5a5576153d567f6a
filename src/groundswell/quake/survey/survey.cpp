#include "groundswell/quake/survey/survey.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/kernel_set.hpp"
#include "groundswell/simulation/build_report.hpp"

namespace groundswell::quake {

namespace {

constexpr int bins_of_quality = 200, bins_of_doubling = 4;

Histogram count(MPI_Comm comm, std::span<const double> value, std::vector<double> edges) {
    Histogram histogram{std::move(edges), {}};
    histogram.cells.assign(histogram.edges.size() - 1, 0);
    const auto last = static_cast<std::ptrdiff_t>(histogram.cells.size()) - 1;
    for (const double one : value) {
        const auto above = std::ranges::upper_bound(histogram.edges, one) - histogram.edges.begin();
        ++histogram.cells[std::clamp<std::ptrdiff_t>(above - 1, 0, last)];
    }
    MPI_Allreduce(MPI_IN_PLACE, histogram.cells.data(), static_cast<int>(histogram.cells.size()), MPI_INT64_T,
                  MPI_SUM, comm);
    return histogram;
}

void find_size(MPI_Comm comm, const tetra::Slab& slab, Survey& found) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    found.low = {infinity, infinity, infinity};
    found.high = {-infinity, -infinity, -infinity};
    double shortest = infinity, longest = 0.0;
    std::vector<double> lengths;  // of a cell's edges, together
    for (const auto& cell : slab.cell) {
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 3; ++j) {
                found.low[j] = std::min(found.low[j], cell.place[i][j]);
                found.high[j] = std::max(found.high[j], cell.place[i][j]);
            }
        }
        const auto edges = tetra::edges_of(cell.place);
        shortest = std::min(shortest, std::ranges::min(edges));
        longest = std::max(longest, std::ranges::max(edges));
        lengths.push_back(std::accumulate(edges.begin(), edges.end(), 0.0));
    }
    MPI_Allreduce(MPI_IN_PLACE, found.low.data(), 3, MPI_DOUBLE, MPI_MIN, comm);
    MPI_Allreduce(MPI_IN_PLACE, found.high.data(), 3, MPI_DOUBLE, MPI_MAX, comm);
    found.shortest_edge = parallel::min(comm, shortest);
    found.longest_edge = parallel::max(comm, longest);
    found.mean_edge = parallel::sum(comm, lengths) / (6.0 * static_cast<double>(found.cells));
}

void count_faces(MPI_Comm comm, const tetra::Slab& slab, Survey& found) {
    std::array<std::int64_t, 3> faces{};
    for (const auto& cell : slab.cell) {
        for (const tetra::Boundary boundary : cell.boundary) {
            faces[0] += static_cast<std::int64_t>(tetra::is_surface(boundary));
            faces[1] += static_cast<std::int64_t>(boundary == tetra::Boundary::absorbing);
            faces[2] += static_cast<std::int64_t>(tetra::is_fault(boundary));
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, faces.data(), 3, MPI_INT64_T, MPI_SUM, comm);
    found.free = faces[0];
    found.absorbing = faces[1];
    found.fault = faces[2] / 2;  // seen from both sides
}

void count_groups(parallel::SparseExchange& exchange, const tetra::Slab& slab, Survey& found) {
    struct Count {
        std::int64_t group, cells;
    };
    std::map<std::int64_t, std::int64_t> mine;
    for (const std::int64_t group : slab.group) ++mine[group];
    std::vector<Count> counts;
    for (const auto& [group, cells] : mine) counts.push_back({group, cells});
    for (const Count& count :
         parallel::send_to_owners(exchange, std::move(counts), [](const Count&) { return 0; }))
        found.groups[count.group] += count.cells;
}

// From the shortest step to the longest.
std::vector<double> step_edges(double shortest, double longest) {
    std::vector<double> edges{shortest};
    for (int i = 1; edges.back() <= longest; ++i)
        edges.push_back(shortest * std::exp2(static_cast<double>(i) / bins_of_doubling));
    return edges;
}

}  // namespace

double Histogram::percentile(double share) const {
    double left = 0.0;
    for (const std::int64_t some : cells) left += share * static_cast<double>(some);
    std::size_t bin = 0;
    for (; bin + 1 < cells.size() && left > static_cast<double>(cells[bin]); ++bin)
        left -= static_cast<double>(cells[bin]);
    const double within = cells[bin] == 0 ? 0.0 : left / static_cast<double>(cells[bin]);
    return edges[bin] + within * (edges[bin + 1] - edges[bin]);
}

Survey survey(MPI_Comm comm, parallel::SparseExchange& exchange, const tetra::Slab& slab,
              std::span<const std::array<tetra::Across, 4>> neighbours, std::span<const double> step,
              std::span<const double> frequency, ClusterOptions options) {
    Survey found;
    found.cells = slab.blocks.rows;
    found.vertices = slab.vertices;
    find_size(comm, slab, found);
    count_faces(comm, slab, found);
    count_groups(exchange, slab, found);
    std::vector<double> quality;
    for (const auto& cell : slab.cell) quality.push_back(tetra::radius_ratio(cell.place));
    found.worst = find_smallest(comm, slab, quality);
    std::vector<double> edges;
    for (int i = 0; i <= bins_of_quality; ++i) edges.push_back(static_cast<double>(i) / bins_of_quality);
    found.quality = count(comm, quality, edges);
    found.step.assign(step.begin(), step.end());
    found.coarsest = find_smallest(comm, slab, frequency);
    found.shortest = find_smallest(comm, slab, step);
    found.longest = find_largest(comm, slab, step);
    found.steps = count(comm, step, step_edges(found.shortest.value, found.longest.value));

    std::vector<double> own;
    for (const double one : step) own.push_back(1.0 / one);
    const double one_for_all = static_cast<double>(found.cells) / found.shortest.value;
    found.gain_of_own_steps = one_for_all / parallel::sum(comm, own);
    const graph::ClusterGraph graph = cluster_graph(slab, neighbours);
    found.best_scale = graph::find_scale(comm, exchange, graph, step, options);
    const auto clusters_of = [&](double scale) {
        options.scale = scale;
        return graph::find_clusters(comm, exchange, graph, step, options);
    };
    found.scale = options.scale > 0.0 ? options.scale : found.best_scale;
    found.gain_of_best_scale = one_for_all / clusters_of(found.best_scale).cost();
    found.clusters = clusters_of(found.scale);
    found.gain_of_clusters = one_for_all / found.clusters.cost();
    return found;
}

template <class Real>
Memory memory_of(int order, int rate, int mechanisms) {
    const BatchLayout& layout = wave_kernels<Real>(order, mechanisms).layout;
    const auto lanes = static_cast<std::size_t>(layout.lanes);
    const std::size_t batch =
        layout.state + layout.memory + layout.material + 4 * layout.face + 4 * lanes * layout.trace;
    // As Elements holds it; of an uneven face the pieces of the longer step and the sum of the shorter ones.
    return {static_cast<double>(batch * sizeof(Real)) / layout.lanes + 8 * sizeof(std::int32_t),
            static_cast<double>((static_cast<std::size_t>(rate) + 1) * layout.trace * sizeof(Real))};
}

template Memory memory_of<float>(int order, int rate, int mechanisms);
template Memory memory_of<double>(int order, int rate, int mechanisms);

void write_surface(MPI_Comm comm, const tetra::Slab& slab,
                   std::span<const std::array<tetra::Across, 4>> neighbours, const Survey& survey,
                   const std::string& path, bool overwrite) {
    std::vector<double> place, step, quality;
    std::vector<std::int32_t> boundary, cluster;
    std::vector<std::int64_t> group;
    for (std::size_t c = 0; c < slab.cell.size(); ++c) {
        const tetra::Tetrahedron& cell = slab.cell[c];
        for (int f = 0; f < 4; ++f) {
            const std::int64_t across = neighbours[c][f].cell;
            const bool is_mine = across < slab.blocks.begin() + static_cast<std::int64_t>(c);
            if (cell.boundary[f] == tetra::Boundary::none || !is_mine)
                continue;  // of a fault's two sides one
            for (const int corner : tetra::face_corners[f])
                place.insert(place.end(), cell.place[corner].begin(), cell.place[corner].end());
            boundary.push_back(tetra::tag_of(cell.boundary[f]));
            cluster.push_back(survey.clusters.of[c]);
            group.push_back(slab.group[c]);
            step.push_back(survey.step[c]);
            quality.push_back(tetra::radius_ratio(cell.place));
        }
    }
    const auto mine = static_cast<std::int64_t>(boundary.size());
    std::vector<std::int64_t> rows(boundary.size());
    std::iota(rows.begin(), rows.end(), parallel::sum_before(comm, mine));
    const output::Decomposition decomposition(comm, parallel::sum(comm, mine), rows);

    using output::Type;
    output::Schema schema;
    schema.dimensions = {{"face", decomposition.rows()}, {"corner", 3}, {"axis", 3}};
    schema.variables = {
        {"place", Type::float64, {"face", "corner", "axis"}, {{"units", "m"}}},
        {"boundary",
         Type::int32,
         {"face"},
         {{"comment", "1: free, 2: sea, 5: absorbing, 3 or above 64: a fault"}}},
        {"cluster", Type::int32, {"face"}, {{"long_name", "cluster of the cell behind the face"}}},
        {"group", Type::int64, {"face"}, {{"long_name", "group of that cell"}}},
        {"step", Type::float64, {"face"}, {{"units", "s"}, {"long_name", "longest step of that cell"}}},
        {"quality",
         Type::float64,
         {"face"},
         {{"long_name", "three times the inscribed over the circumscribed radius of that cell"}}}};
    schema.attributes = {{"title", "boundaries and faults of a mesh of tetrahedra"},
                         {simulation::build_attribute, simulation::build_text()}};
    output::FileOptions options;
    options.overwrite = overwrite;
    output::File file = output::File::create(comm, path, schema, options);
    const auto write = [&]<class T>(const char* name, const std::vector<T>& values) {
        file.write_fixed(output::distributed<T>(name, decomposition, values));
    };
    write("place", place);
    write("boundary", boundary);
    write("cluster", cluster);
    write("group", group);
    write("step", step);
    write("quality", quality);
    file.close();
}

}  // namespace groundswell::quake
