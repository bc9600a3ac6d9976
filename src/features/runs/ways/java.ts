/**
 * Watches JVMs that run JUnit, from inside: an agent changes the project's classes while they are loaded, by the library ASM,
 * which Maven's own plugins bring. The agent is compiled for each record, because the project's JDK is there anyway.
 */
import { join } from "node:path";
import { makeOwnFolder, writeOwnFile } from "../../../base/files/own_folder.ts";
import { readRegularFile } from "../../../base/files/regular_file.ts";
import { runProcess } from "../../../base/processes/process.ts";
import { readProgramFile } from "../../../base/program_files.ts";
import { LIMITS } from "../../../base/settings/limits.ts";
import { CHANNEL_VARIABLE, ROOT_VARIABLE } from "../record/channel.ts";
import { readChannelFolder } from "../record/channel_folder.ts";
import type { InsideWay, WatchContext } from "../record/recording.ts";

/** Sources of the agent, for the `files` of the feature. */
export const JAVA_TRACER_FILES = ["CodeIntelRuns.java", "CodeIntelWeaver.java"]
  .map((name) => `src/features/runs/tracers/${name}`);

const ASM = "org/ow2/asm/asm";
/** What Maven is asked for where no plugin has brought it. */
const ASM_WANTED = "org.ow2.asm:asm:9.9.1";
const STEP_MS = 180_000;

/** The way. */
export const JAVA_WAY: InsideWay = {
  kind: "inside",
  prepare: async (context) => {
    const channel = join(context.folder, "channel");
    await makeOwnFolder(channel, { below: context.folder });
    if (await build(context) !== null) return {};
    const jar = join(context.folder, "agent.jar");
    const own = `"-javaagent:${jar}=${jar}"`;
    return {
      JAVA_TOOL_OPTIONS: `${Deno.env.get("JAVA_TOOL_OPTIONS") ?? ""} ${own}`.trim(),
      [CHANNEL_VARIABLE]: channel,
      [ROOT_VARIABLE]: context.root,
    };
  },
  read: async (context) => {
    const recording = await readChannelFolder(join(context.folder, "channel"), context);
    if (recording.tests.length > 0) return recording;
    const why = await build(context) ??
      "No test of JUnit ran in a JVM of its own. TestNG, and JDKs before 11, are not watched.";
    return { ...recording, isWhole: false, notes: [...recording.notes, why] };
  },
};

/** Compiles the agent into the folder; why it cannot, as a sentence with the next step, or null. */
async function build(context: WatchContext): Promise<string | null> {
  const { folder, signal } = context;
  const library = findAsm();
  if (library === null) {
    return `Maven has not brought the library ASM. Run \`mvn dependency:get -Dartifact=${ASM_WANTED}\`.`;
  }
  const asm = join(folder, "asm.jar");
  const below = { below: folder };
  await writeOwnFile(asm, library, below);
  const sources: string[] = [];
  for (const name of JAVA_TRACER_FILES) {
    const path = join(folder, name.slice(name.lastIndexOf("/") + 1));
    await writeOwnFile(path, await readProgramFile(name), below);
    sources.push(path);
  }
  const manifest = join(folder, "manifest");
  await writeOwnFile(manifest, "Premain-Class: CodeIntelRuns$Agent\n", below);
  const classes = join(folder, "weaver");
  const home = Deno.env.get("JAVA_HOME") ?? "";
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ["javac", ["-nowarn", "--release", "11", "-cp", asm, "-d", classes, ...sources]],
    ["jar", [
      "cfm",
      join(folder, "agent.jar"),
      manifest,
      "-C",
      classes,
      "CodeIntelRuns.class",
      "-C",
      classes,
      "CodeIntelRuns$Agent.class",
    ]],
  ];
  for (const [program, args] of steps) {
    const path = home === "" ? program : join(home, "bin", program);
    const result = await runProcess(path, args, { cwd: folder, timeoutMs: STEP_MS, signal })
      .catch(() => null);
    if (result?.code !== 0) {
      const line = result?.stderr.split("\n")[0] ?? "it cannot be started";
      return `${program} of the JDK failed (${line}). Set JAVA_HOME to a JDK from version 11.`;
    }
  }
  return null;
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
    const version of versions.filter((name) => /^9\.[\d.]+$/.test(name)).sort(order.compare)
      .reverse()
  ) {
    const file = join(folder, version, `asm-${version}.jar`);
    const bounds = { within: folder, maxBytes: LIMITS.wholeFileBytes.value };
    const found = readRegularFile(file, bounds);
    if (found.kind === "read") return found.bytes;
  }
  return null;
}
