"""Where a place lies on the axes of a projected grid, by the attributes of its CF grid_mapping.

Not by pyproj: ecCodes brings a PROJ of its own into the process, and two of them end it. Numbers of equations: Snyder, J. P.
(1987): Map Projections, a Working Manual. USGS Professional Paper 1395.
"""

import math


def place(mapping, lon, lat):
    """(x, y) in m of a place in degrees."""
    axis, e = figure(mapping)
    m = lambda phi: math.cos(phi) / math.sqrt(1 - (e * math.sin(phi)) ** 2)  # (14-15)  # noqa: E731

    def t(phi):  # (15-9)
        sine = e * math.sin(phi)
        return math.tan(math.pi / 4 - phi / 2) / ((1 - sine) / (1 + sine)) ** (e / 2)

    kind = mapping["grid_mapping_name"]
    phi = math.radians(lat)
    if kind == "mercator":  # (7-6), (7-7)
        radius = axis * m(math.radians(mapping["standard_parallel"]))
        return radius * centred(lon - mapping["longitude_of_projection_origin"]), -radius * math.log(t(phi))
    if kind == "lambert_conformal_conic":
        first, second = (math.radians(each) for each in mapping["standard_parallel"])
        n = math.sin(first)
        if abs(first - second) > 1e-12:  # (15-8)
            n = math.log(m(first) / m(second)) / math.log(t(first) / t(second))
        radius = axis * m(first) / (n * t(first) ** n)  # (15-10)
        central, origin = (
            mapping["longitude_of_central_meridian"],
            math.radians(mapping["latitude_of_projection_origin"]),
        )
        shift = radius * t(origin) ** n
    else:  # the cone of a pole: (21-33), (21-34)
        n = math.copysign(1.0, mapping["latitude_of_projection_origin"])
        central, shift, parallel = (
            mapping["straight_vertical_longitude_from_pole"],
            0.0,
            mapping["standard_parallel"],
        )
        if abs(parallel) > 89.9999:
            radius = 2 * axis * n / math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e))
        else:
            radius = axis * m(math.radians(parallel)) / (n * t(math.radians(parallel)) ** n)
    theta = n * centred(lon - central)
    rho = radius * t(phi) ** n
    return rho * math.sin(theta), shift - rho * math.cos(theta)


def centred(degrees):
    return math.radians(math.remainder(degrees, 360.0))


def figure(mapping):
    """Semi-major axis (m) and eccentricity."""
    if "earth_radius" in mapping:
        return mapping["earth_radius"], 0.0
    axis = mapping["semi_major_axis"]
    return axis, math.sqrt(1 - (mapping["semi_minor_axis"] / axis) ** 2)
