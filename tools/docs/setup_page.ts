/** `docs/setup.md`: what `init` writes, and what happens to each byte of files that are not its own. */
import { toClaudeSetup } from "../../src/clients/claude_code.ts";
import { toCodexSetup } from "../../src/clients/codex.ts";
import type { FileWish } from "../../src/clients/setup.ts";
import type { FileState } from "../../src/project/setup/init_plan.ts";
import { planInit, toManifestAfter } from "../../src/project/setup/init_plan.ts";
import { EMPTY_MANIFEST } from "../../src/project/setup/setup_manifest.ts";
import { PROJECT_TEMPLATES } from "../../src/project/setup/templates.ts";
import { planUninstall } from "../../src/project/setup/uninstall_plan.ts";
import type { ForeignFile } from "../../tests/support/files/foreign_files.ts";
import { EDITED, REFUSED } from "../../tests/support/files/foreign_files.ts";
import { toPage, toTable, toWord } from "./markdown.ts";

const INPUT = {
  command: { words: ["code-intel"], isLocal: false },
  projectRoot: "/work/app",
  skills: ["code", "exp", "outcome"].map((name) => (
    { name, description: "-", argumentHint: "-", body: "-" }
  )),
  block: "## Working on this code\n",
  instructionFile: "CLAUDE.md",
};
const WISHES: readonly FileWish[] = [...toClaudeSetup(INPUT), ...toCodexSetup(INPUT)];

const KINDS: Readonly<Record<FileWish["kind"], string>> = {
  file: "written whole",
  json: "members added in place",
  toml: "a table added at the end, between markers",
  block: "a block added at the end, between markers",
};

const GUIDE = `\`\`\`
code-intel init                      # this project, for the clients that left traces in it
code-intel init DIR --client codex   # another folder, one client (auto, claude, codex, all)
code-intel init --include src,lib --exclude '**/gen/**' --sync-ttl 4
code-intel init --no-permissions     # clients go on asking before they call a tool
code-intel init --dry-run --json     # the plan, for a script
code-intel init --print-config       # only the server's entries, for any other client
code-intel uninstall                 # takes it out; --purge also all else that the program made here
\`\`\`

1. **Look at the plan.** Each line is a file: *created*, *edited* in place, *upgraded* from an older version, *kept* because it is yours, *REFUSED* with the reason.
2. **Claude Code**: start it in the project, trust the folder, allow the server. Its settings let the server's tools run without asking each time (\`mcp__code-intel\` in \`permissions.allow\`), once the folder is trusted. \`/code\`, \`/exp\` and \`/outcome\` are there.
3. **Codex**: trust the folder, then open \`/hooks\` and trust those of code-intel; without that Codex skips them silently. The skills are \`$code\`, \`$exp\`, \`$outcome\`. Its entry
   lets the server's tools run without asking each time (\`default_tools_approval_mode = "approve"\`). \`--no-permissions\` leaves both out, and takes out what an earlier run put in; with \`"writes"\` Codex asks before tools that change something.
4. **Allow the commands that verify changes**: look at \`verify\` in \`.code-intel/config.json\`, then \`code-intel trust\` in a terminal.
5. **Commit** what was written, so that the team shares it; what is only for this machine is left out by \`.code-intel/.gitignore\`. Whoever clones the project needs \`code-intel\` on PATH.
6. \`code-intel doctor\` says whether everything is still in its place, and whether hooks have run.

During a session \`init\` and \`uninstall\` are refused: its rules do not change under it. Park it first.`;

const NPX =
  "From source the entry names Deno by its absolute path, so that a client finds it whatever its PATH is. A Deno that `npx` fetched lies in npx's cache, which may be emptied or cleaned at any time: started by `npx -y deno@…`, the entry therefore reads `npx -y deno@… run …` with the same version, and npx fetches Deno again where it is gone. `npx` stands there by name, since it needs `node` on the client's PATH anyway; a client that is started from a desktop may not have it, and then Deno or the executable on a lasting path is better. `init --print-config` prints the same entry in the forms of Claude Code, Codex, Cursor, VS Code, Gemini CLI, opencode, Windsurf and Zed, each with the file that it belongs in, and writes nothing.";

const PLACES = `## Which folder

Every command, server and hook finds the project in the same way:

1. A folder that you name, with \`--project DIR\` or as the argument of \`init\`, \`try\` and \`uninstall\`, is the project itself.
2. In a git repository it is the top of the repository, whatever lies above, or the nearest package of it that \`init\` set up.
3. Without git it is the nearest folder upwards that \`init\` set up or where a session ran, if it belongs to your account; else the present folder. A folder named \`.code-intel\` alone means nothing, and neither your home folder nor a folder for temporary files counts for the folders in it.

\`/\`, a home folder, a folder for temporary files, a folder that holds several git repositories and a bare repository are no projects: the answer is \`not_a_project\` and names the next step. A question leaves nothing in a folder without git that nobody set up: its index lies in the state folder of your account ([formats.md](formats.md)).

\`init\` without a name sets up that project, because that is where clients look for their files. Started in a package of a larger repository, \`init\` says so in its first line and adds the commands of that package to \`verify\`, for changes of its files only (\`npm --prefix packages/a run test\`). \`code-intel init .\` sets up the present folder alone, as a project of its own.

Commands are proposed from the build files, and only such as can start on this machine; what was left out is said with its reason. Python commands are those of a virtual environment (\`.venv\`, \`venv\`), of uv or of Poetry where the project has one; without the project's manager of packages (pnpm, yarn) \`npm\` runs its scripts, and without any the installed runner in \`node_modules/.bin\` does. Without a script of the project the runner of the language is taken (\`python3 -m unittest\`, \`node --test\`, \`deno test\`, \`go test\`, \`cargo test\` and others). \`doctor\` tries to find the program of each command again.

## Links

A link to a file or folder of the same project is followed: with \`CLAUDE.md -> AGENTS.md\` there is one block, for both clients. Links out of the project, into \`.git\` or \`.code-intel\`, and links to nothing are refused.

## Clones

\`.code-intel/.gitignore\` and \`.code-intel/manifest.json\` are committed with the rest. What went into files of this machine alone is remembered in \`.code-intel/manifest.local.json\`, which git leaves out. Other line ends (\`core.autocrlf\`) are no edit.

## Leaving

\`uninstall\` keeps what a person edited, and sessions, logs and what was learned. \`uninstall --purge\` removes all that the program made here, and says how much: \`.code-intel\`, \`.git/code-intel\` with the index and the past (or the folder of the user that takes its place where the repository cannot be written to), all refs below \`refs/code-intel\`, task branches without work of their own, marks of sessions and decisions about trust in the state folder. It works where sessions ran without \`init\`. It keeps, and names: task branches with commits that are not in their base, what sessions of another worktree or project of the repository need, keys and caches that serve all projects. Unfinished sessions go only when a person agrees at a terminal; \`--dry-run\` shows everything first.`;

