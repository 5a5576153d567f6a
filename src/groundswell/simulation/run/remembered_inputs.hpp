#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "groundswell/simulation/case_file.hpp"

/// Record in a restart file of the inputs of the run that wrote it, and what follows from a difference.
namespace groundswell::simulation {

/// Effect of a changed key on a run that continues another one: the state depends on it, and the run is refused; the
/// run goes on otherwise from here, and says so in a line; or it makes no difference to what is computed.
enum class Effect { refused, told, harmless };

/// Effect of a key ("fault.set[].box.x") or a section of keys. `of_state`: those that the model's state depends on (ModelKind);
/// where the key lies in two of them, the longer one counts.
Effect effect_of(std::string_view key, const std::vector<std::string>& of_state);

/// Settings in a restart file: a line for each setting that is not harmless, with a digest of each file. Reads those files,
/// of more than 64 MiB as much in evenly spaced pieces. Not collective.
std::string remember_inputs(const std::vector<Setting>& settings, const std::vector<std::string>& of_state);

/// Finds what differs in this run (`here`) from the one that wrote a restart file (`there`), as remember_inputs() wrote both.
/// base::Refusal for the first difference in what the state depends on; others are returned, each in a few words. Not collective.
std::vector<std::string> compare_inputs(const std::string& here, const std::string& there,
                                        const std::vector<std::string>& of_state,
                                        const std::string& case_file, const std::string& restart_file);

}  // namespace groundswell::simulation
