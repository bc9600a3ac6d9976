/**
 * Makes the wheel of a platform: the executable as a script of the package, which pip and uv put on the PATH of an
 * environment, and beside it the wheel of the embedding model. They hold no Python, so they serve every version of it.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { MODEL_FILES } from "../../src/embedding/model_files.ts";
import type { Origin } from "./facts.ts";
import { FACTS, MODEL_WHEEL } from "./facts.ts";
import type { Built } from "./npm.ts";
import type { ZipEntry } from "./zip.ts";
import { toZip } from "./zip.ts";

/** Where wheels are made, and from what. */
export interface WheelPlace {
  /** Absolute path of the repository. */
  readonly repository: string;
  /** Absolute path of the folder that gets the wheel. */
  readonly output: string;
  /** Null where the wheel is for trying only. */
  readonly origin: Origin | null;
}

/** What the wheel of a platform is made from: its executable, compiled without the model. */
export type WheelInput = Built & WheelPlace;

/** What a wheel says about itself, and what it puts where. */
interface WheelContent {
  readonly name: string;
  readonly version: string;
  readonly tag: string;
  readonly summary: string;
  /** Further lines of its head. */
  readonly fields: readonly string[];
  readonly description: string;
  /** Paths below its folder of data, whose first part says what becomes of them: `scripts` or `data`. */
  readonly data: readonly ZipEntry[];
}

/** Writes the wheel; returns its path. */
export async function writeWheel(input: WheelInput): Promise<string> {
  const { repository, platform, path, origin } = input;
  const readme = await Deno.readTextFile(join(repository, "README.md"));
  // The registry of MCP servers looks for this line in the description.
  const server = origin === null ? "" : `\n<!-- mcp-name: ${origin.serverName} -->\n`;
  return await write(input, {
    ...FACTS,
    tag: `py3-none-${platform.wheelTag}`,
    fields: [
      `Keywords: ${FACTS.keywords.join(",")}`,
      `Requires-Dist: ${MODEL_WHEEL.name}==${MODEL_WHEEL.version}`,
    ],
    description: `${readme}${server}`,
    data: [{
      path: `scripts/${platform.file}`,
      bytes: await Deno.readFile(path),
      isExecutable: true,
    }],
  });
}

/** Writes the wheel of the embedding model, which `program_files.ts` finds beside the executable; returns its path. */
export async function writeModelWheel(place: WheelPlace): Promise<string> {
  const names = Object.values(MODEL_FILES).map(({ name }) => `models/${name}`);
  return await write(place, {
    ...MODEL_WHEEL,
    tag: "py3-none-any",
    fields: [],
    description: `${MODEL_WHEEL.summary}. ${FACTS.name} installs it by itself.\n`,
    data: await Promise.all(names.map(async (name) => ({
      path: `data/share/${FACTS.name}/${name}`,
      bytes: await Deno.readFile(join(place.repository, name)),
    }))),
  });
}

async function write(
  { repository, output, origin }: WheelPlace,
  { name, version, tag, summary, fields, description, data }: WheelContent,
): Promise<string> {
  // Names of files in wheels have no hyphens.
  const stem = `${name.replaceAll("-", "_")}-${version}`;
  const info = `${stem}.dist-info`;
  const toText = (path: string, text: string): ZipEntry => ({
    path,
    bytes: new TextEncoder().encode(text),
  });
  const head = [
    "Metadata-Version: 2.4",
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${summary}`,
    ...fields,
    ...(origin === null ? [] : [`Project-URL: Repository, ${origin.page}`]),
    "License-File: THIRD_PARTY_LICENSES",
    "Requires-Python: >=3.8",
    "Description-Content-Type: text/markdown",
  ];
  const files: readonly ZipEntry[] = [
    ...data.map((entry) => ({ ...entry, path: `${stem}.data/${entry.path}` })),
    {
      path: `${info}/licenses/THIRD_PARTY_LICENSES`,
      bytes: await Deno.readFile(join(repository, "THIRD_PARTY_LICENSES")),
    },
    toText(`${info}/METADATA`, `${head.join("\n")}\n\n${description}`),
    toText(
      `${info}/WHEEL`,
      `Wheel-Version: 1.0\nGenerator: ${FACTS.name}\nRoot-Is-Purelib: false\nTag: ${tag}\n`,
    ),
  ];
  const record = `${info}/RECORD`;
  const rows = [...files.map(toRow), `${record},,`].map((row) => `${row}\n`).join("");
  const wheel = join(output, `${stem}-${tag}.whl`);
  await Deno.mkdir(output, { recursive: true });
  await Deno.writeFile(wheel, toZip([...files, toText(record, rows)]));
  return wheel;
}

/** A line of the list of files: path, hash, size. */
function toRow({ path, bytes }: ZipEntry): string {
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return `${path},sha256=${hash},${bytes.length}`;
}
