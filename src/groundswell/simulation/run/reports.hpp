#pragma once

#include <mpi.h>

#include <string>

#include "groundswell/simulation/case.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/report/run_report.hpp"
#include "groundswell/simulation/run/read_case.hpp"
#include "groundswell/simulation/run/run.hpp"

/// Reports of a run at its end: its JSON, and a summary for people.
namespace groundswell::simulation {

/// Refuses before the run what could not be written at its end.
void check_reports(const Case& run, const RunOptions& options);

/// Writes run.json in the output folder and the report asked for, and prints a summary. Collective.
void report_run(MPI_Comm comm, const Case& run, const RunOptions& options, const RunResult& result);

/// The same of a run that was only checked. Collective.
void report_check(Model& model, const Schedule& schedule, const Case& run, const RunOptions& options);

/// `run --explain`: every parameter with value, unit, default and source, for people on standard output, and as
/// JSON where `json` names a file ("-": alone on standard output). Collective over `comm`.
void explain_case(MPI_Comm comm, const ReadCase& read, const std::string& json);

}  // namespace groundswell::simulation
