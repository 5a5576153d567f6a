"""Pictures of what the model wrote: maps, panels, animations, time series, spectra, meshes; of halos, what was measured."""
