/**
 * Everything that lies in an executable and was made by others: the runtime, the packages that `deno.lock`
 * names, the grammars and the model. Read from the lock file, the installed packages and the vendored lists.
 */
import { join } from "node:path";
import { COMPILER_VERSION } from "../compile/runtime.ts";
import { fileURLToPath } from "node:url";

const RULE = "=".repeat(80);

/** The whole of `THIRD_PARTY_LICENSES`. */
export async function renderLicenses(repository: string): Promise<string> {
  const read = (path: string) => Deno.readTextFile(join(repository, path));
  const components = [
    ...await listRuntime(COMPILER_VERSION),
    ...await listPackages(repository),
  ];
  const rows = components.map(({ name, version, licence }) =>
    `  ${name.padEnd(30)} ${version.padEnd(18)} ${licence}`
  );
  return [
    "code-intel: what it contains of others, and under which licences.",
    "Made by `deno task licenses`; `code-intel licenses` prints it.",
    "",
    "Runtime and packages",
    ...rows,
    "",
    "Grammars: wasm/manifest.json names the package and version of each; the texts are at the end.",
    "Embedding model: multilingual-e5-small, below.",
    ...toTexts(components),
    ...toSection("Embedding model", [
      await read("models/licenses/NOTICE.md"),
      await read("models/licenses/LICENSE.microsoft-unilm-e5"),
    ]),
    ...toSection("Grammars", [await read("wasm/LICENSES.md")]),
  ].join("\n") + "\n";
}

/** Texts that are the same are there once, with all their names. */
function toTexts(components: readonly Component[]): readonly string[] {
  const groups = Map.groupBy(components, ({ text, note }) => text ?? note ?? "");
  return [...groups.values()].flatMap((group) => {
    const title = group.map(({ name, version }) => `${name} ${version}`).join(", ");
    const notes = group.flatMap(({ note }) => note === null ? [] : [note]);
    const text = group[0]?.text ?? null;
    return toSection(title, [...notes, ...(text === null ? [] : [text])]);
  });
}

function toSection(title: string, parts: readonly string[]): readonly string[] {
  const texts = parts.map((part) => part.replaceAll("\r\n", "\n").trimEnd());
  return ["", RULE, title, RULE, "", texts.join("\n\n")];
}

/** A thing inside, with its licence. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Null where no text travels with it; then `note` says what is known. */
  readonly text: string | null;
  readonly note: string | null;
}

interface Package {
  readonly dependencies?: readonly string[];
}

interface Lock {
  readonly npm: Readonly<Record<string, Package>>;
}

/** Packages that tests alone use, or that hold types only. */
const NOT_INSIDE =
  /^(?:@modelcontextprotocol\/client|axe-core|typescript|@types\/.+|undici-types)$/;

const TEXTS = fileURLToPath(new URL("texts", import.meta.url));

/** Packages that ship no licence text, with the file that has it. */
const TEXT_FILES: Readonly<Record<string, string>> = {
  "onnxruntime-web": "models/licenses/LICENSE.onnxruntime",
  "onnxruntime-common": "models/licenses/LICENSE.onnxruntime",
  "sqlite-vec": "tools/licenses/texts/sqlite-vec.txt",
};

/** What is to be said beside the text. */
const NOTES: Readonly<Record<string, string>> = {
  "guid-typescript": "The package declares ISC and ships no text; its author is named as nicolas.",
  "onnxruntime-web":
    "Its WebAssembly links libraries that ThirdPartyNotices.txt of the onnxruntime repository lists.",
  "sqlite-vec": "Used under the MIT licence; the builds for each system are of the same source.",
};

/** The packages of npm that are inside, by name. */
export async function listPackages(repository: string): Promise<readonly Component[]> {
  const lock: Lock = JSON.parse(await Deno.readTextFile(join(repository, "deno.lock")));
  const { imports } = JSON.parse(await Deno.readTextFile(join(repository, "deno.json")));
  const roots = Object.values<string>(imports).map((target) =>
    /^npm:(@?[^@]+)@/.exec(target)?.[1] ?? target
  );
  const names = [...toClosure(roots, lock)].sort();
  return await Promise.all(names.map((name) => readPackage(repository, name, lock)));
}

/** The packages and all that they need, without those that stay outside. */
function toClosure(roots: readonly string[], lock: Lock): ReadonlySet<string> {
  const found = new Set(roots.filter((name) => !NOT_INSIDE.test(name)));
  for (const name of found) {
    for (const dependency of lock.npm[toKey(name, lock)]?.dependencies ?? []) {
      const [bare = ""] = /^@?[^@]+/.exec(dependency) ?? [];
      if (!NOT_INSIDE.test(bare)) found.add(bare);
    }
  }
  return found;
}

/** The name with its version, as the lock file has it. */
function toKey(name: string, lock: Lock): string {
  const key = Object.keys(lock.npm).find((one) => one.slice(0, one.indexOf("@", 1)) === name);
  if (key === undefined) throw new Error(`deno.lock does not name ${name}`);
  return key;
}

async function readPackage(repository: string, name: string, lock: Lock): Promise<Component> {
  // Behind the version stand the peers that it was resolved with: `3.14.0_pg@8.23.1`.
  const [version = ""] = toKey(name, lock).slice(name.length + 1).split("_");
  const [packages = ""] = fileURLToPath(import.meta.resolve("sqlite-vec")).split(
    /[\\/]sqlite-vec[\\/]/,
  );
  const folder = join(packages, ...name.split("/"), version);
  const { license } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
  const own = TEXT_FILES[name];
  const text = own === undefined
    ? await readFirst(folder, ["LICENSE", "LICENSE.md", "LICENSE.txt"])
    : await Deno.readTextFile(join(repository, own));
  return { name, version, licence: String(license), text, note: NOTES[name] ?? null };
}

async function readFirst(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const text = await Deno.readTextFile(join(folder, name)).catch(() => null);
    if (text !== null) return text;
  }
  return null;
}

/** The runtime that the executable is made of. */
export async function listRuntime(compilerVersion: string): Promise<readonly Component[]> {
  const read = (name: string) => Deno.readTextFile(join(TEXTS, name));
  return [
    {
      name: "Deno",
      version: compilerVersion,
      licence: "MIT",
      text: await read("deno.txt"),
      note: "It links Rust crates; Cargo.lock of this version of Deno names them.",
    },
    {
      name: "V8",
      version: `of Deno ${compilerVersion}`,
      licence: "BSD-3-Clause",
      text: await read("v8.txt"),
      note: "The LICENSE of V8 names parts of others: dtoa (MIT), Strongtalk assembler (BSD).",
    },
    {
      name: "SQLite",
      version: `of Deno ${compilerVersion}`,
      licence: "public domain",
      text: null,
      note: "Its authors have given it to the public domain.",
    },
  ];
}
