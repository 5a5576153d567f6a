#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/elements/samplers.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/recorder.hpp"

namespace groundswell::quake {

/// XDMF's name for a kind of cell, and the variable that has its corners.
struct XdmfCells {
    const char* topology;
    const char* corners;
    int count;  ///< corners of a cell
};
inline constexpr XdmfCells xdmf_triangles{"Triangle", "mesh_face_nodes", 3};
inline constexpr XdmfCells xdmf_tetrahedra{"Tetrahedron", "mesh_volume_nodes", 4};

/// Parts of a description of cells in an HDF5 file.
struct XdmfParts {
    std::string name;  ///< of the whole, for people
    std::string file;  ///< name, in the folder of the description
    XdmfCells cells;
    std::int64_t count = 0;  ///< of cells
    std::int64_t nodes = 0;  ///< of places
    std::vector<std::string> fields;
};

/// The description of such a file after XDMF 3 (xdmf.org), for programs that know neither UGRID nor netCDF: places
/// mesh_node_x, _y, _z, corners, and by time, s, the fields of (time, cell).
std::string xdmf_of(const XdmfParts& parts, std::span<const double> times);

/// Values of a step for a file of fields on cells: by field, [record][row of this rank].
class FieldRecords : public Recorder {
public:
    FieldRecords(base::Duration every, std::size_t fields, std::size_t rows)
        : Recorder(every), values_(fields), rows_(rows) {}

    /// `record`: among the expected.
    void put(std::int64_t record, std::size_t row, std::size_t field, double value) {
        values_[field][static_cast<std::size_t>(record) * rows_ + row] = static_cast<float>(value);
    }
    const std::vector<float>& values(std::size_t field) const { return values_[field]; }
    std::size_t rows() const { return rows_; }
    /// Makes one more, before the first step, and returns its number.
    std::size_t add_row() { return rows_++; }

private:
    void clear() override {
        for (auto& field : values_) field.assign(static_cast<std::size_t>(count()) * rows_, 0.0F);
    }
    std::vector<std::vector<float>> values_;
    std::size_t rows_;
};

/// A file of fields on cells of some kind: its rows stand on ranks as its records have them.
class FieldStream : public simulation::Stream {
public:
    /// Cells of the stream, beside the schema.
    struct Cells {
        const output::Decomposition& rows;  ///< outlives the stream
        std::function<void(output::Dataset&)> write;
        std::optional<XdmfParts> xdmf = {};  ///< how other programs read them; file and fields are filled in
    };

    /// A section of a case: file, every, fields.
    template <class Section>
    FieldStream(const Section& section, output::Schema schema, Cells cells,
                std::shared_ptr<const FieldRecords> records)
        : Stream(section.file, section.every, std::move(schema)),
          fields_(section.fields),
          cells_(std::move(cells)),
          records_(std::move(records)) {
        if (!cells_.xdmf) return;
        cells_.xdmf->file = file();
        cells_.xdmf->fields = fields_;
    }

    void write_fixed(output::Dataset& file) override { cells_.write(file); }
    std::int64_t record_bytes() const override {
        return static_cast<std::int64_t>(records_->rows() * fields_.size() * sizeof(float));
    }
    std::vector<output::Values> record() override {
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < fields_.size(); ++f)
            record.push_back(output::distributed<float>(fields_[f], cells_.rows, records_->values(f)));
        return record;
    }
    std::string companion(std::span<const double> times) const override {
        return cells_.xdmf ? xdmf_of(*cells_.xdmf, times) : std::string();
    }

private:
    std::vector<std::string> fields_;
    Cells cells_;
    std::shared_ptr<const FieldRecords> records_;
};

/// The triangles of a surface. `name`: of the whole, for people.
inline FieldStream::Cells cells_of(const std::shared_ptr<const SurfaceMesh>& mesh, const std::string& name,
                                   const ProjectedCase& run) {
    const std::int64_t rows = mesh->rows().rows();
    return {mesh->rows(), [mesh, &run](output::Dataset& file) { mesh->write(file, run); },
            XdmfParts{name, {}, xdmf_triangles, rows, 3 * rows, {}}};
}

/// Fields at places of cells: rows are cells, each with its places one after the other.
class CellRecords : public FieldRecords {
public:
    /// `places`: in the coordinates of a cell, the same in each.
    CellRecords(base::Duration every, const std::vector<std::string>& fields, int order,
                const std::vector<Point3>& places, std::size_t cells)
        : FieldRecords(every, fields.size(), cells * places.size()) {
        for (const std::string& name : fields) {
            fields_.push_back(&find_field(name));
            has_slopes_ |= fields_.back()->has_slopes;
        }
        for (const Point3& place : places) basis_.push_back(tetrahedron_basis(order, place));
    }

    /// `row`: which of the cells that are recorded. `state`: [function][quantity]; `strain`: of its yielding, 0 without.
    void see(std::int64_t record, std::size_t row, const tetra::Tetrahedron& cell,
             std::span<const double> state, double strain) {
        Gradient gradient{};
        if (has_slopes_) gradient = tetra::geometry_of(cell.place).gradient;
        for (std::size_t place = 0; place < basis_.size(); ++place) {
            const InCell sample(basis_[place], gradient, state, strain);
            for (std::size_t f = 0; f < fields_.size(); ++f)
                put(record, row * basis_.size() + place, f, fields_[f]->value(sample));
        }
    }

private:
    using Basis = std::vector<ValueAndGradient<3>>;
    using Gradient = decltype(tetra::Geometry::gradient);

    class InCell final : public WaveSample {
    public:
        InCell(const Basis& basis, const Gradient& gradient, std::span<const double> state, double strain)
            : basis_(basis), gradient_(gradient), state_(state), strain_(strain) {}

        double unknown(int which) const override {
            double value = 0.0;
            for (std::size_t k = 0; k < basis_.size(); ++k) value += basis_[k].value * state_[9 * k + which];
            return value;
        }
        double slope(int which, int axis) const override {
            double value = 0.0;
            for (std::size_t k = 0; k < basis_.size(); ++k) {
                const auto& of = basis_[k].gradient;
                value +=
                    (of[0] * gradient_[0][axis] + of[1] * gradient_[1][axis] + of[2] * gradient_[2][axis]) *
                    state_[9 * k + which];
            }
            return value;
        }
        double plastic_strain() const override { return strain_; }

    private:
        const Basis& basis_;
        const Gradient& gradient_;
        std::span<const double> state_;
        double strain_;
    };

    std::vector<const Field*> fields_;
    bool has_slopes_ = false;
    std::vector<Basis> basis_;  // [place][function]
};

/// Values at a probe, so many seconds after the beginning of its step.
class Glimpsed final : public WaveSample {
public:
    Glimpsed(const Glimpse& glimpse, double seconds) : glimpse_(glimpse), seconds_(seconds) {}

    double unknown(int which) const override { return glimpse_.value(which, seconds_); }
    double slope(int which, int axis) const override { return glimpse_.slope(which, axis, seconds_); }
    double plastic_strain() const override { return 0.0; }
    double sea_surface() const override { return glimpse_.sea_surface(seconds_); }

private:
    const Glimpse& glimpse_;
    double seconds_;
};

/// Probe::gradient in a cell, if any of the fields asks for slopes.
inline decltype(Probe::gradient) gradient_for(const std::vector<const Field*>& fields,
                                              const tetra::Tetrahedron& cell) {
    if (std::ranges::none_of(fields,
                             [](const Field* field) { return field != nullptr && field->has_slopes; }))
        return std::nullopt;
    return tetra::geometry_of(cell.place).gradient;
}

}  // namespace groundswell::quake
