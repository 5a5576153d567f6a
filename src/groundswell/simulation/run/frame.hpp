#pragma once

#include <functional>
#include <string>

#include "groundswell/simulation/run/command_line.hpp"

/// Set-up and error handling that every program of this project shares.
namespace groundswell::simulation {

/// From now on SIGTERM asks this process to end its run early, with a restart, see ask_to_stop(); and where it is about to be killed,
/// SIGTERM and SIGINT remove the files that are not whole before they end it. To be called before there are other threads: neither
/// signal reaches any of them afterwards. Not collective.
void heed_termination();

/// Prepares the process, runs `body` and returns the program's exit code: what `body` throws without MPI is told
/// here (with MPI, parallel::run_to_exit_code has spoken already).
int run_framed(const std::function<int()>& body);

/// Says once what is wrong with the command line, and returns the exit code.
int refuse_usage(const std::string& message);

/// Reads the command line. Returns the exit code where nothing is left to do (--help, --version, wrong usage), else
/// -1. Arguments that are empty, as a variable is that was not set, are refused.
int parse_command_line(CommandLine& program, int argc, char** argv);

}  // namespace groundswell::simulation
