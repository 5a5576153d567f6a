"""site_navigation.py PAGES: the settings of MkDocs for the pages in this folder, on standard output. Sections are those of docs/README.md."""

import json
import pathlib
import re
import sys


def title_of(page):
    return re.search(r"^# (.*)$", page.read_text(), re.M)[1].replace("`", "")


def main():
    pages = pathlib.Path(sys.argv[1])
    tree = [{"Groundswell": "README.md"}, {"The manual": "docs/README.md"}]
    folders = {
        "Tutorials": "docs/tutorials",
        "How to": "docs/how-to",
        "Reference": "docs/reference",
        "Explanation": "docs/explanation",
        "Evaluation": "docs/evaluation",
        "Validation": "docs/validation",
        "Cases": "cases",
    }
    for name, folder in folders.items():
        files = sorted((pages / folder).rglob("*.md"))
        if name == "Explanation":
            files.append(pages / "docs/design.md")
        tree.append({name: [{title_of(file): str(file.relative_to(pages))} for file in files]})
    tree.append({"Changes": "CHANGELOG.md"})
    settings = {
        "site_name": "Groundswell",
        "docs_dir": str(pages.resolve()),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "palette": {"primary": "blue grey", "accent": "cyan"},
            "features": ["navigation.tabs", "navigation.top", "content.code.copy", "search.highlight"],
        },
        "plugins": ["search", "offline"],
        "markdown_extensions": [
            "tables",
            "pymdownx.highlight",
            "pymdownx.superfences",
            {"toc": {"permalink": True}},
        ],
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "unrecognized_links": "info"}},
        "nav": tree,
    }
    json.dump(settings, sys.stdout, indent=1)  # YAML as well


main()
