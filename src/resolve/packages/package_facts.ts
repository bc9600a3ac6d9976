/**
 * What the manifests of a repository say of packages: which ones it gives to others, and which of others it uses. Only
 * texts are read, nothing is run. Pure.
 */
import type {
  ManifestFacts,
  PackageFacts,
  PackageFamily,
  ProvidedPackage,
  UsedPackage,
} from "./package_links.ts";
import { dirname, join } from "node:path/posix";
import { asRecord } from "../../base/text/json_record.ts";
import { parseJsonc } from "../../base/text/jsonc.ts";

/** Parts of a `pom.xml` that name other artifacts than its own. */
const POM_ASIDE = [
  "dependencies",
  "dependencyManagement",
  "build",
  "profiles",
  "reporting",
  "modules",
];

/** What a `pom.xml` says. */
export function readPom(text: string): ManifestFacts {
  const plain = text.replace(/<!--[^]*?-->/g, "");
  const used = [...plain.matchAll(/<dependency>([^]*?)<\/dependency>/g)].flatMap(
    ([, body = ""]) => {
      const [group, artifact] = [readTag(body, "groupId"), readTag(body, "artifactId")];
      return group === undefined || artifact === undefined ? [] : [`${group}:${artifact}`];
    },
  );
  const head = POM_ASIDE.reduce(
    (rest, tag) => splitBetween(rest, `<${tag}>`, `</${tag}>`).outside,
    plain,
  );
  const { inside: [parent = ""], outside: own } = splitBetween(head, "<parent>", "</parent>");
  const artifact = readTag(own, "artifactId");
  const group = readTag(own, "groupId") ?? readTag(parent, "groupId");
  // The group of the project itself stands for the one that is written in full.
  const full = used.map((name) =>
    name.replace(/^\$\{(?:project|pom)\.groupId\}:/, `${group ?? ""}:`)
  );
  return {
    given: artifact === undefined || group === undefined ? [] : [`${group}:${artifact}`],
    used: listUsed(full),
  };
}

