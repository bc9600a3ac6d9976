/**
 * Measures the executable beside the source and writes `docs/binary.md`: `deno task binary`. It compiles it
 * first, and beside it an empty server on the same SDK, which is the least that a start can take.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { buildExecutable, PERMISSIONS } from "../../tools/compile/build.ts";
import { run } from "../../tools/run.ts";
import type { Runtime } from "../../tools/compile/runtime.ts";
import { COMPILER_VERSION, obtainRuntime } from "../../tools/compile/runtime.ts";
import { findOwnTarget } from "../../tools/compile/targets.ts";
import { REPOSITORY, withFolder } from "../harness/run.ts";
import { measureLoads } from "./load_figures.ts";
import { measureMemory } from "./memory_figures.ts";
import type { PageFacts } from "./page.ts";
import { renderPage } from "./page.ts";
import type { Program } from "./time_figures.ts";
import { measureTimes } from "./time_figures.ts";

const DIST = join(REPOSITORY, "dist");

/** A program from source, as the configuration of a client starts it. */
function toSource(...path: readonly string[]): Program {
  const config = ["run", "--quiet", "--no-check", "--config", join(REPOSITORY, "deno.json"), "-P"];
  return [Deno.execPath(), ...config, join(REPOSITORY, ...path)];
}

/** An empty server, made as the executable is. */
async function compileEmpty(runtime: Runtime, output: string): Promise<void> {
  await withFolder(undefined, async (stage) => {
    const script = join("lab", "bench", "empty_server.ts");
    const bundle = ["bundle", "--quiet", "--platform=deno", "--minify"];
    await run(Deno.execPath(), [...bundle, "-o", join(stage, "main.js"), script], {
      cwd: REPOSITORY,
    });
    const flags = ["compile", "--quiet", "--no-config", "--no-check", "--no-code-cache"];
    await run(runtime.deno, [...flags, ...PERMISSIONS, "--output", output, "main.js"], {
      cwd: stage,
      env: runtime.denort === null ? {} : { DENORT_BIN: runtime.denort },
    });
  });
}

async function measure(): Promise<PageFacts> {
  const target = findOwnTarget();
  if (target === null) throw new Error("no executable can be made for this machine");
  const runtime = Deno.version.deno === COMPILER_VERSION
    ? { deno: Deno.execPath(), denort: null }
    : await obtainRuntime(join(DIST, "runtime"));
  const output = join(DIST, "code-intel");
  const empty = join(DIST, "empty-server");
  const parts = await buildExecutable({ repository: REPOSITORY, target, runtime, output });
  await compileEmpty(runtime, empty);
  const programs = { executable: [output], source: toSource("src", "main.ts") } as const;
  return {
    commit: (await run("git", ["rev-parse", "--short=12", "HEAD"], { cwd: REPOSITORY })).trim(),
    machine: `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, ${target.name}`,
    load: Deno.loadavg()[0] ?? 0,
    runtimes: { executable: COMPILER_VERSION, source: Deno.version.deno },
    parts,
    loads: await measureLoads(REPOSITORY),
    times: await measureTimes({
      ...programs,
      empty: [empty],
      emptySource: toSource("lab", "bench", "empty_server.ts"),
    }),
    memory: await measureMemory(programs),
  };
}

const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
const page = renderPage(template, await measure());
await Deno.writeTextFile(join(REPOSITORY, "docs", "binary.md"), page);
