#pragma once

#include <span>
#include <string>
#include <vector>

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/field_stream.hpp"

namespace groundswell::quake {

/// Unknowns at places of cells, and what else is known of a cell: rows are cells, each with its places one after the other.
class CellRecords : public FieldRecords {
public:
    /// `places`: in the coordinates of a cell, the same in each.
    CellRecords(base::Duration every, const std::vector<std::string>& fields, int order,
                const std::vector<Point3>& places, std::size_t cells)
        : FieldRecords(every, fields.size(), cells * places.size()), places_(places.size()) {
        for (const std::string& name : fields) quantities_.push_back(field_index(name));
        for (const Point3& place : places) {
            for (const auto& phi : tetrahedron_basis(order, place)) basis_.push_back(phi.value);
        }
    }

    /// `cell`: which of those that are recorded. `state`: [function][quantity]; strain(): of its yielding, asked for if that
    /// is a field.
    template <class Strain>
    void see(std::int64_t record, std::size_t cell, std::span<const double> state, const Strain& strain) {
        const std::size_t functions = basis_.size() / places_;
        for (std::size_t f = 0; f < quantities_.size(); ++f) {
            for (std::size_t place = 0; place < places_; ++place) {
                double value = 0.0;
                if (quantities_[f] == plastic_strain) {
                    value = strain();
                } else {
                    const double* const basis = basis_.data() + place * functions;
                    for (std::size_t k = 0; k < functions; ++k)
                        value += basis[k] * state[9 * k + quantities_[f]];
                }
                put(record, cell * places_ + place, f, value);
            }
        }
    }

private:
    std::size_t places_;
    std::vector<int> quantities_;
    std::vector<double> basis_;  // [place][function]
};

}  // namespace groundswell::quake
