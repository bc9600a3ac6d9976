/**
 * Vendors the grammars: fetches their packages with npm, checks them, and writes `wasm/`. With
 * `--check` it only compares what lies there with the manifest.
 */
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { runProcess } from "../../src/base/processes/process.ts";
import type { Entry } from "./manifest.ts";
import { findDifferences, toSha256, WASM_FOLDER } from "./manifest.ts";
import type { Source } from "./sources.ts";
import { SOURCES } from "./sources.ts";

const say = (line: string) => Deno.stdout.write(new TextEncoder().encode(`${line}\n`));

if (Deno.args.includes("--check")) {
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
  const folders = new Map<string, string>();
  for (const source of SOURCES) {
    for (const spec of [`${source.package}@${source.version}`, source.licenceFrom]) {
      if (spec !== undefined && !folders.has(spec)) folders.set(spec, await unpack(temp, spec));
    }
  }
  await Deno.mkdir(WASM_FOLDER, { recursive: true });
  const files: Entry[] = [];
  for (const source of SOURCES) files.push(await vendor(source, toFolder(folders, source)));
  const entries = `${JSON.stringify({ format: 1, files }, null, 2)}\n`;
  await Deno.writeTextFile(join(WASM_FOLDER, "manifest.json"), entries);
  await Deno.writeTextFile(join(WASM_FOLDER, "LICENSES.md"), await renderLicences(folders));
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const stored = files.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  await say(`${files.length} files, ${total} bytes, compressed ${stored} bytes`);
}

function toFolder(folders: ReadonlyMap<string, string>, source: Source): string {
  const folder = folders.get(`${source.package}@${source.version}`);
  if (folder === undefined) throw new Error(`${source.package} was not fetched`);
  return folder;
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
async function renderLicences(folders: ReadonlyMap<string, string>): Promise<string> {
  const texts = new Map<string, string[]>();
  for (const source of SOURCES) {
    const spec = source.licenceFrom ?? `${source.package}@${source.version}`;
    const text = await readLicence(folders.get(spec) ?? "");
    texts.set(text, [...texts.get(text) ?? [], source.name]);
  }
  const sections = [...texts].map(([text, names]) =>
    `## ${names.join(", ")}\n\n\`\`\`text\n${text}\n\`\`\`\n`
  );
  return `# Licences of the vendored files\n\n${sections.join("\n")}`;
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
