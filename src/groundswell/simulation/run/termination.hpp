#pragma once

namespace groundswell::simulation {

/// From now on SIGTERM asks this process to end its run early, with a restart, see ask_to_stop(); and where it is about to be killed,
/// SIGTERM and SIGINT remove the files that are not whole before they end it. To be called before there are other threads: neither
/// signal reaches any of them afterwards. Not collective.
void heed_termination();

}  // namespace groundswell::simulation
