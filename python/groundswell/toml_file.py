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
            return tomllib.load(source)
    except OSError as failure:
        refuse(path, None, None, f"a file that can be read ({failure.strerror})")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        refuse(path, None, None, f"TOML ({failure})")
