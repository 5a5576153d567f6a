"""Pictures of what the earthquake model wrote: seismograms, their spectra and misfits, the moving surface, energies."""
