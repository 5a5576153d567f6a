"""Meshes of the ground for earthquakes: tetrahedra from a description of layers, relief and faults, by Gmsh.

Two kinds of places are told apart everywhere. *Flat* ones lie in a box below z = 0, in which layers are level: that box is
what Gmsh meshes. The mesh is then moved vertically onto the relief, and *true* places are those of the finished mesh.
"""
