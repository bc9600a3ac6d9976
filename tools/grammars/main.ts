/**
 * Vendors the grammars: fetches their packages with npm, checks them, and writes `wasm/`. Without words it takes those whose
 * row differs from the manifest, with names those, with `--all` each; the others stay as they are. With `--check` it only
 * compares what lies there with the manifest.
 */
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { runProcess } from "../../src/base/processes/process.ts";
import { endWrongUse, parseWords } from "../task.ts";
import type { Entry } from "./manifest.ts";
import { findDifferences, isFrom, readManifest, toSha256, WASM_FOLDER } from "./manifest.ts";
import type { Source } from "./sources.ts";
import { SOURCES } from "./sources.ts";

const USAGE = "deno task grammars [NAME...] [--all] [--check]";

const say = (line: string) => Deno.stdout.write(new TextEncoder().encode(`${line}\n`));

const { values, positionals } = parseWords(USAGE, {
  args: Deno.args,
  allowPositionals: true,
  options: { all: { type: "boolean" }, check: { type: "boolean" } },
});
const unknown = positionals.find((name) => !SOURCES.some((source) => source.name === name));
if (unknown !== undefined) endWrongUse(`tools/grammars/sources.ts has no ${unknown}`, USAGE);

if (values.check === true) {
  const differences = await findDifferences();
  for (const difference of differences) await say(difference);
  if (differences.length > 0) Deno.exit(1);
} else {
  const temp = await Deno.makeTempDir();
  try {
    await refresh(temp);
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
}

async function refresh(temp: string): Promise<void> {
  const known = new Map((await readManifest()).map((entry) => [entry.name, entry]));
  const licences = await readLicences();
  const wanted = SOURCES.filter((source) => {
    const entry = known.get(source.name);
    if (positionals.length > 0) return positionals.includes(source.name);
    return values.all === true || entry === undefined || !isFrom(entry, source);
  });
  const folders = new Map<string, Promise<string>>();
  const fetch = (spec: string) => {
    const folder = folders.get(spec) ?? unpack(temp, spec);
    folders.set(spec, folder);
    return folder;
  };
  for (const [at, source] of wanted.entries()) {
    const spec = `${source.package}@${source.version}`;
    await say(`${at + 1} of ${wanted.length}: ${source.name} from ${spec}`);
    known.set(source.name, await vendor(source, await fetch(spec)));
    licences.set(source.name, await readLicence(await fetch(source.licenceFrom ?? spec)));
  }
  const files = SOURCES.flatMap(({ name }) => known.get(name) ?? []);
  const entries = `${JSON.stringify({ format: 1, files }, null, 2)}\n`;
  await Deno.writeTextFile(join(WASM_FOLDER, "manifest.json"), entries);
  await Deno.writeTextFile(join(WASM_FOLDER, "LICENSES.md"), renderLicences(licences));
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const stored = files.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  await say(`${files.length} files, ${total} bytes, compressed ${stored} bytes`);
}

/** Fetches one package and takes it apart; the client checks the hash that the registry states. */
async function unpack(temp: string, spec: string): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: temp });
  const run = async (command: string, args: readonly string[]) => {
    const { code, stderr, stdout } = await runProcess(command, args, { cwd: folder });
    if (code !== 0) throw new Error(`${command} failed for ${spec}: ${stderr}`);
    return new TextDecoder().decode(stdout).trim();
  };
  const archive = await run("npm", ["pack", "--silent", "--ignore-scripts", spec]);
  await run("tar", ["xzf", archive]);
  return join(folder, "package");
}

async function vendor(source: Source, folder: string): Promise<Entry> {
  const stated = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
  if (stated.version !== source.version) throw new Error(`${source.package}: ${stated.version}`);
  if (source.licenceFrom === undefined && stated.license !== source.licence) {
    throw new Error(`${source.package} has the licence ${stated.license}`);
  }
  const bytes = await Deno.readFile(join(folder, source.inside));
  await WebAssembly.compile(bytes);
  // Uncompressed, the tables of the parsers would be thirty times as large in the program and in git.
  const stored = brotliCompressSync(bytes);
  const file = `${source.name}.wasm.br`;
  await Deno.writeFile(join(WASM_FOLDER, file), stored);
  return {
    ...source,
    file,
    sha256: toSha256(bytes),
    sizeBytes: bytes.length,
    storedSha256: toSha256(stored),
    storedBytes: stored.length,
  };
}

/** One section a text, so that the same licence of several packages is there once. */
function renderLicences(licences: ReadonlyMap<string, string>): string {
  const named = SOURCES.filter(({ name }) => licences.has(name));
  const sections = [...Map.groupBy(named, ({ name }) => licences.get(name))]
    .map(([text, own]) =>
      `## ${own.map(({ name }) => name).join(", ")}\n\n\`\`\`text\n${text}\n\`\`\`\n`
    );
  return `# Licences of the vendored files\n\n${sections.join("\n")}`;
}

/** The texts as they lie in the folder, by the name of their grammar. */
async function readLicences(): Promise<Map<string, string>> {
  const page = await Deno.readTextFile(join(WASM_FOLDER, "LICENSES.md"));
  const sections = page.matchAll(/^## (.+)\n\n```text\n([\s\S]*?)\n```$/gm);
  return new Map(
    [...sections].flatMap(([, names = "", text = ""]) =>
      names.split(", ").map((name) => [name, text] as const)
    ),
  );
}

async function readLicence(folder: string): Promise<string> {
  for await (const { name } of Deno.readDir(folder)) {
    if (/^licen[cs]e/i.test(name)) {
      const text = await Deno.readTextFile(join(folder, name));
      return text.replaceAll("\r\n", "\n").trim();
    }
  }
  throw new Error(`No licence text in ${folder}`);
}
