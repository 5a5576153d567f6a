// Writes the matrices of the reference tetrahedron as sparse tables that a compiler reads: run while the project
// is built, with the name of the header to write.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "groundswell/quake/basis/matrices.hpp"

namespace {

using namespace groundswell::quake;

void write(std::FILE* file, const std::string& name, const Matrix& matrix) {
    std::string begins = "0", columns, values;
    int entries = 0;
    for (int row = 0; row < matrix.rows; ++row) {
        for (int column = 0; column < matrix.columns; ++column) {
            if (matrix(row, column) == 0.0) continue;
            char value[40];
            std::snprintf(value, sizeof value, "%a", matrix(row, column));
            const char* comma = entries++ == 0 ? "" : ", ";
            columns += comma + std::to_string(column);
            values += std::string(comma) + value;
        }
        begins += ", " + std::to_string(entries);
    }
    std::fprintf(
        file, "template <> inline constexpr SparseMatrix<%d, %d, %d> %s{\n    {%s},\n    {%s},\n    {%s}};\n",
        matrix.rows, matrix.columns, entries, name.c_str(), begins.c_str(), columns.c_str(), values.c_str());
}

std::string specialised(const char* name, int order, int which) {
    return std::string(name) + "<" + std::to_string(order) + ", " + std::to_string(which) + ">";
}

}  // namespace

int main(int arguments, char** argument) {
    std::FILE* file = arguments == 2 ? std::fopen(argument[1], "w") : nullptr;
    if (file == nullptr) {
        std::fprintf(stderr, "write_tables: expected the name of a header to write\n");
        return EXIT_FAILURE;
    }
    std::fputs(
        "// Written by quake/basis/write_tables.cpp from the definitions in matrices.hpp.\n"
        "#pragma once\n\n#include \"groundswell/quake/basis/sparse.hpp\"\n\n"
        "namespace groundswell::quake::tables {\n\n"
        "/// matrices.hpp's derivative(order, direction), trace(order, face) and lift(order, face).\n"
        "template <int order, int direction> inline constexpr int derivative = 0;\n"
        "template <int order, int face> inline constexpr int trace = 0;\n"
        "template <int order, int face> inline constexpr int lift = 0;\n\n",
        file);
    for (int order = lowest_order; order <= highest_order; ++order) {
        for (int direction = 0; direction < 3; ++direction)
            write(file, specialised("derivative", order, direction), derivative(order, direction));
        for (int face = 0; face < 4; ++face) {
            write(file, specialised("trace", order, face), trace(order, face));
            write(file, specialised("lift", order, face), lift(order, face));
        }
    }
    std::fputs("\n}  // namespace groundswell::quake::tables\n", file);
    return std::fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
