"""Models of easi: how earthquake inputs say what rock and faults are made of, as a tree in YAML that is asked point by point."""
