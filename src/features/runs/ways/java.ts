/**
 * Watches JVMs that run JUnit, from inside: an agent changes the project's classes while they are loaded, by the library ASM,
 * which Maven's own plugins bring. The agent is compiled for each record, because the project's JDK is there anyway.
 */
import { basename, join } from "node:path";
import { writeOwnFile } from "../../../base/files/own_folder.ts";
import { readRegularFile } from "../../../base/files/regular_file.ts";
import { runProcess } from "../../../base/processes/process.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import type { WatchContext } from "../record/recording.ts";
import { layOutFile, makeInsideWay } from "./inside.ts";

const ASM = "org/ow2/asm/asm";
/** What Maven is asked for where no plugin has brought it. */
const ASM_WANTED = "org.ow2.asm:asm:9.9.1";
const STEP_MS = 180_000;

/** The way. */
export const JAVA_WAY = makeInsideWay({
  variable: "JAVA_TOOL_OPTIONS",
  layOut: build,
  join: (own, others) => `${others} ${own}`,
  why: "No test of JUnit ran in a JVM of its own. TestNG, and JDKs before 11, are not watched.",
  options: ({ listSources }) => {
    const sources = Map.groupBy(listSources(), (path) => basename(path));
    const findFile = (told: string) => findSource(told, sources.get(basename(told)) ?? []);
    return {
      findFile,
      place: ({ path: told, line, name }) => {
        const path = findFile(told);
        return path === "" ? null : { path, line, name };
      },
    };
  },
});

/**
 * The source file of a class, which is told as `<folder of classes>?<package>/<file>`: the nearest of those with its name.
 * Kotlin and Scala do not need a folder for each package. Empty where nothing tells which it is.
 */
function findSource(told: string, named: readonly string[]): string {
  const [folder = "", wanted = ""] = told.split("?");
  const exact = named.filter((path) => `/${path}`.endsWith(`/${wanted}`));
  const parts = folder.split("/");
  const countShared = (path: string) => {
    const own = path.split("/");
    const at = parts.findIndex((part, at) => part !== own[at]);
    return at < 0 ? parts.length : at;
  };
  const [best = ""] = exact.sort((one, other) => countShared(other) - countShared(one));
  return best !== "" || named.length !== 1 ? best : named[0] ?? "";
}

/** Compiles the agent into the folder, and gives the option that loads it. */
async function build({ folder, signal }: WatchContext): Promise<string> {
  const library = findAsm();
  if (library === null) {
    throw new Error(
      `Maven has not brought the library ASM: run \`mvn dependency:get -Dartifact=${ASM_WANTED}\``,
    );
  }
  const [asm, manifest, classes, jar] = ["asm.jar", "manifest", "weaver", "agent.jar"].map((name) =>
    join(folder, name)
  ) as [string, string, string, string];
  const below = { below: folder };
  await writeOwnFile(asm, library, below);
  await writeOwnFile(manifest, "Premain-Class: CodeIntelRuns$Agent\n", below);
  const sources = await Promise.all(
    ["CodeIntelRuns.java", "CodeIntelWeaver.java"].map((name) =>
      layOutFile(folder, name, `src/features/runs/tracers/${name}`)
    ),
  );
  const packed = ["CodeIntelRuns.class", "CodeIntelRuns$Agent.class"].flatMap((
    name,
  ) => ["-C", classes, name]);
  const home = Deno.env.get("JAVA_HOME") ?? "";
  for (
    const [program = "", ...args] of [
      ["javac", "-nowarn", "--release", "11", "-cp", asm, "-d", classes, ...sources],
      ["jar", "cfm", jar, manifest, ...packed],
    ]
  ) {
    const path = home === "" ? program : join(home, "bin", program);
    const result = await runProcess(path, args, { cwd: folder, timeoutMs: STEP_MS, signal })
      .catch(() => null);
    if (result?.code !== 0) {
      const line = result?.stderr.split("\n")[0] ?? "it cannot be started";
      throw new Error(`${program} failed (${line}): set JAVA_HOME to a JDK from version 11`);
    }
  }
  return `"-javaagent:${jar}=${jar}"`;
}

/** The newest ASM that Maven keeps for itself; null where there is none. */
function findAsm(): Uint8Array | null {
  const home = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE") ?? "";
  const folder = join(home, ".m2/repository", ASM);
  let versions: string[] = [];
  try {
    versions = [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return null; // Maven never brought it.
  }
  const order = new Intl.Collator("en", { numeric: true });
  for (
    const version of versions.filter((name) => /^9\.[\d.]+$/.test(name))
      .sort((one, other) => order.compare(other, one))
  ) {
    const file = join(folder, version, `asm-${version}.jar`);
    const bounds = { within: folder, maxBytes: LIMITS.wholeFileBytes.value };
    const found = readRegularFile(file, bounds);
    if (found.kind === "read") return found.bytes;
  }
  return null;
}
