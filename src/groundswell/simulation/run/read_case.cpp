#include "groundswell/simulation/run/read_case.hpp"

#include "groundswell/base/errors.hpp"

namespace groundswell::simulation {

namespace {

const ModelKind& read_kind(const CaseReader& reader, const std::vector<ModelKind>& kinds) {
    std::vector<std::string> names;
    for (const ModelKind& kind : kinds) names.push_back(kind.name);
    const std::string name =
        reader.root().choice("model", names.front(), names, {"the model that this case is for"});
    for (const ModelKind& kind : kinds)
        if (kind.name == name) return kind;
    return kinds.front();
}

std::unique_ptr<Case> read_with(const CaseReader& reader, const std::vector<ModelKind>& kinds,
                                const ModelKind& kind, const std::string& output_folder) {
    read_kind(reader, kinds);
    std::unique_ptr<Case> run = kind.read(reader, output_folder);
    run->model = kind.name;
    return run;
}

}  // namespace

ReadCase read_case(const std::string& file, const CaseOverrides& overrides,
                   const std::vector<ModelKind>& kinds) {
    const CaseReader reader(file, overrides.set);
    const ModelKind& kind = read_kind(reader, kinds);
    // A mistyped key is a likelier cause of a missing one: it is looked for even when reading stops early.
    try {
        ReadCase result{read_with(reader, kinds, kind, overrides.output_folder), &kind, {}, {}};
        reader.refuse_unknown_keys();
        result.keys = reader.keys();
        result.settings = reader.settings();
        return result;
    } catch (const base::Refusal&) {
        const CaseReader all = CaseReader::describe();
        read_with(all, kinds, kind, "");
        reader.refuse_unknown_keys(all);
        throw;
    }
}

std::vector<KeyRecord> describe_case(const std::vector<ModelKind>& kinds, const ModelKind& kind) {
    const CaseReader reader = CaseReader::describe();
    read_with(reader, kinds, kind, "");
    return reader.keys();
}

}  // namespace groundswell::simulation
