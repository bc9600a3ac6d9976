/**
 * Makes packages of the executables below dist/: `deno task package npm|wheel`. Executables that are not there are left
 * out; `deno task compile --target all` makes them.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findOwnTarget } from "../compile/targets.ts";
import type { Platform } from "./facts.ts";
import { PLATFORMS } from "./facts.ts";
import type { Built } from "./npm.ts";
import { writeNpmPackages } from "./npm.ts";
import { writeWheel } from "./wheel.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(REPOSITORY, "dist");

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** The executable of a platform; that of this machine may have the name without a platform. */
async function findBuilt(platform: Platform): Promise<readonly Built[]> {
  const isOwn = platform.target.name === findOwnTarget()?.name;
  for (const name of [platform.target.output, ...isOwn ? ["code-intel"] : []]) {
    const path = join(DIST, name);
    const isThere = await Deno.stat(path).then(({ isFile }) => isFile, () => false);
    if (isThere) return [{ platform, path }];
  }
  return [];
}

async function main(kind: string | undefined): Promise<number> {
  if (kind !== "npm" && kind !== "wheel") {
    print("Name what to make: deno task package npm, or deno task package wheel.");
    return 64;
  }
  const built = (await Promise.all(PLATFORMS.map(findBuilt))).flat();
  if (built.length === 0) {
    print("There is no executable below dist/: run deno task compile first.");
    return 2;
  }
  const output = join(DIST, kind);
  await Deno.remove(output, { recursive: true }).catch(() => {});
  if (kind === "npm") {
    for (const folder of await writeNpmPackages({ repository: REPOSITORY, built, output })) {
      print(folder);
    }
    return 0;
  }
  for (const one of built) {
    print(await writeWheel({ ...one, repository: REPOSITORY, output }));
  }
  return 0;
}

Deno.exitCode = await main(Deno.args[0]);
