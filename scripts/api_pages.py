"""api_pages.py PAGES: writes the interfaces of Groundswell as pages for a browser into this folder: Python from its docstrings, C and C++ from
the comments of the headers that an installation has. One page a module, in docs/reference/api."""

import ast
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src/groundswell"
MODULES = {
    "c": "C: halo exchange, output, input",
    "lab": "C: a simulation in the hands of its caller",
    "halo": "C++: the halo exchange",
    "output": "C++: output",
    "simulation": "C++: what a model is to a run",
}


def prose(text):
    """Text of a comment: Markdown in its `code` and indented lines alone."""
    parts = re.split(r"(`[^`]*`|^    .*$)", text, flags=re.M)
    parts[::2] = [re.sub(r"([\\*_\[\]|~#])", r"\\\1", html.escape(part, quote=False)) for part in parts[::2]]
    return "".join(parts)


def blocks(text):
    """(comment, declaration) of each thing at the top of a header."""
    text = re.sub(
        r"(?m)^(#.*|namespace .*\{|\}  // namespace .*|extern \"C\" \{|\}|using namespace .*)$", "", text
    )
    found, depth = [[]], 0
    for line in text.splitlines():
        if line.strip() or depth > 0:
            found[-1].append(line)
            depth += line.count("{") - line.count("}")
        if depth == 0 and (not line.strip() or re.match(r"(?![ /]\*|//).*;$", line)):
            found.append([])
    for lines in filter(None, found):
        said, in_comment = [], False
        while lines and (in_comment or lines[0].startswith(("//", "/*"))):
            line = lines.pop(0)
            in_comment = (in_comment or line.startswith("/*")) and "*/" not in line
            said.append(re.sub(r"^(///?<?|/\*| \*(?!/))\s?|\s*\*/$", "", line))
        yield "\n".join(said).strip(), "\n".join(lines).rstrip()


def name_of(declaration):
    """What a declaration declares, or nothing."""
    plain = re.sub(r"(?m)^template.*$", "", declaration)
    match = re.search(r"^\s*(?:class|struct|enum class|enum|using|typedef struct)\s+(\w+)|(\w+)\(", plain)
    return match and (match[1] or match[2])


def header_page(module, title):
    lines = [f"# {title}", ""]
    for header in sorted((SOURCE / module).glob("*.h" if module in ("c", "lab") else "*.hpp")):
        lines += [f"## {header.relative_to(SOURCE.parent)}", ""]
        for comment, declaration in blocks(header.read_text()):
            name = name_of(declaration)
            lines += [f"### {name}", ""] if name else []
            lines += [prose(comment), ""]
            lines += ["```cpp", declaration, "```", ""] if declaration else []
    return lines


def signature(node):
    made = [one for one in node.body if getattr(one, "name", "") == "__init__"] or [node]
    is_plain = any(ast.unparse(one) == "property" for one in node.decorator_list)
    arguments = None if is_plain else getattr(made[0], "args", None)
    return (
        f"{node.name}({ast.unparse(arguments).removeprefix('self').lstrip(', ')})" if arguments else node.name
    )


def python_page():
    lines = ["# Python: groundswell.lab", ""]
    for file in sorted((ROOT / "python/groundswell/lab").glob("[!_]*.py")):
        tree = ast.parse(file.read_text())
        lines += [f"## groundswell.lab.{file.stem}", "", prose(ast.get_docstring(tree) or ""), ""]
        for node in tree.body:
            inner = [(4, one) for one in node.body] if isinstance(node, ast.ClassDef) else []
            for level, one in [(3, node), *inner]:
                name = getattr(one, "name", "_")
                if name[0] != "_" != node.name[0] and ast.get_docstring(one):
                    head = [f"{'#' * level} {name}", "", "```python", signature(one), "```", ""]
                    lines += [*head, prose(ast.get_docstring(one)), ""]
    return lines


def main():
    folder = pathlib.Path(sys.argv[1], "docs/reference/api")
    folder.mkdir(parents=True)
    pages = {"python": python_page(), **{name: header_page(name, title) for name, title in MODULES.items()}}
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n")


main()
