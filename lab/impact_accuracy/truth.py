"""Definitions of Python modules and who names them, by Python's own ast and symtable.

Prints JSON: definitions (functions, classes and variables of modules) and references (a name, an imported
name, an attribute of an imported module, or a parameter that pytest gives a fixture, which leads to one of
them). Nothing is imported or run.
"""

import ast
import json
import os
import subprocess
import sys


def list_files(root):
    """The Python files that git knows."""
    out = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "*.py"], capture_output=True, check=True
    ).stdout
    return sorted(path for path in out.decode().split("\0") if path)


def to_modules(paths):
    """Dotted names of modules, by every folder that can be the root of imports."""
    packages = {os.path.dirname(p) for p in paths if p.endswith("/__init__.py")}
    names = {}
    for path in paths:
        folder = os.path.dirname(path)
        parts = [os.path.basename(path)[:-3]]
        while any(folder == p or folder.startswith(p + "/") for p in packages):
            parts.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        if parts[-1] == "__init__":
            parts.pop()
        if parts:
            names.setdefault(".".join(parts), path)
    return names


class Module:
    """One file: what it defines, what it imports, and its tree."""

    def __init__(self, path, tree):
        self.path = path
        self.tree = tree
        self.defines = {}
        self.imports = {}
        self.stars = []


