"""Files in TOML."""

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

from groundswell.errors import refuse


def read_toml_file(path):
    """The tables of a file; one that cannot be read, or is no TOML, is refused."""
    try:
        with open(path, "rb") as source:
            tables = tomllib.load(source)
    except OSError as failure:
        refuse(path, None, None, f"a file that can be read ({failure.strerror})")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        refuse(path, None, None, f"TOML ({failure})")
    refuse_zeros(path, "", tables)
    return tables


def refuse_zeros(path, key, value):
    """No name and no path has a character 0, at which what is written in C ends."""
    if isinstance(value, str) and "\0" in value:
        refuse(path, key, value, "a text without zero characters (\\u0000)")
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        refuse_zeros(path, f"{key}.{name}" if key else str(name), part)
