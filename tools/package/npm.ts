/**
 * Makes the folders of the npm packages: one that people name, whose command starts the executable, and one for each
 * platform with nothing but its executable, of which npm installs the one that fits.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Origin, Platform } from "./facts.ts";
import { FACTS, LICENCE, toNpmName } from "./facts.ts";

/** The executable of a platform. */
export interface Built {
  readonly platform: Platform;
  /** Absolute path. */
  readonly path: string;
}

/** What the packages are made from. */
export interface NpmInput {
  /** Absolute path of the repository. */
  readonly repository: string;
  readonly built: readonly Built[];
  /** Absolute path of the folder that gets a folder for each package. */
  readonly output: string;
  /** Null where the packages are for trying only. */
  readonly origin: Origin | null;
}

const LAUNCHER = fileURLToPath(new URL("launcher.cjs", import.meta.url));

/** Writes the folders; returns their paths, those of platforms first, since they have to be published first. */
export async function writeNpmPackages(input: NpmInput): Promise<readonly string[]> {
  const { repository, built, output, origin } = input;
  const folders: string[] = [];
  for (const { platform, path } of built) {
    const folder = join(output, toNpmName(platform));
    await Deno.mkdir(join(folder, "bin"), { recursive: true });
    await Deno.copyFile(path, join(folder, "bin", platform.file));
    await makeExecutable(join(folder, "bin", platform.file));
    await copyTexts(repository, folder, ["THIRD_PARTY_LICENSES"]);
    await writeJson(folder, toPlatformPackage(platform, origin));
    folders.push(folder);
  }
  const folder = join(output, FACTS.name);
  await Deno.mkdir(join(folder, "bin"), { recursive: true });
  await Deno.copyFile(LAUNCHER, join(folder, "bin", "code-intel.cjs"));
  await makeExecutable(join(folder, "bin", "code-intel.cjs"));
  await copyTexts(repository, folder, ["README.md", "THIRD_PARTY_LICENSES"]);
  await writeJson(folder, toMainPackage(built.map(({ platform }) => platform), origin));
  return [...folders, folder];
}

/** The `package.json` of a platform. */
export function toPlatformPackage(
  platform: Platform,
  origin: Origin | null,
): Readonly<Record<string, unknown>> {
  const { npm } = platform;
  return {
    name: toNpmName(platform),
    version: FACTS.version,
    description: `The executable of ${FACTS.name} for ${npm.os} ${npm.cpu}`,
    license: LICENCE.npm,
    ...toRepository(origin),
    os: [npm.os],
    cpu: [npm.cpu],
    ...(npm.libc === undefined ? {} : { libc: [npm.libc] }),
    files: ["bin", "THIRD_PARTY_LICENSES"],
    preferUnplugged: true,
  };
}

/** The `package.json` of the package that people name. */
export function toMainPackage(
  platforms: readonly Platform[],
  origin: Origin | null,
): Readonly<Record<string, unknown>> {
  return {
    name: FACTS.name,
    version: FACTS.version,
    description: FACTS.summary,
    keywords: FACTS.keywords,
    license: LICENCE.npm,
    ...toRepository(origin),
    // The registry of MCP servers compares it with the name in server.json.
    ...(origin === null ? {} : { mcpName: origin.serverName }),
    bin: { [FACTS.name]: "bin/code-intel.cjs" },
    files: ["bin", "THIRD_PARTY_LICENSES"],
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [toNpmName(platform), FACTS.version]),
    ),
  };
}

/** npm compares it with the workflow that says it built the package. */
function toRepository(origin: Origin | null): Readonly<Record<string, unknown>> {
  return origin === null ? {} : { repository: { type: "git", url: `git+${origin.page}.git` } };
}

async function copyTexts(
  repository: string,
  folder: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await Deno.copyFile(join(repository, name), join(folder, name));
}

async function makeExecutable(path: string): Promise<void> {
  if (Deno.build.os !== "windows") await Deno.chmod(path, 0o755);
}

async function writeJson(folder: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(value, null, 2)}\n`);
}
