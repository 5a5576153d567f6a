"""A case being made: tables and entries, and their text in TOML."""

import json
import math


def value_of(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {value_of(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_of(one) for one in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else {math.inf: "inf", -math.inf: "-inf"}.get(value, "nan")
    if isinstance(value, int):
        return str(value)
    return json.dumps(str(value), ensure_ascii=False)


class CaseText:
    """Sections in the order in which they are first asked for."""

    def __init__(self, title):
        self.top, self.sections = {"title": title, "model": "quake"}, {}

    def table(self, name):
        return self.sections.setdefault(name, {})

    def entry(self, name):
        """A new one of [[name]]."""
        self.sections.setdefault(name, []).append({})
        return self.sections[name][-1]

    def text(self, remarks=()):
        lines = [f"# {remark}" for remark in remarks]
        lines += [f"{key} = {value_of(value)}" for key, value in self.top.items()]
        for name, section in self.sections.items():
            if not section:
                continue
            for table in section if isinstance(section, list) else [section]:
                head = f"[[{name}]]" if isinstance(section, list) else f"[{name}]"
                lines += ["", head, *(f"{key} = {value_of(value)}" for key, value in table.items())]
        return "\n".join(lines) + "\n"
