#pragma once

#include <span>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/field_stream.hpp"

namespace groundswell::quake {

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

}  // namespace groundswell::quake
