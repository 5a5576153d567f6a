#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/places_among_all.hpp"
#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/streams/sections.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

using tetra::Point;

Point3 halfway(const Point3& a, const Point3& b) {
    return {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
}

Point3 mean_of(const std::array<Point3, 4>& corner) {
    return halfway(halfway(corner[0], corner[1]), halfway(corner[2], corner[3]));
}

// Cells of this rank, or what they are cut into, in the order of a file that depends on no rank: by the cells' ids, then by
// part.
class VolumeMesh {
public:
    /// base::Refusal on all ranks where no cell lies in the section's box, or there would be too many tetrahedra. Collective.
    VolumeMesh(MPI_Comm comm, const ProjectedCase& run, const VolumeSection& section,
               const tetra::LocalMesh& mesh) {
        std::vector<Part> parts;
        cut({{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}, section.refine, parts);
        for (const Part& part : parts) {
            centres_.push_back(mean_of(part));
            nodes_of_cell_.insert(nodes_of_cell_.end(), part.begin(), part.end());
        }
        base::make_unique(nodes_of_cell_);
        for (const Part& part : parts) {
            auto& corners = parts_.emplace_back();
            for (std::size_t i = 0; i < 4; ++i)
                corners[i] = static_cast<std::int32_t>(std::ranges::lower_bound(nodes_of_cell_, part[i]) -
                                                       nodes_of_cell_.begin());
        }

        std::vector<std::int64_t> ids;
        number_.assign(mesh.owned, -1);
        for (const std::int32_t cell : mesh.owned_by_id()) {
            const tetra::Tetrahedron& shape = mesh.cell[cell];
            if (!section.box.contains(tetra::centre_of(shape))) continue;
            number_[cell] = static_cast<std::int32_t>(cells_.size());
            ids.push_back(mesh.id[cell]);
            cells_.push_back(
                {shape.place, mesh.row[cell], mesh.material_group[cell], tetra::is_inverted(shape)});
        }

        const auto mine = static_cast<std::int64_t>(cells_.size() * parts_.size());
        const auto my_nodes = static_cast<std::int64_t>(cells_.size() * nodes_of_cell_.size());
        const std::int64_t all = parallel::sum(comm, mine);
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 4;
        parallel::agree(comm, [&] {
            base::require(all > 0, run.file, "output.volume[].box", section.file,
                          "a box with the centre of at least one cell in it");
            base::require(all <= most, run.file, "output.volume[].refine", std::to_string(section.refine),
                          fmt::format("at most {} tetrahedra, not {}", most, all));
        });
        std::vector<std::int64_t> rows, nodes;
        for (const std::int64_t place : mesh::places_among_all(comm, mesh.global_cells, ids)) {
            for (std::size_t i = 0; i < parts_.size(); ++i)
                rows.push_back(place * std::ssize(parts_) + static_cast<std::int64_t>(i));
            for (std::size_t i = 0; i < nodes_of_cell_.size(); ++i)
                nodes.push_back(place * std::ssize(nodes_of_cell_) + static_cast<std::int64_t>(i));
        }
        rows_ = std::make_unique<const output::Decomposition>(comm, all, rows);
        nodes_ = std::make_unique<const output::Decomposition>(comm, parallel::sum(comm, my_nodes), nodes);
    }

    /// Index of a cell of this rank among cells(), or -1.
    std::int32_t number_of(std::int32_t cell) const { return number_[cell]; }
    std::size_t cells() const { return cells_.size(); }
    /// Where the parts of every cell have their centres, in its own coordinates: those of a cell follow each other in rows().
    const std::vector<Point3>& parts() const { return centres_; }
    const output::Decomposition& rows() const { return *rows_; }
    const output::Decomposition& nodes() const { return *nodes_; }

    /// Adds what a file after the UGRID conventions says of the mesh; degrees too where the case has a projection.
    void add_to(output::Schema& schema, const ProjectedCase& run) const {
        using output::Type;
        schema.dimensions.push_back({"nVolume", rows_->rows(), false});
        schema.dimensions.push_back({"nNode", nodes_->rows(), false});
        schema.dimensions.push_back({"nMaxVolumeNodes", 4, false});
        schema.variables.push_back({"mesh",
                                    Type::int32,
                                    {},
                                    {{"cf_role", "mesh_topology"},
                                     {"long_name", "tetrahedra of the ground"},
                                     {"topology_dimension", std::int32_t{3}},
                                     {"node_coordinates", "mesh_node_x mesh_node_y mesh_node_z"},
                                     {"volume_coordinates", "mesh_volume_x mesh_volume_y mesh_volume_z"},
                                     {"volume_node_connectivity", "mesh_volume_nodes"},
                                     {"volume_dimension", "nVolume"}}});
        for (const auto& [dimension, prefix, what] :
             {std::array{"nNode", "mesh_node_", "corners of the tetrahedra"},
              {"nVolume", "mesh_volume_", "centres of the tetrahedra"}}) {
            add_places(schema, prefix, dimension, what);
        }
        add_degrees(schema, run, "nVolume", "the tetrahedron's centre");
        schema.variables.push_back(
            {"mesh_volume_nodes",
             Type::int32,
             {"nVolume", "nMaxVolumeNodes"},
             {{"cf_role", "volume_node_connectivity"},
              {"long_name",
               "corners of each tetrahedron, the first three anticlockwise seen from the "
               "fourth; no two cells have one in common"},
              {"start_index", std::int32_t{0}}}});
        for (const auto& [name, what] : {std::pair{"mesh_cell", "row of the cell in the mesh, from 0"},
                                         {"group", "group of the mesh that the cell belongs to"}})
            schema.variables.push_back(
                {name,
                 Type::int64,
                 {"nVolume"},
                 {{"long_name", what}, {"units", "1"}, {"mesh", "mesh"}, {"location", "volume"}}});
    }
    /// Writes it. Collective.
    void write(output::Dataset& file, const ProjectedCase& run) const {
        const std::int32_t topology = 0;
        file.write_fixed(output::replicated<std::int32_t>("mesh", {&topology, 1}));
        std::vector<Point> centres;
        std::vector<std::int64_t> rows, groups;
        std::vector<Point> corners;
        std::vector<std::int32_t> nodes;
        const std::vector<std::int64_t> node_rows = nodes_->owned_rows();
        std::size_t cells = 0;
        for (const Cell& cell : cells_) {
            const std::size_t first = cells++ * nodes_of_cell_.size();
            for (const Point3& at : nodes_of_cell_) corners.push_back(tetra::place_in(cell.corner, at));
            for (const auto& part : parts_) {
                for (const std::int32_t node : part)
                    nodes.push_back(static_cast<std::int32_t>(node_rows[first + node]));
                if (cell.turned) std::swap(nodes[nodes.size() - 2], nodes[nodes.size() - 1]);
            }
            for (const Point3& at : centres_) centres.push_back(tetra::place_in(cell.corner, at));
            rows.resize(centres.size(), cell.row);
            groups.resize(centres.size(), cell.group);
        }
        write_places(file, "mesh_node_", *nodes_, corners);
        write_places(file, "mesh_volume_", *rows_, centres);
        if (run.projection) write_degrees(file, *run.projection, *rows_, centres);
        file.write_fixed(output::distributed<std::int32_t>("mesh_volume_nodes", *rows_, nodes));
        file.write_fixed(output::distributed<std::int64_t>("mesh_cell", *rows_, rows));
        file.write_fixed(output::distributed<std::int64_t>("group", *rows_, groups));
    }

private:
    struct Cell {
        std::array<tetra::Point, 4> corner{};
        std::int64_t row = 0, group = 0;  // in the file of the mesh
        bool turned = false;              // its corners stand the wrong way round
    };
    using Part = std::array<Point3, 4>;

    // A part in 8^times, one after the other: one at each corner, and four around a diagonal of the rest. All stand the same way
    // round.
    static void cut(const Part& part, int times, std::vector<Part>& parts) {
        if (times == 0) {
            parts.push_back(part);
            return;
        }
        const auto& [a, b, c, d] = part;
        const Point3 ab = halfway(a, b), ac = halfway(a, c), ad = halfway(a, d);
        const Point3 bc = halfway(b, c), bd = halfway(b, d), cd = halfway(c, d);
        for (const Part& smaller :
             {Part{a, ab, ac, ad}, Part{ab, b, bc, bd}, Part{ac, bc, c, cd}, Part{ad, bd, cd, d},
              Part{ab, ac, ad, bd}, Part{ab, bc, ac, bd}, Part{ac, bc, cd, bd}, Part{ac, cd, ad, bd}})
            cut(smaller, times - 1, parts);
    }

    std::vector<Point3> nodes_of_cell_;               // corners of all parts, each once
    std::vector<std::array<std::int32_t, 4>> parts_;  // of these
    std::vector<Point3> centres_;
    std::vector<Cell> cells_;
    std::vector<std::int32_t> number_;  // [cell of this rank]
    std::unique_ptr<const output::Decomposition> rows_, nodes_;
};

output::Schema schema_of(const ProjectedCase& run, const VolumeSection& section, const VolumeMesh& mesh) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    mesh.add_to(schema, run);
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const std::string& name : section.fields) {
        auto variable = simulation::field_variable(find_field(name).names, {"time", "nVolume"});
        place_on_mesh(variable, "volume");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes =
        global_attributes(run, "Wave field in the ground",
                          "Wave field of an earthquake model in the ground, at the centres of tetrahedra",
                          "CF-1.11 UGRID-1.0 ACDD-1.3");
    return schema;
}

}  // namespace

