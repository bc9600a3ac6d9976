/**
 * Makes the wheel of a platform: the executable as a script of the package, which pip and uv put on the PATH of an
 * environment. It holds no Python, so one wheel serves every version of it.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Origin } from "./facts.ts";
import { FACTS } from "./facts.ts";
import type { Built } from "./npm.ts";
import type { ZipEntry } from "./zip.ts";
import { toZip } from "./zip.ts";

/** What a wheel is made from. */
export interface WheelInput extends Built {
  /** Absolute path of the repository. */
  readonly repository: string;
  /** Absolute path of the folder that gets the wheel. */
  readonly output: string;
  /** Null where the wheel is for trying only. */
  readonly origin: Origin | null;
}

/** Names in wheels have no hyphens. */
const NAME = FACTS.name.replaceAll("-", "_");

/** Writes the wheel; returns its path. */
export async function writeWheel(input: WheelInput): Promise<string> {
  const { repository, platform, path, output, origin } = input;
  const info = `${NAME}-${FACTS.version}.dist-info`;
  const tag = `py3-none-${platform.wheelTag}`;
  const toText = (name: string, text: string): ZipEntry => ({
    path: name,
    bytes: new TextEncoder().encode(text),
  });
  const readme = await Deno.readTextFile(join(repository, "README.md"));
  const files: readonly ZipEntry[] = [
    {
      path: `${NAME}-${FACTS.version}.data/scripts/${platform.file}`,
      bytes: await Deno.readFile(path),
      isExecutable: true,
    },
    {
      path: `${info}/licenses/THIRD_PARTY_LICENSES`,
      bytes: await Deno.readFile(join(repository, "THIRD_PARTY_LICENSES")),
    },
    toText(`${info}/METADATA`, toMetadata(readme, origin)),
    toText(
      `${info}/WHEEL`,
      `Wheel-Version: 1.0\nGenerator: ${FACTS.name}\nRoot-Is-Purelib: false\nTag: ${tag}\n`,
    ),
  ];
  const record = `${info}/RECORD`;
  const rows = [...files.map(toRow), `${record},,`].map((row) => `${row}\n`).join("");
  const wheel = join(output, `${NAME}-${FACTS.version}-${tag}.whl`);
  await Deno.mkdir(output, { recursive: true });
  await Deno.writeFile(wheel, toZip([...files, toText(record, rows)]));
  return wheel;
}

function toMetadata(readme: string, origin: Origin | null): string {
  const address = origin === null ? "" : `Project-URL: Repository, ${origin.page}\n`;
  // The registry of MCP servers looks for this line in the description.
  const server = origin === null ? "" : `\n<!-- mcp-name: ${origin.serverName} -->\n`;
  return `Metadata-Version: 2.4
Name: ${FACTS.name}
Version: ${FACTS.version}
Summary: ${FACTS.summary}
Keywords: ${FACTS.keywords.join(",")}
${address}License-File: THIRD_PARTY_LICENSES
Requires-Python: >=3.8
Description-Content-Type: text/markdown

${readme}${server}`;
}

/** A line of the list of files: path, hash, size. */
function toRow({ path, bytes }: ZipEntry): string {
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return `${path},sha256=${hash},${bytes.length}`;
}
