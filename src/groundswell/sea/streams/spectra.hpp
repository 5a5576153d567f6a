#pragma once

#include <memory>
#include <vector>

#include "groundswell/sea/streams/station_stream.hpp"

namespace groundswell::sea {

/// Spectra at stations and what is known by frequency or depth there, as the section asks for it. Collective.
std::unique_ptr<simulation::Stream> make_spectra(MPI_Comm comm, const PointsSection& section,
                                                 output::Schema schema, const Model& model,
                                                 Situations& situations, std::vector<Station> stations);

}  // namespace groundswell::sea
