/**
 * The doors to the disk: what somebody else may have made is read through `base/files/regular_file.ts`, and the program's own
 * folders are written through `base/files/own_folder.ts`. Whoever calls the system past them stands here with the reason.
 */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { expectNone, readSourceFiles, toCode } from "./source_files.ts";

const READS = /\bDeno\.(?:readFile|readTextFile|readDir)(?:Sync)?\b/;
const WRITES =
  /\bDeno\.(?:writeTextFile|writeFile|mkdir|rename|copyFile|symlink|link|makeTempFile|makeTempDir|truncate|chmod|chown|utime|remove)(?:Sync)?\b/;

const DOOR = "a door";
const ITS_OWN = "a file of the program itself";
const CHECKED = "each path is checked by checkOwnFile or checkOwnFolder first";

/** Files that read past the door. */
const READERS: Readonly<Record<string, string>> = {
  "src/evidence/checkout/changed_dependencies.ts":
    "ignored folders of the project; names and times alone, without following links",
  "src/features/runs/lines/coverage_places.ts": "folders of coverage files; names alone",
  "src/features/runs/ways/java.ts": "versions of a library that Maven keeps; names alone",
  "src/evidence/runs/run_environment.ts":
    "programs that the run is about to start; regular files up to a bound",
  "src/evidence/checkout/own_installs.ts": "folders of packages, which lie anywhere; names alone",
  "src/evidence/checkout/lend.ts":
    "what git ignores in the project, listed by git, without following links; files up to a bound",
  "src/evidence/checkout/checkout_folder.ts": "a place itself, to remove it",
  "src/evidence/runs/runner_reports.ts": "folders of the project's builds; names alone",
  "src/base/files/own_folder.ts": DOOR,
  "src/base/files/atomic_write.ts": "names alone, of which only those that the program gives count",
  "src/base/program_files.ts": ITS_OWN,
  "src/embedding/encoder.ts": ITS_OWN,
  "src/backends/regular_files.ts": "folders of the project; names alone",
  "src/context/doc_research.ts": "folders of the project, each looked at without following links",
  "src/git/snapshots/guarded_files.ts": "folders of hooks, which may lie anywhere; names alone",
  "src/git/branches/hooks.ts": "the folder of hooks, which may lie anywhere; names alone",
  "src/git/branches/own_refs.ts": "folders of refs, where git itself goes",
  "src/git/store_files.ts": "folders of refs, where git itself goes; names alone",
  "src/git/private_repository.ts":
    "folders of the own git directory, for links in them; names alone",
  "src/git/steering_files.ts": "folders of the project and of git; names alone",
  "src/git/log/read_log.ts": "the folder of packs, where git itself goes; names alone",
  "src/git/repository.ts": "the file of git that names a worktree's folder, as git reads it",
  "src/place/project_root.ts": "folders beside and above; names alone, without following links",
  "src/place/git_store.ts":
    "names of the worktrees in the folder of git; their files through the door",
  "src/features/workspace/workspace.ts": "the folder of a repository; names alone",
  "src/project/setup/start_fault.ts": "names of the modules that an environment has",
  "src/project/setup/project_facts.ts": "folders of the project; names alone",
  "src/project/setup/purge_plan.ts":
    "names of worktrees in the git folder; counts and sizes, without following links",
  "src/project/unfinished_writes.ts":
    "names alone, of which only those that the program gives count",
  "src/project/setup/uninstall.ts": "folders that the set-up made, looked at when it is undone",
};

/** Files that write past the door. */
const WRITERS: Readonly<Record<string, string>> = {
  "src/evidence/checkout/lend.ts":
    "links and small copies in a checkout that was just written, at paths that git ignores",
  "src/features/mutants/try_mutants.ts": CHECKED,
  "src/prove/proof_memory.ts": "removes what it listed through the door",
  "src/prove/hollow_run.ts": CHECKED,
  "src/features/runs/store/run_folder.ts": "removes what it listed through the door",
  "src/features/runs/ways/parts.ts": "removes what a run wrote into the new folder of its record",
  "src/evidence/checkout/checkout_folder.ts": CHECKED,
  "src/evidence/runs/runner_reports.ts": "a new folder beside a checkout",
  "src/git/trees/checkout.ts": CHECKED,
  "src/git/private_repository.ts":
    "removes the own git directory, whose folders are checked at its opening",
  "src/base/files/atomic_write.ts":
    "writes beside the file and renames, which follows no link in the last place",
  "src/base/files/own_folder.ts": DOOR,
  "src/base/files/seal.ts": CHECKED,
  "src/mcp/transport/http_token.ts": CHECKED,
  "src/evidence/runs/verification_file.ts": "removes a mark that it holds open",
  "src/git/branches/commit.ts": CHECKED,
  "src/git/index/seed_index.ts":
    "a copy with the name of a private or scratch index, which are checked",
  "src/git/trees/unstored_files.ts": CHECKED,
  "src/git/index/own_store.ts": "objects of git, where git itself would write them",
  "src/features/attest/signed_text.ts": "files in a new folder below the own one",
  "src/features/attest/scratch_objects.ts": "a new folder below the own one",
  "src/git/trees/carry_changes.ts": "a new folder below the own one",
  "src/git/branches/own_refs.ts": "removes empty folders of refs, where git itself goes",
  "src/git/remote/remote_store.ts": CHECKED,
  "src/features/share/push.ts": "the bundle file that the person named, and a new file beside it",
  "src/git/snapshots/snapshot_list.ts": CHECKED,
  "src/git/snapshots/restore.ts": "files of the project; looks for links on the way",
  "src/git/index/scratch_index.ts": "files with new names below the own folder",
  "src/index/looks.ts": CHECKED,
  "src/index/store/index_file.ts": CHECKED,
  "src/index/store/index_folder.ts": CHECKED,
  "src/features/learning/jsonl_log.ts": CHECKED,
  "src/features/learning/suggestions.ts": CHECKED,
  "src/ledger/file_copies.ts": "files of the project; looks for links on the way",
  "src/project/clean.ts": "removes what it listed through the door",
  "src/project/copies.ts": CHECKED,
  "src/project/doctor.ts": CHECKED,
  "src/project/edits/file_state.ts":
    "files of the person; folders that are links were refused by the plan",
  "src/project/setup/init.ts":
    "files of the person; folders that are links were refused by the plan",
  "src/project/setup/proof_places.ts": "removing follows no link in the last place",
  "src/project/setup/purge_plan.ts":
    "removes what the plan names; removing follows no link in the last place",
  "src/project/setup/setup_manifest.ts": "removing follows no link in the last place",
  "src/project/unfinished_writes.ts": "removing follows no link in the last place",
  "src/project/setup/uninstall.ts":
    "what the set-up made; removing follows no link in the last place",
  "src/cli/page_file.ts": "a new folder among the system's temporary ones",
  "src/session/archive.ts": "moves and removes what it listed through the door",
  "src/session/checkpoint_reader.ts": CHECKED,
  "src/session/revision_marks.ts": "removes a mark by its name",
};

