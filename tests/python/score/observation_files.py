"""Files of observations in the layouts that their makers publish, with made values.

NDBC: https://www.ndbc.noaa.gov/faq/measdes.shtml. Copernicus Marine in situ: QUID and PUM of INSITU_GLO_PHYBGCWAV. Sea State CCI:
product user guide of the L2P along-track product (seconds since 1981, swh_quality_level 0 undefined … 3 good). Copernicus Marine
WAVE_GLO_PHY_SWH_L3: VAVH, edited, no flags.
"""

import datetime

import netCDF4
import numpy as np

UTC = datetime.timezone.utc
NAMES = "WDIR WSPD GST  WVHT   DPD   APD MWD   PRES  ATMP  WTMP  DEWP  VIS  TIDE"
UNITS = "degT m/s  m/s     m   sec   sec degT   hPa  degC  degC  degC   mi    ft"


def _date(second):
    return datetime.datetime.fromtimestamp(second, UTC)


def standard_text(path, time, hs, tp, bearing, wind=5.0, recent=False):
    """stdmet of the archive (nines where there is nothing), or of the last 45 days (MM, newest first)."""
    rows = []
    for t, h, p, b in zip(time, hs, tp, bearing):
        words = [f"{wind:4.1f}", "99.0"]
        nothing = ("MM", "MM", "MM") if recent else ("99.00", "99.00", "999")
        height = f"{h:5.2f}" if np.isfinite(h) else nothing[0]
        period = f"{p:5.2f}" if np.isfinite(p) else nothing[1]
        angle = f"{b:3.0f}" if np.isfinite(b) else nothing[2]
        words += [height, period, nothing[1], angle, "1015.0", "999.0", "999.0", "999.0", "99.0", "99.00"]
        rows.append(f"{_date(t):%Y %m %d %H %M} 180 " + " ".join(words))
    head = [f"#YY  MM DD hh mm {NAMES}", f"#yr  mo dy hr mn {UNITS}"]
    path.write_text("\n".join(head + (rows[::-1] if recent else rows)) + "\n")
    return path


def spectral_text(folder, station, time, frequency, density, bearing, first):
    """The archive's files with w (density), d (α1) and j (r1 × 100)."""
    paths = []
    for letter, values, form in (
        ("w", density, "{:7.2f}"),
        ("d", bearing, "{:6.0f}"),
        ("j", 100 * first, "{:6.0f}"),
    ):
        lines = ["#YY  MM DD hh mm" + "".join(f"  {f:.4f}".replace("0.", ".") for f in frequency)]
        lines += [
            f"{_date(t):%Y %m %d %H %M}" + "".join(form.format(v) for v in row)
            for t, row in zip(time, values)
        ]
        paths.append(folder / f"{station}{letter}2024.txt")
        paths[-1].write_text("\n".join(lines) + "\n")
    return paths


def recent_spectral_text(path, time, frequency, density):
    lines = ["#YY  MM DD hh mm Sep_Freq  < spec_1 (freq_1) spec_2 (freq_2) spec_3 (freq_3) ... >"]
    for t, row in zip(time, density):
        pairs = " ".join(f"{v:.3f} ({f:.3f})" for v, f in zip(row, frequency))
        lines.append(f"{_date(t):%Y %m %d %H %M} 9.999 {pairs} ")
    path.write_text("\n".join(lines) + "\n")
    return path


def _axis(out, name, values, units, dimension, standard_name=None):
    variable = out.createVariable(name, "f8", (dimension,))
    variable.setncatts({"units": units, "standard_name": standard_name or name.lower()})
    variable[:] = values


