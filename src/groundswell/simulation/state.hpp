#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/schema.hpp"

namespace groundswell::simulation {

/// A variable of a model's state, by rows of a distributed dimension.
struct StateVariable {
    output::Variable variable;  ///< name, type, dimensions (the distributed one first), attributes
    const output::Decomposition* rows = nullptr;  ///< null: the same on all ranks
    void* data = nullptr;                         ///< row i of this rank begins at value i · stride
    std::int64_t stride = 0;   ///< values from one row to the next; at least the values of a row
    bool is_read = true;       ///< false: written for people, and not read back
    bool is_optional = false;  ///< left as it is where the file has none
};

/// All that a model needs to go on as if it had never stopped, and what it must find again to do so.
struct State {
    /// Length of a dimension, and what of the case sets it, for people: "spectrum.frequencies = 35".
    struct Dimension {
        std::string name;
        std::int64_t length = 0;
        std::string expected;
    };
    /// A number that must be the same: identity of the mesh, a setting that the state depends on.
    struct Mark {
        output::Attribute value;
        std::string expected;
    };

    std::vector<Dimension> dimensions;
    std::vector<Mark> marks;
    std::vector<StateVariable> variables;

    /// `values`: of this rank's rows, the first value of each `stride` behind that of the row before.
    template <class T>
    void add(output::Variable variable, const output::Decomposition& rows, T* values, std::int64_t stride,
             bool is_read = true) {
        variable.type = output::type_of<std::remove_const_t<T>>();
        variables.push_back({std::move(variable), &rows, const_cast<std::remove_const_t<T>*>(values), stride,
                             is_read && !std::is_const_v<T>});
    }
};

}  // namespace groundswell::simulation