Deno.test("what others made is read, and the program's folders are written, through their doors", async () => {
  const files = await readSourceFiles("src");
  expectNone(
    files.flatMap(toOffences),
    "Go through a function of src/base/files/, or add the file with its reason to READERS or WRITERS in tests/tidy/doors_test.ts.",
  );
  const known = new Map(files.map(({ path, text }) => [path, toCode(text)]));
  const isNeeded = (path: string, pattern: RegExp) => pattern.test(known.get(path) ?? "");
  expectNone(
    [
      ...Object.keys(READERS).filter((path) => !isNeeded(path, READS)),
      ...Object.keys(WRITERS).filter((path) => !isNeeded(path, WRITES)),
    ].map((path) => `${path} needs no exception any more`),
    "Take the row out of the table: nothing of it is left.",
  );
});

Deno.test("toOffences() names what goes round a door, and no comment or string", () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ["await Deno.readTextFile(path);", ["src/x.ts reads past base/files/regular_file.ts"]],
    ["Deno.readDirSync(path);", ["src/x.ts reads past base/files/regular_file.ts"]],
    ["await Deno.mkdir(path);", ["src/x.ts writes past base/files/own_folder.ts"]],
    ["await Deno.lstat(path);", []],
    ["// Deno.mkdir would follow a link.", []],
  ];
  for (const [text, expected] of rows) deepEqual(toOffences({ path: "src/x.ts", text }), expected);
});

function toOffences({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const code = toCode(text);
  const found: string[] = [];
  if (READS.test(code) && !(path in READERS)) {
    found.push(`${path} reads past base/files/regular_file.ts`);
  }
  if (WRITES.test(code) && !(path in WRITERS)) {
    found.push(`${path} writes past base/files/own_folder.ts`);
  }
  return found;
}

/** Files that write to the streams of the process. */
const SPEAKERS: Readonly<Record<string, string>> = {
  "src/cli/terminal.ts": "the door: it shows by number what a terminal obeys",
  "src/base/logger.ts": "notices, which show it too",
  "src/mcp/transport/server.ts": "messages of the protocol",
};

/** Commands that write texts for programs past the door of lines, beside JSON. */
const TEXTS_FOR_PROGRAMS: Readonly<Record<string, string>> = {
  "src/cli/commands/completions.ts": "a script, and words whose signs it shows itself",
  "src/cli/commands/help.ts": "the manual page; licences, a file of the program itself",
  "src/cli/commands/hook.ts": "JSON for a client",
  "src/cli/commands/prove.ts": "a comment for a pull request, and SARIF",
  "src/cli/setup_target.ts": "entries to be copied into files",
  "src/cli/page_file.ts": "pages and JSON",
};

Deno.test("what a person reads reaches the terminal through its door of lines alone", async () => {
  const files = await readSourceFiles("src");
  const speakers = files.filter(({ text }) =>
    /\bDeno\.std(?:out|err)\b|\bconsole\./.test(toCode(text))
  ).map(({ path }) => path);
  deepEqual(speakers.toSorted(), Object.keys(SPEAKERS).toSorted());
  const raw = files.filter(({ path, text }) =>
    path.startsWith("src/cli/") && path !== "src/cli/terminal.ts" &&
    text.split("\n").some((line) => /\bdata\(/.test(line) && !isJsonAlone(line, text))
  ).map(({ path }) => path);
  deepEqual(raw.toSorted(), Object.keys(TEXTS_FOR_PROGRAMS).toSorted());
});

/** Whether a call gives nothing but JSON; a call over several lines does where the next line says so. */
function isJsonAlone(line: string, text: string): boolean {
  const [, after = ""] = text.split(line);
  const call = line.trimEnd().endsWith("(") ? after.trimStart().split("\n")[0] ?? "" : line;
  return call.includes("`${JSON.stringify(") && !/\? `\$\{JSON.*: (?:text|script)\)/.test(call);
}
