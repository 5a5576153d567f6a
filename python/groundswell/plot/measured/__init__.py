"""Pictures of what was measured of a machine or a run: halos, parts, kernels, scaling, costs, timelines."""
