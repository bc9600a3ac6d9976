/**
 * What `--version` prints: the program, its source revision, and the versions of what it contains.
 */
import { readBuildInfo, readProgramFile } from "../base/program_files.ts";
import { PROGRAM_NAME, SQLITE_VEC_VERSION, VERSION } from "../base/version.ts";

/** The rows below the first line, by their JSON name. */
type Facts = Readonly<Record<string, string | number>>;

/** The version of the program, and of what it contains. */
type Version =
  & { readonly ok: true; readonly version: string }
  & Readonly<
    Record<string, string | number | boolean>
  >;

/** The lines. The first one has only the name and the version, for scripts; the others are facts, one a line. */
export function formatVersion({ version, ...facts }: Version): readonly string[] {
  const rows = Object.entries(facts).filter(([name]) => name !== "ok").map(([name, value]) =>
    `${name.replaceAll("_", "-").padEnd(12)}${value}`
  );
  return [`${PROGRAM_NAME} ${version}`, ...rows];
}

/** The version with the facts, as a reply. */
export async function readVersion(): Promise<Version> {
  return { ok: true, version: VERSION, ...await readFacts() };
}

async function readFacts(): Promise<Facts> {
  const [build, { MODEL_ID }, { DatabaseSync }, manifest] = await Promise
    .all([
      readBuildInfo(),
      import("../embedding/model_files.ts"),
      import("node:sqlite"),
      readProgramFile("wasm/manifest.json"),
    ]);
  const db = new DatabaseSync(":memory:");
  const row = db.prepare("SELECT sqlite_version() AS version").get();
  db.close();
  const { files } = JSON.parse(new TextDecoder().decode(manifest)) as {
    readonly files: readonly { readonly name: string }[];
  };
  const { os, arch } = Deno.build;
  return {
    commit: build === null ? "run from source" : build.commit,
    machine: build === null ? `${os} ${arch}` : build.target,
    model: MODEL_ID,
    grammars: files.filter(({ name }) => name !== "web-tree-sitter").length,
    sqlite: String(row?.["version"]),
    sqlite_vec: SQLITE_VEC_VERSION,
    runtime: `deno ${Deno.version.deno}`,
  };
}