def copernicus_buoy(path, time, lon, lat, hs, flags):
    """TIME × DEPTH, days since 1950, a byte VHM0_QC beside the values: 1 good, 4 bad, 9 missing."""
    with netCDF4.Dataset(path, "w") as out:
        out.platform_code = "6100197"
        for name, size in (("TIME", len(time)), ("DEPTH", 1)):
            out.createDimension(name, size)
        _axis(out, "TIME", np.asarray(time) / 86400.0 + 7305.0, "days since 1950-01-01T00:00:00Z", "TIME")
        for name, value, unit in (("LATITUDE", lat, "degrees_north"), ("LONGITUDE", lon, "degrees_east")):
            _axis(out, name, np.full(len(time), value), unit, "TIME")
        values = out.createVariable("VHM0", "i4", ("TIME", "DEPTH"), fill_value=-2147483647)
        values.setncatts(
            {"standard_name": "sea_surface_wave_significant_height", "units": "m", "scale_factor": 0.001}
        )
        values[:] = np.ma.masked_invalid(hs)[:, None]
        quality = out.createVariable("VHM0_QC", "i1", ("TIME", "DEPTH"), fill_value=-127)
        quality[:] = np.asarray(flags, dtype="i1")[:, None]
    return path


def ndbc_netcdf(path, time, lon, lat, hs):
    with netCDF4.Dataset(path, "w") as out:
        out.station = "41010"
        for name, size in (("time", len(time)), ("latitude", 1), ("longitude", 1)):
            out.createDimension(name, size)
        _axis(out, "time", time, "seconds since 1970-01-01 00:00:00 UTC", "time")
        _axis(out, "latitude", [lat], "degrees_north", "latitude")
        _axis(out, "longitude", [lon], "degrees_east", "longitude")
        values = out.createVariable("wave_height", "f4", ("time", "latitude", "longitude"), fill_value=99.0)
        values.setncatts({"standard_name": "sea_surface_wave_significant_height", "units": "meters"})
        values[:] = np.ma.masked_invalid(hs)[:, None, None]
    return path


def cci_track(path, time, lon, lat, hs, quality):
    """Sea State CCI L2P: the measured height 0.1 m too high, the adjusted one right."""
    with netCDF4.Dataset(path, "w") as out:
        out.setncatts({"title": "ESA CCI Sea State L2P", "platform": "SARAL"})
        out.createDimension("time", len(time))
        _axis(out, "time", np.asarray(time) - 347155200.0, "seconds since 1981-01-01 00:00:00", "time")
        _axis(out, "lat", lat, "degrees_north", "time", "latitude")
        _axis(out, "lon", lon, "degrees_east", "time", "longitude")
        for name, values in (("swh", hs + 0.1), ("swh_adjusted", hs)):
            variable = out.createVariable(name, "i2", ("time",), fill_value=32767)
            variable.setncatts(
                {"units": "m", "scale_factor": 0.001, "standard_name": "sea_surface_wave_significant_height"}
            )
            variable[:] = np.ma.masked_invalid(values)
        level = out.createVariable("swh_quality_level", "i1", ("time",), fill_value=127)
        level.setncatts(
            {"flag_values": np.arange(4, dtype="i1"), "flag_meanings": "undefined bad acceptable good"}
        )
        level[:] = quality
    return path


def copernicus_track(path, time, lon, lat, hs):
    with netCDF4.Dataset(path, "w") as out:
        out.setncatts({"platform": "Jason-3", "processing_level": "L3"})
        out.createDimension("time", len(time))
        _axis(out, "time", np.asarray(time) / 86400.0 - 10957.0, "days since 2000-01-01", "time")
        _axis(out, "latitude", lat, "degrees_north", "time")
        _axis(out, "longitude", np.mod(lon, 360.0), "degrees_east", "time")
        for name, values in (("VAVH_UNFILTERED", hs + 1.0), ("VAVH", hs)):
            variable = out.createVariable(name, "i2", ("time",), fill_value=32767)
            variable.setncatts(
                {"units": "m", "scale_factor": 0.001, "standard_name": "sea_surface_wave_significant_height"}
            )
            variable[:] = np.ma.masked_invalid(values)
    return path
