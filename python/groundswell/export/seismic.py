"""Receivers as SAC and miniSEED, by ObsPy (M. Beyreuther et al. 2010, doi:10.1785/gssrl.81.3.530)."""

import numpy as np

from groundswell.errors import refuse
from groundswell.export.codes import ORIENTATION, channel
from groundswell.whole_files import written_beside

VELOCITY_OF_SAC = "ivel"  # SAC means nm/s by it; these are m/s, and kuser0 says so
UNKNOWN = -12345.0


def obspy_or_refused():
    """The library: it is asked for only where it is needed."""
    try:
        import obspy
    except ImportError:
        refuse(
            "command line",
            "--to",
            None,
            "the Python package obspy: pip install obspy, or --to seissol without it",
        )
    return obspy


def traces(station, network, code, start, interval, first):
    """[Trace] of the velocities of one station, float32; `first` is the time of the first record, s after `start`."""
    obspy = obspy_or_refused()
    found = []
    for component in ORIENTATION:
        if component not in station.series:
            continue
        header = {
            "network": network,
            "station": code,
            "channel": channel(component, interval),
            "delta": interval,
            "starttime": start + first,
        }
        found.append(obspy.Trace(np.ascontiguousarray(station.series[component], dtype=np.float32), header))
    return found


def write_mseed(path, traces_of_station):
    """All channels of a station in one file, floats as they are."""
    stream = obspy_or_refused().Stream(traces_of_station)
    with written_beside(path) as partial:
        stream.write(str(partial), format="MSEED", encoding="FLOAT32", reclen=4096)


def write_sac(path, trace, station, component, start, first):
    """One channel; times count from `start`, the beginning of the run, in whole milliseconds."""
    from obspy.io.sac import SACTrace

    letter, azimuth, dip = ORIENTATION[component]
    lon, lat = station.degrees or (UNKNOWN, UNKNOWN)
    x, y, z = station.place
    sac = SACTrace(
        data=trace.data,
        delta=trace.stats.delta,
        b=first + start.microsecond % 1000 / 1e6,
        iztype="io",
        nzyear=start.year,
        nzjday=start.julday,
        nzhour=start.hour,
        nzmin=start.minute,
        nzsec=start.second,
        nzmsec=start.microsecond // 1000,
        o=0.0,
        idep=VELOCITY_OF_SAC,
        kstnm=trace.stats.station,
        knetwk=trace.stats.network,
        kcmpnm=trace.stats.channel,
        stla=lat,
        stlo=lon,
        stel=z,
        cmpaz=azimuth,
        cmpinc=90.0 + dip,
        user0=x,
        user1=y,
        user2=z,
        kuser0="m/s",
        lcalda=False,
    )
    with written_beside(path) as partial:
        sac.write(str(partial))


def inventory(stations, network, codes, start, interval, title):
    """StationXML of stations whose longitudes and latitudes are known: what miniSEED itself cannot say."""
    obspy_or_refused()
    from obspy.core.inventory import Channel, Inventory, Network, Response, Site
    from obspy.core.inventory import Station as Place
    from obspy.core.inventory.response import InstrumentSensitivity

    found = []
    for station, code in zip(stations, codes):
        lon, lat = station.degrees
        place = {"latitude": lat, "longitude": lon, "elevation": station.place[2]}
        channels = [
            Channel(
                code=channel(component, interval),
                location_code="",
                depth=0.0,
                azimuth=azimuth,
                dip=dip,
                sample_rate=1.0 / interval,
                start_date=start,
                response=Response(
                    instrument_sensitivity=InstrumentSensitivity(
                        value=1.0, frequency=1.0, input_units="M/S", output_units="M/S"
                    )
                ),
                **place,
            )
            for component, (_, azimuth, dip) in ORIENTATION.items()
            if component in station.series
        ]
        site = Site(name=station.name)
        found.append(
            Place(code=code, site=site, channels=channels, start_date=start, creation_date=start, **place)
        )
    return Inventory(
        networks=[Network(code=network, stations=found, description=title)], source="Groundswell"
    )
