#pragma once

#include <string>
#include <vector>

/// Series in text, as SeisSol writes them: receivers (*.dat) and energies (*.csv).
namespace groundswell::cli {

struct TextSeries {
    struct Column {
        std::string name;  ///< as files since 2023 have it: s_xx, v1
        std::vector<double> time, value;
    };
    std::vector<Column> columns;

    const Column* find(const std::string& name) const;
};

/// Whether a file is one by its name; among others of a folder, where there are tables of other things too, by more of it.
bool is_text_series(const std::string& path);
bool is_series_of_folder(const std::string& name);
/// Its name without the number of the rank that wrote it, which differs from run to run.
std::string series_name(const std::string& file);

/// Lines of numbers under names: those of VARIABLES = "Time", "xx", …; or a table between commas, with a column for each quantity or
/// with rows of time, variable, measurement. base::Refusal that names the line of what is neither.
TextSeries read_text_series(const std::string& path);

/// √(Σ (a − b)² / Σ b²) of two columns at the times of the second that the first spans, between whose times it goes straight;
/// infinite where there are none, or a value is no number.
double difference_of(const TextSeries::Column& a, const TextSeries::Column& b);

}  // namespace groundswell::cli
