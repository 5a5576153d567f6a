#include "groundswell/output/check/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace groundswell::output {

namespace {

constexpr std::int64_t piece_values = std::int64_t{1} << 18;

template <class T>
bool is_missing(T value) {
    return std::is_floating_point_v<T> && std::isnan(static_cast<double>(value));
}

/// Distance of two values, and its ratio to what is allowed (> 1: they differ).
struct Distance {
    double absolute = 0.0, relative = 0.0, excess = 0.0;
};

template <class T>
Distance distance(T a, T b, const Tolerance& tolerance) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (a == b || (is_missing(a) && is_missing(b))) return {};
    if (is_missing(a) || is_missing(b)) return {infinite, infinite, infinite};
    // Equal infinities were equal above; for others the difference is infinite, which is the right answer.
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    const double scale = std::max(std::abs(x), std::abs(y));
    // Neighbouring 64-bit integers may be one number as doubles.
    const double apart = std::max(std::abs(x - y), std::numeric_limits<double>::min());
    const double allowed = tolerance.absolute + tolerance.relative * scale;
    const double excess = allowed > 0.0 ? apart / allowed : infinite;
    return {apart, std::isinf(scale) ? infinite : apart / scale, excess};
}

class Comparer {
public:
    Comparer(const Reader& a, const Reader& b, const Tolerance& tolerance,
             const std::vector<CoordinateNames>& coordinates)
        : a_(a), b_(b), tolerance_(tolerance), coordinates_(coordinates) {}

    Comparison run() {
        compare_dimensions();
        compare_attributes("", a_.schema().attributes, b_.schema().attributes, true);
        for (const Variable& variable : a_.schema().variables) {
            if (const Variable* other = b_.schema().find(variable.name)) {
                compare_variable(variable, *other);
            } else {
                result_.only_in_a.push_back(variable.name);
            }
        }
        for (const Variable& variable : b_.schema().variables)
            if (!a_.schema().find(variable.name)) result_.only_in_b.push_back(variable.name);
        result_.identical = result_.differences.empty() && result_.only_in_a.empty() &&
                            result_.only_in_b.empty() &&
                            std::all_of(result_.variables.begin(), result_.variables.end(),
                                        [](const VariableComparison& each) { return each.equal; });
        return std::move(result_);
    }

private:
    void note(const std::string& what, const std::string& a, const std::string& b) {
        result_.differences.push_back(fmt::format("{}: {} in A, {} in B", what, a, b));
    }

    void compare_dimensions() {
        const auto text = [](const Dimension* dimension) {
            if (!dimension) return std::string("missing");
            return dimension->unlimited ? std::string("unlimited") : std::to_string(dimension->length);
        };
        for (const Dimension& dimension : a_.schema().dimensions) {
            const Dimension* other = b_.schema().find_dimension(dimension.name);
            if (!other || !(*other == dimension))
                note("dimension " + dimension.name, text(&dimension), text(other));
        }
        for (const Dimension& dimension : b_.schema().dimensions) {
            if (!a_.schema().find_dimension(dimension.name))
                note("dimension " + dimension.name, "missing", text(&dimension));
        }
        if (a_.records() != b_.records())
            note("records", std::to_string(a_.records()), std::to_string(b_.records()));
    }

    void compare_attributes(const std::string& owner, const std::vector<Attribute>& a,
                            const std::vector<Attribute>& b, bool global) {
        if (tolerance_.within) return;
        const auto skipped = [&](const Attribute& each) { return global && is_provenance(each.name); };
        for (const Attribute& each : a) {
            if (skipped(each)) continue;
            const Attribute* other = find_named(b, each.name);
            if (!other || !(*other == each)) {
                note(fmt::format("attribute {}:{}", owner, each.name), each.text(),
                     other ? other->text() : "missing");
            }
        }
        for (const Attribute& each : b) {
            if (!skipped(each) && !find_named(a, each.name)) {
                note(fmt::format("attribute {}:{}", owner, each.name), "missing", each.text());
            }
        }
    }

    void compare_variable(const Variable& a, const Variable& b) {
        compare_attributes(a.name, a.attributes, b.attributes, false);
        VariableComparison comparison;
        comparison.name = a.name;
        if (a.type != b.type && !tolerance_.within)
            note("type of " + a.name, std::string(name_of(a.type)), std::string(name_of(b.type)));
        const bool text = a.type == Type::character;
        const bool same_shape = a_.schema().shape(a) == b_.schema().shape(b) &&
                                a_.schema().is_record(a) == b_.schema().is_record(b);
        if (!same_shape) note("shape of " + a.name, shape_text(a_, a), shape_text(b_, b));
        // Other names are a difference, but no reason not to look at the values.
        if (same_shape && a.dimensions != b.dimensions)
            note("names of dimensions of " + a.name, shape_text(a_, a), shape_text(b_, b));
        if (!same_shape || text != (b.type == Type::character)) {
            comparison.equal = false;
        } else if (text) {
            compare_values<char>(a, comparison);
        } else if (is_integer(a.type) && is_integer(b.type)) {
            compare_values<std::int64_t>(a, comparison);
        } else {
            compare_values<double>(a, comparison);
        }
        result_.variables.push_back(std::move(comparison));
    }