def read_module(path, text, own_name):
    module = Module(path, ast.parse(text))
    package = own_name if path.endswith("__init__.py") else own_name.rpartition(".")[0]

    def absolute(node):
        if node.level == 0:
            return node.module or ""
        base = package.split(".") if package else []
        base = base[: len(base) - (node.level - 1)]
        return ".".join(base + ([node.module] if node.module else []))

    def visit(body):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                module.defines.setdefault(node.name, node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                            module.defines.setdefault(name.id, name)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for part in ("body", "orelse", "finalbody"):
                    visit(getattr(node, part, []))
                for handler in getattr(node, "handlers", []):
                    visit(handler.body)

    visit(module.tree.body)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            source = absolute(node)
            for alias in node.names:
                if alias.name == "*":
                    module.stars.append(source)
                else:
                    name = alias.asname or alias.name
                    module.imports.setdefault(name, []).append((source, alias.name))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    module.imports.setdefault(alias.asname, []).append((alias.name, None))
                else:
                    top = alias.name.split(".")[0]
                    module.imports.setdefault(top, []).append((top, None))
    return module


class Project:
    def __init__(self, root):
        paths = list_files(root)
        self.names = to_modules(paths)
        self.modules = {}
        by_path = {path: name for name, path in self.names.items()}
        for path in paths:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
            try:
                self.modules[path] = read_module(path, text, by_path.get(path, ""))
            except SyntaxError:
                pass

    def module(self, name):
        path = self.names.get(name)
        return self.modules.get(path) if path else None

    def find(self, module, name, steps=0):
        """The definition ('def', path, name) or module ('mod', name) that a name of a module means."""
        if steps > 8 or module is None:
            return None
        if name in module.defines:
            return ("def", module.path, name)
        for source, original in module.imports.get(name, []):
            found = self.follow(source, original, steps + 1)
            if found:
                return found
        for source in module.stars:
            found = self.find(self.module(source), name, steps + 1)
            if found:
                return found
        return None

    def follow(self, source, original, steps=0):
        if original is None:
            return ("mod", source) if source in self.names else None
        found = self.find(self.module(source), original, steps)
        if found:
            return found
        inner = f"{source}.{original}" if source else original
        return ("mod", inner) if inner in self.names else None


def is_fixture(node):
    """Whether pytest gives what a function answers with to the parameters of its name."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    for decorator in node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        if getattr(callee, "attr", getattr(callee, "id", "")) in ("fixture", "yield_fixture"):
            return True
    return False


def fixture_named(project, module, name, asking):
    """The fixture that a parameter gets: of the file, else of the nearest conftest.py upwards."""
    places = [module.path]
    folder = os.path.dirname(module.path)
    while True:
        places.append(os.path.join(folder, "conftest.py"))
        if folder == "":
            break
        folder = os.path.dirname(folder)
    for place in places:
        found = project.find(project.modules.get(place), name)
        if found and found[0] == "def":
            node = project.modules[found[1]].defines[found[2]]
            if is_fixture(node) and node is not asking:
                return found
    return None


def locals_of(function):
    """Names that a function binds itself."""
    bound = set()
    free = set()
    args = function.args
    for arg in args.posonlyargs + args.args + args.kwonlyargs + [args.vararg, args.kwarg]:
        if arg:
            bound.add(arg.arg)
    body = function.body if isinstance(function.body, list) else [function.body]
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            free.update(node.names)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            bound.add(node.id)
        if isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        stack.extend(ast.iter_child_nodes(node))
    return bound - free


def local_imports(function):
    """Names that imports inside of a function bind: they lead on like those of the module."""
    found = {}
    for node in ast.walk(function):
        if isinstance(node, (ast.ImportFrom, ast.Import)):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = node
    return found


def collect(project):
    references = []

    def note(path, line, within, target):
        if target and target[0] == "def":
            references.append((path, line, within, target[1], target[2]))

    for path, module in project.modules.items():
        def resolve(node, scopes):
            if isinstance(node, ast.Name):
                for scope in reversed(scopes):
                    if node.id in scope:
                        return None
                return project.find(module, node.id)
            if isinstance(node, ast.Attribute):
                base = resolve(node.value, scopes)
                if base and base[0] == "mod":
                    found = project.find(project.module(base[1]), node.attr)
                    if found:
                        return found
                    inner = f"{base[1]}.{node.attr}"
                    return ("mod", inner) if inner in project.names else None
            return None

        def visit(node, scopes, within):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name != "*":
                        name = alias.asname or alias.name
                        for source, original in module.imports.get(name, []):
                            if original == alias.name:
                                note(path, node.lineno, within, project.follow(source, original))
                                break
                return
            if isinstance(node, (ast.Name, ast.Attribute)):
                note(path, node.lineno, within, resolve(node, scopes))
                if isinstance(node, ast.Attribute):
                    visit(node.value, scopes, within)
                return
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                own = within
                if within is None and not isinstance(node, ast.Lambda):
                    own = node.name if module.defines.get(node.name) is node else None
                if not isinstance(node, ast.Lambda):
                    for part in node.decorator_list + [node.returns]:
                        if part:
                            visit(part, scopes, own)
                for part in ast.walk(node.args):
                    if isinstance(part, ast.arg) and part.annotation:
                        visit(part.annotation, scopes, own)
                if is_fixture(node) or getattr(node, "name", "").startswith("test"):
                    for part in node.args.args + node.args.kwonlyargs:
                        found = fixture_named(project, module, part.arg, node)
                        note(path, part.lineno, own, found)
                for part in node.args.defaults + node.args.kw_defaults:
                    if part:
                        visit(part, scopes, own)
                inner = scopes + [locals_of(node) - set(local_imports(node))]
                body = node.body if isinstance(node.body, list) else [node.body]
                for part in body:
                    visit(part, inner, own)
                return
            if isinstance(node, ast.ClassDef):
                own = within
                if within is None:
                    own = node.name if module.defines.get(node.name) is node else None
                for part in node.decorator_list + node.bases + [k.value for k in node.keywords]:
                    visit(part, scopes, own)
                for part in node.body:
                    # Who calls a method is not known to ast; who makes an object names the class.
                    is_method = isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
                    is_followed = not is_method or part.name == "__init__" or own is None
                    visit(part, scopes, own if is_followed else f"{own}.{part.name}")
                return
            own = within
            if within is None and isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                first = targets[0]
                if isinstance(first, ast.Name) and module.defines.get(first.id) is first:
                    own = first.id
            for child in ast.iter_child_nodes(node):
                visit(child, scopes, own)

        for node in module.tree.body:
            visit(node, [], None)
    return references


def main():
    project = Project(sys.argv[1])
    definitions = []
    for path, module in project.modules.items():
        for name, node in module.defines.items():
            kind = type(node).__name__
            definitions.append(
                {
                    "id": f"{path}#{name}",
                    "path": path,
                    "line": node.lineno,
                    "name": name,
                    "kind": "variable" if kind == "Name" else kind.replace("Def", "").lower(),
                }
            )
    references = [
        {
            "path": path,
            "line": line,
            "within": None if within is None else f"{path}#{within}",
            "to": f"{target}#{name}",
        }
        for path, line, within, target, name in collect(project)
    ]
    json.dump({"definitions": definitions, "references": references}, sys.stdout)


main()
