/**
 * Makes packages of the executables below dist/: `deno task package KIND [--repository URL]`. Executables that are not there
 * are left out; `deno task compile --target all` makes them. The address of the repository goes into what has to name it;
 * the workflow of a release gives it.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { findOwnTarget, WITHOUT_MODEL } from "../compile/targets.ts";
import { endWrongUse, parseWords, print, REPOSITORY } from "../task.ts";
import { writeBundle } from "./bundle.ts";
import type { Origin, Platform } from "./facts.ts";
import { FACTS, PLATFORMS, toOrigin } from "./facts.ts";
import { toContainerfile, toFormula, toScoop, toServerJson } from "./manifests.ts";
import type { Built } from "./npm.ts";
import { writeNpmPackages } from "./npm.ts";
import { writeModelWheel, writeWheel } from "./wheel.ts";

const DIST = join(REPOSITORY, "dist");

/** What packages are made from. */
interface Input {
  readonly repository: string;
  readonly built: readonly Built[];
  /** Absolute path of the folder of this kind. */
  readonly output: string;
  readonly origin: Origin | null;
}

/** Each kind of package; returns the paths of what was made. */
const KINDS: Readonly<Record<string, (input: Input) => Promise<readonly string[]>>> = {
  npm: writeNpmPackages,
  wheel: async (input) => [await writeModelWheel(input), ...await writeEach(writeWheel, input)],
  bundle: (input) => writeEach(writeBundle, input),
  container: writeContainer,
  manifests: writeManifests,
};

/** One after the other: each holds its executable in memory. */
async function writeEach(
  write: (input: Built & Omit<Input, "built">) => Promise<string>,
  { built, ...input }: Input,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const one of built) paths.push(await write({ ...one, ...input }));
  return paths;
}

/** The folder that a container is built in. */
async function writeContainer(input: Input): Promise<readonly string[]> {
  const { repository, built, output, origin } = input;
  for (const { platform: { image, file }, path } of built) {
    if (image === null) continue;
    await Deno.mkdir(join(output, image), { recursive: true });
    await Deno.copyFile(path, join(output, image, file));
  }
  const licences = "THIRD_PARTY_LICENSES";
  await Deno.copyFile(join(repository, licences), join(output, licences));
  await Deno.writeTextFile(join(output, "Containerfile"), toContainerfile(origin));
  return [output];
}

/** What names the files of a release by their addresses and hashes. */
async function writeManifests(input: Input): Promise<readonly string[]> {
  const { built, output, origin } = input;
  if (origin === null) throw new Error("manifests are made of a release alone");
  const released = await Promise.all(built.map(async ({ platform, path }) => ({
    platform,
    sha256: createHash("sha256").update(await Deno.readFile(path)).digest("hex"),
  })));
  const scoop = toScoop(released, origin);
  const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const files = [
    { name: "server.json", text: toJson(toServerJson(origin)) },
    { name: `${FACTS.name}.rb`, text: toFormula(released, origin) },
    ...(scoop === null ? [] : [{ name: `${FACTS.name}.json`, text: toJson(scoop) }]),
  ];
  for (const { name, text } of files) await Deno.writeTextFile(join(output, name), text);
  return files.map(({ name }) => join(output, name));
}

const ADDRESS = "--repository https://github.com/OWNER/NAME";
const USAGE = `deno task package ${Object.keys(KINDS).join("|")} [${ADDRESS}]`;

function readOrigin(address: string | undefined): Origin | null {
  if (address === undefined) return null;
  try {
    return toOrigin(address);
  } catch (failure) {
    return endWrongUse(failure instanceof Error ? failure.message : String(failure), USAGE);
  }
}

/** The executable of a platform; that of this machine may have the name without a platform. */
async function findBuilt(platform: Platform, folder: string): Promise<readonly Built[]> {
  const isOwn = platform.target.name === findOwnTarget()?.name;
  for (const name of [platform.target.output, ...isOwn ? [FACTS.name] : []]) {
    const path = join(folder, name);
    const isThere = await Deno.stat(path).then(({ isFile }) => isFile, () => false);
    if (isThere) return [{ platform, path }];
  }
  return [];
}

async function main(words: readonly string[]): Promise<number> {
  const { values, positionals: [kind = "", ...rest] } = parseWords(USAGE, {
    args: [...words],
    options: { repository: { type: "string" } },
    allowPositionals: true,
  });
  const make = KINDS[kind];
  if (make === undefined || rest.length > 0) {
    const named = [kind, ...rest].join(" ");
    endWrongUse(named === "" ? "Name what to make" : `"${named}" is no kind of package`, USAGE);
  }
  const origin = readOrigin(values.repository);
  if (origin === null && kind === "manifests") {
    const why = "They name the files of a release by their addresses";
    endWrongUse(`${why}: say where it will be`, `deno task package manifests ${ADDRESS}`);
  }
  const isWheel = kind === "wheel";
  const folder = isWheel ? join(DIST, WITHOUT_MODEL) : DIST;
  const found = await Promise.all(PLATFORMS.map((platform) => findBuilt(platform, folder)));
  const built = found.flat();
  if (built.length === 0) {
    const compile = `deno task compile${isWheel ? " --without-model" : ""}`;
    print(`There is no executable in ${folder}: run ${compile} first.`);
    return 2;
  }
  const output = join(DIST, kind);
  await Deno.remove(output, { recursive: true }).catch(() => {});
  await Deno.mkdir(output, { recursive: true });
  for (const path of await make({ repository: REPOSITORY, built, output, origin })) print(path);
  return 0;
}

Deno.exitCode = await main(Deno.args);
