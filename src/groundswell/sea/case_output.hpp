#pragma once

#include <string>
#include <vector>

#include "groundswell/base/case_file.hpp"
#include "groundswell/sea/case.hpp"

/// The part of the case file that says what is written, and how; read_case() calls it.
namespace groundswell::sea {

/// `folder`: of the command line, or empty for output/ beside the case file.
OutputSection read_output(const base::Section& section, const base::CaseReader& reader,
                          const std::string& folder);

/// The key thread_cores of a section: numbers of cores.
std::vector<int> read_cores(const base::Section& section, const base::KeyText& text);

}  // namespace groundswell::sea
