#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/quake/streams/xdmf.hpp"

namespace groundswell::quake {

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

}  // namespace groundswell::quake