template <class Real>
RecordedStream make_volume(MPI_Comm comm, const ProjectedCase& run, const VolumeSection& section,
                           const Domain& domain, Wavefield<Real>& field) {
    const auto mesh = std::make_shared<const VolumeMesh>(comm, run, section, domain.mesh);
    const auto records = std::make_shared<CellRecords>(
        section.every, section.fields, field.elements().layout().order, mesh->parts(), mesh->cells());
    field.add_observer(
        {moments_of(records), [records, mesh, &domain, &field](std::int32_t element, std::int64_t record,
                                                               std::span<const double> state) {
             const std::int32_t cell = field.cell_of(element), number = mesh->number_of(cell);
             if (number < 0) return;
             records->see(record, static_cast<std::size_t>(number), domain.mesh.cell[cell], state,
                          field.is_plastic() ? field.plastic_strain(cell) : 0.0);
         }});
    FieldStream::Cells cells{
        mesh->rows(), [mesh, &run](output::Dataset& file) { mesh->write(file, run); },
        XdmfParts{"ground", {}, xdmf_tetrahedra, mesh->rows().rows(), mesh->nodes().rows(), {}}};
    return {std::make_unique<FieldStream>(section, schema_of(run, section, *mesh), std::move(cells), records),
            records};
}

template RecordedStream make_volume(MPI_Comm, const ProjectedCase&, const VolumeSection&, const Domain&,
                                    Wavefield<float>&);
template RecordedStream make_volume(MPI_Comm, const ProjectedCase&, const VolumeSection&, const Domain&,
                                    Wavefield<double>&);

}  // namespace groundswell::quake