/** The page, from the set-up of each client and from the fixtures of the tests. */
export function renderSetup(): string {
  const files = WISHES.map(({ path, kind }) => [toWord(path), KINDS[kind]]);
  const own = [
    ".gitignore",
    "config.json",
    "config.schema.json",
    "context.yml",
    ...PROJECT_TEMPLATES,
  ];
  return toPage("Setting up a project", "src/clients and tests/support/files/foreign_files.ts", [
    "`code-intel init` shows what it does to each file, and does it; `--dry-run` only shows it. A second run changes nothing; the run of a later version upgrades what nobody edited. `code-intel uninstall` takes out exactly what was put in. What is remembered for both stands in `.code-intel/manifest.json`; a copy of each edited file as it was lies in `.code-intel/init_backup/` (beside the file for those of the home folder).",
    "## In short",
    GUIDE,
    PLACES,
    "## Files of clients",
    toTable(["file", "how"], files),
    "A program that runs from source is called by paths of this machine. Then the server goes into `~/.claude.json` (for this project) and `~/.codex/config.toml`, the hooks into `.claude/settings.local.json` and `~/.codex/hooks.json`, and the files above that a team shares are left alone.",
    NPX,
    "## Files of the project",
    `Below \`.code-intel/\`: ${
      own.map(toWord).join(", ")
    }, and the folders \`logs/\` and \`sessions/\`. \`config.json\` and \`context.yml\` are written once and are yours then; of the others each stays as you edit it.`,
    "## What happens to each byte",
    "Each row is a file as it lay in a project before `init`; the tests do the same on real folders. *Added* is what `init` put in; *taken away* are bytes of the person that are missing or in another order afterwards; *again* is what a second `init` changed; *left* is how the file differs after `uninstall`.",
    toTable(
      ["file before", "path", "bytes", "added", "taken away", "again", "left"],
      EDITED.map(toRow),
    ),
    "## Files that are refused",
    "Nothing of them changes, the rest is set up, and the exit code is 1. Links out of the project, folders in place of files and read-only files are refused alike.",
    toTable(["file", "path", "why"], REFUSED.map(toRefusedRow)),
  ]);
}

function toRow(file: ForeignFile): readonly string[] {
  const before = String(file.text);
  const wishes = WISHES.filter(({ path }) => path === file.path);
  const first = planInit(wishes, toStates(file.path, before), EMPTY_MANIFEST);
  const after = first[0]?.text ?? before;
  const manifest = toManifestAfter(EMPTY_MANIFEST, first, []);
  const second = planInit(wishes, toStates(file.path, after), manifest);
  const again = second[0]?.text ?? after;
  const [undo] = planUninstall(manifest, toStates(file.path, again), { isPurge: false });
  const left = undo === undefined || undo.fromCopy ? before : undo.text ?? again;
  return [
    file.name,
    toWord(file.path),
    String(toSize(before)),
    file.isKept ? "0 (kept)" : String(toSize(after) - toSize(before)),
    String(countMissing(before, after)),
    again === after ? "nothing" : "CHANGED",
    left === before ? `identical${undo?.fromCopy ? " (from the copy)" : ""}` : "DIFFERS",
  ];
}

function toRefusedRow(file: ForeignFile): readonly string[] {
  const wishes = WISHES.filter(({ path }) => path === file.path);
  const states = typeof file.text === "string"
    ? toStates(file.path, file.text)
    : new Map([[file.path, { kind: "odd", message: "it is not UTF-8 text" } as const]]);
  const [planned] = planInit(wishes, states, EMPTY_MANIFEST);
  return [file.name, toWord(file.path), planned?.reason ?? "NOT REFUSED"];
}

function toStates(path: string, text: string): ReadonlyMap<string, FileState> {
  return new Map([[path, { kind: "text", text, isReadOnly: false }]]);
}

/** Characters of `before` that do not come in `after` in the same order. */
function countMissing(before: string, after: string): number {
  let at = 0;
  let missing = 0;
  for (const char of before) {
    const found = after.indexOf(char, at);
    if (found < 0) missing++;
    else at = found + char.length;
  }
  return missing;
}

function toSize(text: string): number {
  return new TextEncoder().encode(text).length;
}
