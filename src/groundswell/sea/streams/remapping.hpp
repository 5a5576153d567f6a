#pragma once

#include <span>
#include <string>
#include <vector>

#include "groundswell/sea/fields.hpp"

namespace groundswell::sea {

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

    explicit BoxMean(const std::vector<std::string>& fields);

    /// The fields whose values are wanted of each cell: those asked for, then what else their means need.
    const std::vector<const Field*>& reads() const { return reads_; }
    /// The mean of field number `number`; fill_value without a value.
    float operator()(std::size_t number, std::span<const Part> parts) const;
    /// Words of CF's cell_methods for the mean of a field.
    static std::string method(const Field& field);

private:
    enum class Kind { plain, height, inverse, inverse_square, period, bearing, spread };
    static Kind kind_of(const Field& field);
    std::size_t place_of(std::string_view name);

    std::vector<const Field*> reads_;
    std::size_t fields_, height_, direction_ = 0, spread_ = 0;
};

}  // namespace groundswell::sea
