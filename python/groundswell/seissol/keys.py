"""Namelists of SeisSol's parameter files, and keys of them that change nothing of what is computed."""

GROUPS = (
    "equations", "inicondition", "boundaries", "dynamicrupture", "elementwise", "pickpoint", "sourcetype", "spongelayer", "meshnml",
    "discretization", "output", "abortcriteria", "analysis", "debugging", "postprocessing", "processing",
)  # fmt: skip
# What SeisSol itself no longer minds, what says how its program works, and numbers of what is off in a file. None: all of them.
IDLE = {
    "equations": (
        "adjoint", "adjfilename", "anisotropy", "plasticitypointwise", "gravitationalacceleration", "tv", "plasticityfilename",
        "plasticitydisabledgroups", "freqcentral", "freqratio", "itmstartingtime", "itmtime", "itmvelocityscalingfactor",
        "itmreflectiontype",
    ),
    "dynamicrupture": (
        "rf_output_on", "backgroundtype", "sliprateoutputtype", "rsmaxsliprateupdates", "rsstateupdates", "rsnewtontolerance",
        "rsstatetolerance", "tpproxyexponent", "lsw_healingthreshold", "inst_healing", "t_0", "rs_f0", "rs_b", "rs_sr0", "rs_inisliprate1",
        "rs_inisliprate2", "rs_muw", "mu_w", "pc_vstar", "pc_prakashlength", "v_star", "l", "tp_thermaldiffusivity", "alpha_th",
        "tp_heatcapacity", "rho_c", "tp_undrainedtpresponse", "tp_lambda", "tp_initemp", "initemp", "tp_inipressure", "inipressure",
        "etadampend", "etastop", "magnitude_output_on", "energy_rate_output_on", "rupture_front_output",
    ),
    "elementwise": (
        "printintervalcriterion", "printtimeinterval", "vtkorder", "outputmask", "refinement", "refinement_strategy",
        "printtimeinterval_sec",
    ),
    "pickpoint": ("printtimeinterval", "noutpoints", "maxpickstore", "receivercollectiveio", "outputmask", "ppfilename"),
    "boundaries": ("bc_fs", "bc_dr", "bc_of", "bc_nc", "bc_if", "bc_pe"),
    "sourcetype": ("rtype", "nrandom", "filename"),
    "meshnml": ("meshgenerator", "pumlboundaryformat", "showedgecutstatistics", "partitioninglib"),
    "discretization": (
        "ckmethod", "dgfineout1d", "fluxmethod", "iterationcriterion", "npoly", "npolyrec", "limitersecurityfactor", "order",
        "material", "npolymap", "ltswigglefactorstepsize", "ltswigglefactorenforcemaximumdifference", "ltsmaxnumberofclusters",
        "ltsautomergeclusters", "ltsallowedrelativeperformancelossautomerge", "ltsautomergecostbaseline", "ltsweighttypeid",
        "vertexweightelement", "vertexweightdynamicrupture", "vertexweightfreesurfacewithgravity",
    ),
    "output": (
        "rotation", "interval", "nrecordpoints", "printintervalcriterion", "pickdttype", "ioutputmaskmaterial", "faultoutputflag",
        "outputfile", "xdmfwriterbackend", "energyterminaloutput", "energyterminalprecision", "receiveroutputinterval",
        "receivercollectiveio", "checkpointbackend", "checkpointfile", "checkpointinterval", "loopstatisticsnetcdfoutput",
        "computevolumeenergieseveryoutput", "wavefieldvtkorder", "surfacevtkorder", "iplasticitymask", "ioutputmask", "timeinterval",
        "refinement", "surfaceoutputinterval", "surfaceoutputrefinement", "energyoutputinterval",
        "faultenergiesfromacrossfaultvelocities", "format", "pickdt", "receiveroutput", "receivercomputerotation",
        "receivercomputestrain", "outputregionbounds", "outputgroups", "integrationmask",
    ),
    "abortcriteria": ("maxiteration", "maxtolerance", "maxtolcriterion", "walltime_h", "delay_h", "terminatorslipratethreshold"),
    "analysis": None, "debugging": None, "inicondition": ("cictype",), "postprocessing": None, "processing": None,
}  # fmt: skip