/** What a build file or a catalogue of versions of Gradle says. */
export function readGradle(text: string): ManifestFacts {
  const plain = splitBetween(text, "/*", "*/").outside.replace(/(^|\s)\/\/.*$/gm, "$1");
  const pairs = [
    ...plain.matchAll(/["']([\w.-]+):([\w.-]+)(?::[^"']*)?["']/g),
    ...plain.matchAll(/\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']/g),
  ];
  return { used: listUsed(pairs.map(([, group, artifact]) => `${group}:${artifact}`)) };
}

/** The parts of a text between two marks, and all the rest; what is never closed is passed over to the end. */
function splitBetween(
  text: string,
  open: string,
  close: string,
): { readonly inside: readonly string[]; readonly outside: string } {
  const inside: string[] = [];
  let outside = "";
  let at = 0;
  for (let from = text.indexOf(open); from >= 0; from = text.indexOf(open, at)) {
    const end = text.indexOf(close, from + open.length);
    outside += text.slice(at, from);
    at = end < 0 ? text.length : end + close.length;
    inside.push(text.slice(from + open.length, end < 0 ? text.length : end));
  }
  return { inside, outside: outside + text.slice(at) };
}

function listUsed(names: readonly string[]): NonNullable<ManifestFacts["used"]> {
  return [...new Set(names)].map((name) => ({ alias: name, name }));
}

function readTag(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>\\s*([^<\\s]+)\\s*</${tag}>`).exec(text)?.[1];
}

/** The name of a distribution as indexes compare it: lower case, with one hyphen for each run of `-`, `_` and `.`. */
export function normalizeDistribution(name: string): string {
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
  const names = [...quoted, ...keyed].map(([, name = ""]) => normalizeDistribution(name));
  const given = own === undefined ? [] : [normalizeDistribution(own)];
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
  ].map(([, name = ""]) => normalizeDistribution(name));
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

type Reader = (text: string, path: string) => ManifestFacts;

const READERS: readonly (readonly [pattern: RegExp, family: PackageFamily, read: Reader])[] = [
  [/(?:^|\/)package\.json$/, "script", readNpm],
  [/(?:^|\/)deno\.jsonc?$/, "script", readDeno],
  [/(?:^|\/)go\.mod$/, "go", readGoMod],
  [/(?:^|\/)Cargo\.toml$/, "rust", readCargo],
  [/(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/, "python", readPyproject],
  [/(?:^|\/)requirements[^/]*\.(?:txt|in)$/, "python", readRequirements],
  [/(?:^|\/)pom\.xml$/, "jvm", readPom],
  [/(?:^|\/)(?:build\.gradle|build\.gradle\.kts|libs\.versions\.toml)$/, "jvm", readGradle],
];

/** Manifests of tests and samples say nothing of the repository itself. */
const ASIDE = /(?:^|\/)(?:node_modules|vendor|third_party|testdata|fixtures?|__fixtures__)\//;

/** Whether the text of a file is one that {@link readPackageFacts} reads. */
export function isManifest(path: string): boolean {
  return !ASIDE.test(path) &&
    (READERS.some(([pattern]) => pattern.test(path)) ||
      /(?:^|\/)(?:gradle\.properties|settings\.gradle(?:\.kts)?)$/.test(path));
}

/**
 * Reads the manifests of a repository.
 *
 * @param texts the manifests by path.
 * @param paths all files, by which a distribution of Python is known to its importers.
 */
export function readPackageFacts(
  texts: ReadonlyMap<string, string>,
  paths: readonly string[],
): PackageFacts {
  const given = new Map<string, ProvidedPackage>();
  const used: UsedPackage[] = [];
  const declaring = new Set<PackageFamily>();
  for (const [path, text] of texts) {
    for (const [pattern, family, read] of READERS) {
      if (!pattern.test(path)) continue;
      const facts = read(text, path);
      declaring.add(family);
      for (const name of facts.given ?? []) {
        const folder = dirname(path);
        given.set(`${family}\0${name}`, { family, name, folder });
      }
      for (const one of facts.used ?? []) used.push({ family, ...one });
    }
  }
  for (const [folder, name] of findGradleArtifacts(texts)) {
    given.set(`jvm\0${name}`, { family: "jvm", name, folder });
  }
  const all = [...given.values()].map((one): ProvidedPackage =>
    one.family === "python" ? { ...one, imports: listImportNames(one.folder, paths) } : one
  );
  return { given: all, used, declaring };
}

/** Artifacts of Gradle have the name of the root project or of their folder, and a group that a file says somewhere. */
function findGradleArtifacts(texts: ReadonlyMap<string, string>): readonly [string, string][] {
  const groupOf = (text: string | undefined) =>
    /^\s*group\s*=?\s*["']([\w.-]+)["']\s*$/m.exec(text ?? "")?.[1];
  const propertyOf = (text: string | undefined) =>
    /^\s*(?:group|GROUP)\s*=\s*([\w.-]+)\s*$/m.exec(text ?? "")?.[1];
  const builds = [...texts].filter(([path]) => /(?:^|\/)build\.gradle(?:\.kts)?$/.test(path));
  return builds.flatMap(([path, text]): [string, string][] => {
    const folder = dirname(path);
    const rootText = (name: string) => texts.get(name) ?? texts.get(`${name}.kts`);
    const group = groupOf(text) ?? propertyOf(texts.get(join(folder, "gradle.properties"))) ??
      groupOf(rootText("build.gradle")) ?? propertyOf(texts.get("gradle.properties"));
    const own = folder.slice(folder.lastIndexOf("/") + 1);
    const name = folder === "."
      ? /rootProject\.name\s*=\s*["']([\w.-]+)["']/.exec(rootText("settings.gradle") ?? "")?.[1]
      : own;
    return group === undefined || name === undefined ? [] : [[folder, `${group}:${name}`]];
  });
}

function readNpm(text: string, path: string): ManifestFacts {
  const json = readJson(text);
  const { name } = json;
  const tables = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  const used = tables.flatMap((key) => Object.entries(asRecord(json[key])))
    .map(([alias, version]) => {
      const text = String(version);
      const renamed = /^npm:(@?[^@]+)/.exec(text)?.[1];
      const local = /^(?:file|link|portal):(.+)$/.exec(text)?.[1];
      return { alias, name: renamed ?? alias, ...buildLocal(local, path) };
    });
  return { given: typeof name === "string" && name !== "" ? [name] : [], used };
}

/** Packages of npm that a program of Deno names in its table of imports. */
function readDeno(text: string): ManifestFacts {
  const used = Object.entries(asRecord(readJson(text)["imports"])).flatMap(([alias, value]) => {
    const name = /^npm:\/?(@?[^@]+?)(?:@[^/]*)?\/?$/.exec(String(value))?.[1];
    return name === undefined ? [] : [{ alias: alias.replace(/\/$/, ""), name }];
  });
  return { used };
}

function readGoMod(text: string, path: string): ManifestFacts {
  const lines = text.replace(/\/\/.*$/gm, "").split("\n").map((line) => line.trim());
  const given = lines.flatMap((line) => /^module\s+"?([^\s"]+)/.exec(line)?.[1] ?? []);
  const replaced = new Map<string, string>();
  const required: string[] = [];
  let block = "";
  for (const line of lines) {
    const [, opened] = /^(\w+)\s*\($/.exec(line) ?? [];
    if (opened !== undefined || line === ")") block = opened ?? "";
    const [, word = block, rest = line] = /^(require|replace)\s+(.+)$/.exec(line) ?? [];
    const [from, , to] = /^(\S+)(\s+v\S+)?\s*=>\s*(\S+)/.exec(rest)?.slice(1) ?? [];
    if (word === "replace" && from !== undefined && to !== undefined) replaced.set(from, to);
    const [, name] = /^(\S+)\s+v\S+/.exec(rest) ?? [];
    if (word === "require" && name !== undefined) required.push(name);
  }
  const used = [...new Set([...required, ...replaced.keys()])].map((alias) => {
    const to = replaced.get(alias);
    const isLocal = to !== undefined && /^\.{0,2}\//.test(to);
    return {
      alias,
      name: isLocal ? alias : to ?? alias,
      ...buildLocal(isLocal ? to : undefined, path),
    };
  });
  return { given, used };
}

function readCargo(text: string, path: string): ManifestFacts {
  const given: string[] = [];
  const used: Omit<UsedPackage, "family">[] = [];
  let section = "";
  for (const line of text.split("\n")) {
    const head = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1];
    if (head !== undefined) section = head.trim();
    const own = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/.exec(section)?.[1];
    if (head !== undefined && own !== undefined) used.push({ alias: own, name: own });
    const [, key, value = ""] = /^\s*"?([\w-]+)"?(?:\.\w+)?\s*=\s*(.+)$/.exec(line) ?? [];
    if (key === undefined || head !== undefined) continue;
    const quoted = /^"([^"]+)"/.exec(value)?.[1];
    if (section === "package" && key === "name" && quoted !== undefined) given.push(quoted);
    if (own !== undefined) {
      const last = used.pop();
      if (last === undefined) continue;
      const isPath = key === "path" && quoted !== undefined;
      const renamed = key === "package" ? quoted : undefined;
      used.push({ ...last, name: renamed ?? last.name, ...isPath ? buildLocal(quoted, path) : {} });
    } else if (/(?:^|\.)(?:dev-|build-)?dependencies$/.test(section)) {
      const renamed = /\bpackage\s*=\s*"([^"]+)"/.exec(value)?.[1];
      const local = /\bpath\s*=\s*"([^"]+)"/.exec(value)?.[1];
      used.push({ alias: key, name: renamed ?? key, ...buildLocal(local, path) });
    }
  }
  return { given, used };
}

function buildLocal(
  local: string | undefined,
  manifest: string,
): Pick<UsedPackage, "local"> {
  return local === undefined
    ? {}
    : { local: local.startsWith("/") ? local : join(dirname(manifest), local) };
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  const result = parseJsonc(text);
  return result.kind === "value" ? asRecord(result.value) : {};
}