    static bool is_integer(Type type) { return type == Type::int32 || type == Type::int64; }

    static std::string shape_text(const Reader& reader, const Variable& variable) {
        std::string text;
        for (const std::string& name : variable.dimensions) {
            const Dimension* dimension = reader.schema().find_dimension(name);
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name,
                                dimension->unlimited ? reader.records() : dimension->length);
        }
        return "(" + text + ")";
    }

    template <class T>
    void compare_values(const Variable& variable, VariableComparison& comparison) {
        const std::int64_t rows = a_.schema().rows(variable), width = a_.schema().row_width(variable);
        const bool record_variable = a_.schema().is_record(variable);
        const std::int64_t records = record_variable ? std::min(a_.records(), b_.records()) : 1;
        const std::int64_t piece = std::max<std::int64_t>(1, piece_values / std::max<std::int64_t>(1, width));
        std::vector<T> left, right;
        double excess = 0.0, apart_squared = 0.0, size_squared = 0.0;
        std::int64_t record_of_worst = -1, place_of_worst = 0;
        std::pair<double, double> values_of_worst;
        for (std::int64_t record = 0; record < records; ++record) {
            for (std::int64_t first = 0; first < rows; first += piece) {
                const std::int64_t count = std::min(piece, rows - first);
                left.resize(count * width);
                right.resize(left.size());
                a_.read<T>(variable.name, record, first, count, left);
                b_.read<T>(variable.name, record, first, count, right);
                for (std::size_t i = 0; i < left.size(); ++i) {
                    const Distance apart = distance(left[i], right[i], tolerance_);
                    apart_squared += apart.absolute * apart.absolute;
                    if (!is_missing(right[i]))
                        size_squared += static_cast<double>(right[i]) * static_cast<double>(right[i]);
                    if (apart.absolute == 0.0) continue;
                    // Without tolerance every difference is infinitely too large: the largest one is the
                    // worst.
                    const bool worse = apart.excess > excess ||
                                       (apart.excess == excess && apart.absolute > comparison.max_abs);
                    comparison.equal = comparison.equal && apart.excess <= 1.0;
                    comparison.max_abs = std::max(comparison.max_abs, apart.absolute);
                    comparison.max_rel = std::max(comparison.max_rel, apart.relative);
                    if (!worse) continue;
                    excess = apart.excess;
                    record_of_worst = record;
                    place_of_worst = first * width + static_cast<std::int64_t>(i);
                    values_of_worst = {static_cast<double>(left[i]), static_cast<double>(right[i])};
                }
            }
        }
        if (apart_squared > 0.0) comparison.l2 = std::sqrt(apart_squared / size_squared);
        if (tolerance_.within) comparison.equal = comparison.l2 <= *tolerance_.within;
        if (record_of_worst >= 0) {
            comparison.worst = locate(variable, record_variable ? record_of_worst : -1, place_of_worst);
            std::tie(comparison.worst->a, comparison.worst->b) = values_of_worst;
        }
    }

    /// Time, index and position of a value of A, by its number within the record.
    Worst locate(const Variable& variable, std::int64_t record, std::int64_t place) const {
        Worst worst;
        const Schema& schema = a_.schema();
        const std::vector<std::int64_t> shape = schema.shape(variable);
        worst.index.resize(shape.size());
        for (std::size_t i = shape.size(); i-- > 0; place /= shape[i]) worst.index[i] = place % shape[i];
        if (record >= 0) {
            const Variable* coordinate = schema.find(schema.record_dimension()->name);
            if (coordinate && schema.is_record(*coordinate) && coordinate->type != Type::character)
                worst.time = number(*coordinate, record, 0);
        }
        if (shape.empty()) return worst;
        const std::string& dimension = variable.dimensions[record >= 0 ? 1 : 0];
        for (const auto& [lon, lat] : coordinates_) {
            const Variable* x = schema.find(lon);
            const Variable* y = schema.find(lat);
            const auto runs_along = [&](const Variable* each) {
                return each && each->dimensions == std::vector<std::string>{dimension} &&
                       each->type != Type::character;
            };
            if (!runs_along(x) || !runs_along(y)) continue;
            worst.lon = number(*x, 0, worst.index[0]);
            worst.lat = number(*y, 0, worst.index[0]);
            break;
        }
        return worst;
    }

    double number(const Variable& variable, std::int64_t record, std::int64_t row) const {
        double value = 0.0;
        a_.read<double>(variable.name, record, row, 1, std::span(&value, 1));
        return value;
    }

    const Reader& a_;
    const Reader& b_;
    Tolerance tolerance_;
    const std::vector<CoordinateNames>& coordinates_;
    Comparison result_;
};

}  // namespace

Comparison compare(const Reader& a, const Reader& b, const Tolerance& tolerance,
                   const std::vector<CoordinateNames>& coordinates) {
    return Comparer(a, b, tolerance, coordinates).run();
}

}  // namespace groundswell::output
