"""Cases of SeisSol: parameter files, models of easi, meshes and kinematic sources, as cases of the earthquake model."""
