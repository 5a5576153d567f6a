#pragma once

#include <string>
#include <vector>

#include "groundswell/sea/case.hpp"
#include "groundswell/simulation/case/case_file.hpp"

/// The part of the case file that says what is written, and how; read_case() calls it.
namespace groundswell::sea {

/// `folder`: of the command line, or empty for output/ beside the case file.
OutputSection read_output(const simulation::Section& section, const simulation::CaseReader& reader,
                          const std::string& folder);

/// The key thread_cores of a section: numbers of cores.
std::vector<int> read_cores(const simulation::Section& section, const simulation::KeyText& text);

}  // namespace groundswell::sea
