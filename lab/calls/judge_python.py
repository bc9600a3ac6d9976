"""The calls of Python modules, without those of tests, as the type inference of jedi resolves them. Prints JSON."""

import ast
import json
import os
import re
import subprocess
import sys

import jedi

TEST = re.compile(r"(?:^|/)(?:tests?|docs)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")


def list_files(root):
    """The Python files that git knows and that are no tests."""
    out = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "*.py"], capture_output=True, check=True
    ).stdout
    return sorted(path for path in out.decode().split("\0") if path and not TEST.search(path))


def to_name(call):
    """The node that is called and where its name stands; None for what has no name."""
    node = call.func
    if isinstance(node, ast.Name):
        return node.id, node.lineno, node.col_offset
    if isinstance(node, ast.Attribute):
        return node.attr, node.end_lineno, node.end_col_offset - len(node.attr.encode())
    return None


def to_overloads(tree):
    """The lines of functions by their name, where several of one body share it."""
    found = {}
    for node in ast.walk(tree):
        same = {}
        for part in getattr(node, "body", []) if isinstance(getattr(node, "body", None), list) else []:
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                same.setdefault(part.name, []).append(part.lineno)
        for lines in same.values():
            for line in lines:
                found[line] = lines
    return found


def to_declaration(found, root):
    """Where the class declares the attribute that one of its methods sets: `name: type` in its body."""
    path = str(found.module_path or "")
    if not path.startswith(root + "/") or "." not in (found.get_line_code() or "").split("=")[0].split(":")[0]:
        return []
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    return [
        {"path": os.path.relpath(path, root), "line": part.lineno}
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.lineno <= found.line <= node.end_lineno
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id == found.name
    ]


def judge(script, root, line, column):
    """The kind of a call and its targets."""
    try:
        found = script.goto(line, column, follow_imports=True)
    except Exception:
        return "unknown", []
    if not found:
        return "unknown", []
    if all(one.type in ("param", "instance") for one in found):
        return "value", []
    if all(one.type == "statement" and one.parent().type == "function" for one in found):
        places = [place for one in found for place in to_declaration(one, root)]
        return ("declared", places) if places else ("value", [])
    own = [one for one in found if one.module_path and str(one.module_path).startswith(root + "/") and one.line]
    own = [one for one in own if one.type in ("function", "class", "statement", "property")]
    if not own:
        return "outside", []
    places = [{"path": os.path.relpath(one.module_path, root), "line": one.line} for one in own]
    kind = "body" if any(one.type in ("function", "class") for one in own) else "declared"
    return kind, places


def main():
    root = os.path.realpath(sys.argv[1])
    roots = [os.path.join(root, "src")] if os.path.isdir(os.path.join(root, "src")) else []
    project = jedi.Project(root, added_sys_path=roots, smart_sys_path=True)
    files, sites, overloads = list_files(root), [], {}
    for path in files:
        whole = os.path.join(root, path)
        with open(whole, encoding="utf-8") as file:
            text = file.read()
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        lines = text.split("\n")
        overloads[path] = to_overloads(tree)
        script = jedi.Script(text, path=whole, project=project)
        for node in ast.walk(tree):
            for part in getattr(node, "decorator_list", []):
                if isinstance(part, ast.Name):
                    sites.append(
                        {"path": path, "line": part.lineno, "column": 1, "name": part.id, "kind": "unknown", "targets": []}
                    )
            if not isinstance(node, ast.Call):
                continue
            named = to_name(node)
            if named is None:
                continue
            name, line, offset = named
            column = len(lines[line - 1].encode()[:offset].decode())
            kind, targets = judge(script, root, line, column)
            sites.append(
                {"path": path, "line": line, "column": column + 1, "name": name, "kind": kind, "targets": targets}
            )
    for site in sites:
        site["targets"] = [
            {"path": one["path"], "line": line}
            for one in site["targets"]
            for line in overloads.get(one["path"], {}).get(one["line"], [one["line"]])
        ]
    json.dump({"judge": f"jedi {jedi.__version__}", "files": files, "sites": sites}, sys.stdout)


main()
