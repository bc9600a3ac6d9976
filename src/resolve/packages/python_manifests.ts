/** What manifests of Python say of distributions, and by which modules a distribution is imported. Pure. */
import { dirname, join } from "node:path/posix";
import type { ManifestFacts } from "./package_types.ts";

/** The name of a distribution as indexes compare it: lower case, with one hyphen for each run of `-`, `_` and `.`. */
export function toDistribution(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** What `pyproject.toml`, `setup.py`, `setup.cfg` or a `Pipfile` says. */
export function readPyproject(text: string, path: string): ManifestFacts {
  const plain = dropComments(text);
  const isToml = /\.toml$|Pipfile$/.test(path);
  const section = (name: string) =>
    new RegExp(`^\\[${name}\\]([^]*?)(?=^\\[|(?![^]))`, "m").exec(plain)?.[1] ?? "";
  const own = isToml
    ? /^\s*name\s*=\s*["']([^"']+)["']/m.exec(section("project") + section("tool\\.poetry"))?.[1]
    : path.endsWith(".cfg")
    ? /^\s*name\s*=\s*([\w.-]+)\s*$/m.exec(section("metadata"))?.[1]
    : /\bname\s*=\s*["']([^"']+)["']/.exec(plain)?.[1];
  const quoted = [
    ...plain.matchAll(/["']([A-Za-z][\w.-]*)\s*(?:\[[^\]\n]*\])?\s*(?:[<>=!~;@(][^"']*)?["']/g),
  ];
  const keyed = !isToml ? [] : [
    ...plain.matchAll(/^\[([^\]\n]*(?:dependencies|packages)[^\]\n]*)\]([^]*?)(?=^\[|(?![^]))/gm),
  ]
    .flatMap(([, , body = ""]) => [...body.matchAll(/^\s*["']?([A-Za-z][\w.-]*)["']?\s*=/gm)]);
  const listed = path.endsWith(".cfg")
    ? readRequirements(section("options") + section("options\\.extras_require")).used ?? []
    : [];
  const names = [...quoted, ...keyed].map(([, name = ""]) => toDistribution(name));
  const given = own === undefined ? [] : [toDistribution(own)];
  const used = [...new Set(names)].filter((name) => !given.includes(name)).map((name) => ({
    alias: name,
    name,
  }));
  return { given, used: [...used, ...listed] };
}

/** What a list of requirements says, one a line. */
export function readRequirements(text: string): ManifestFacts {
  const names = [
    ...dropComments(text).matchAll(
      /^\s*(?:-e\s+)?([A-Za-z][\w.-]*)\s*(?:\[[^\]\n]*\])?\s*(?:[<>=!~;@].*)?$/gm,
    ),
  ].map(([, name = ""]) => toDistribution(name));
  return { used: [...new Set(names)].map((name) => ({ alias: name, name })) };
}

/** Folders in which the packages of a distribution lie. */
const ROOTS = ["", "src", "lib", "python"];
/** Modules beside a package that are no part of it. */
const BESIDE =
  /^(?:tests?|testing|docs?|examples?|benchmarks?|scripts|tools|setup|conftest|noxfile)$/;
/** Packages of a namespace lie that much deeper. */
const MAX_PARTS = 3;

/** The modules that a distribution brings: `acme_util`, or `acme.util` where `acme` is a namespace that many share. */
export function listImportNames(folder: string, paths: readonly string[]): readonly string[] {
  const known = new Set(paths);
  const bases = ROOTS.map((root) => join(folder, root)).map((base) =>
    base === "." ? "" : `${base}/`
  );
  const names = new Set<string>();
  for (const path of paths) {
    for (const base of bases) {
      if (!path.startsWith(base) || !path.endsWith(".py")) continue;
      const inner = path.slice(base.length);
      const parts = inner.slice(0, -3).split("/");
      if (BESIDE.test(parts[0] ?? "") || ROOTS.includes(parts[0] ?? "")) continue;
      if (parts.length === 1 && parts[0] !== "__init__") names.add(parts[0] ?? "");
      if (parts.at(-1) !== "__init__" || parts.length < 2 || parts.length > MAX_PARTS + 1) continue;
      const above = join(dirname(dirname(path)), "__init__.py");
      if (!known.has(above) || parts.length === 2) names.add(parts.slice(0, -1).join("."));
    }
  }
  return [...names];
}

function dropComments(text: string): string {
  return text.replace(/(^|\s)#.*$/gm, "$1");
}
