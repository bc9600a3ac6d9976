/** Sets a project up: reads what is there, plans each file, and writes the plan. */
import { join } from "node:path";
import { toConfigSchema } from "../../base/settings/config.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import type { ClientName, FileWish, ProgramCommand, SetupInput } from "../../clients/setup.ts";
import { toClaudeMinimum, toClaudeSetup } from "../../clients/claude_code.ts";
import { toCodexEntry, toCodexSetup } from "../../clients/codex.ts";
import { GITIGNORE, SESSION_GITIGNORE } from "../../session/archive.ts";
import type { ConfigChoices } from "./config_text.ts";
import { toChosenMembers, toConfigText, toContextText } from "./config_text.ts";
import type { Places } from "../edits/file_state.ts";
import { listMissingFolders, toAbsolute, writeText } from "../edits/file_state.ts";
import type { FileState, PlannedFile, Wish } from "./init_plan.ts";
import { planInit, toManifestAfter } from "./init_plan.ts";
import { placeWishes, withNames, withoutLinks } from "./placed_wishes.ts";
import type { ProjectFacts } from "./project_facts.ts";
import { readProjectFacts } from "./project_facts.ts";
import type { SetupManifest } from "./setup_manifest.ts";
import { EMPTY_MANIFEST, loadManifest, saveManifest, toHash } from "./setup_manifest.ts";
import type { Templates } from "./templates.ts";
import { loadTemplates } from "./templates.ts";
import { removeUnfinishedWrites } from "../unfinished_writes.ts";

/** What a person chose. */
export interface InitInput extends Places {
  readonly command: ProgramCommand;
  /** Clients to set up; `auto` takes those of which the project or the machine shows traces. */
  readonly clients: "auto" | readonly ClientName[];
  readonly choices: ConfigChoices;
  /** True for the server's entries alone: no file that a team would share. Default false. */
  readonly isEntryOnly?: boolean;
  /** True where clients shall ask before they call a tool. Default false. */
  readonly isAsking?: boolean;
  /** The folder in which the person started, relative to the project; default its top. */
  readonly startDir?: string;
}

/** A plan that can be shown, and then written. */
export interface InitPlan {
  readonly input: InitInput;
  readonly clients: readonly ClientName[];
  readonly facts: ProjectFacts;
  readonly files: readonly PlannedFile[];
  readonly folders: readonly string[];
  readonly manifest: SetupManifest;
}

/** Longest time that a write takes: an older temporary file was left by a killed process. */
const STALE_MS = 60_000;
/** Folders that the program fills while it works. */
const WORK_FOLDERS = [".code-intel/agreements", ".code-intel/logs", ".code-intel/sessions"];

/** Reads the project and plans its set-up; nothing is written. */
export async function planSetup(input: InitInput): Promise<InitPlan> {
  const codeIntelDir = join(input.root, ".code-intel");
  const [facts, templates, known] = await Promise.all([
    readProjectFacts(input),
    loadTemplates(),
    loadManifest(codeIntelDir),
  ]);
  const clients = input.clients === "auto" ? facts.clients : input.clients;
  const wishes = toWishes({ input, facts, templates, clients });
  const names = [facts.claudeFile, "AGENTS.md"];
  const block = templates.sharedBlock;
  // The text of a shared file must not depend on which client is set up now, because it would then
  // change with each run.
  const first = toClaudeSetup(toSetupInput(input, facts, templates));
  const placed = await placeWishes(input, wishes, { names, block, first });
  const { states } = placed;
  const usable = placed.wishes.filter((wish) =>
    wish.kind !== "members" || isThere(states, wish.path)
  );
  const manifest = withoutLinks(known ?? EMPTY_MANIFEST, placed);
  const files = [
    ...planInit(usable, states, manifest).map((file) => withNames(file, placed)),
    ...placed.refused,
  ];
  const written = files.filter(({ text }) => text !== null).map(({ path }) => path);
  const folders = await listMissingFolders(input, [
    ...written,
    ...toWorkFolders(input).map((folder) => `${folder}/x`),
  ]);
  return { input, clients, facts, files, folders, manifest };
}

/**
 * Writes a plan. A file that cannot be written is reported, and the others are still written. Each
 * change is noted in the manifest before it is made, so that `uninstall` knows it even after a kill
 * in between.
 */
export async function applySetup(plan: InitPlan): Promise<readonly PlannedFile[]> {
  const { input, files, folders, manifest } = plan;
  const codeIntelDir = join(input.root, ".code-intel");
  await makeOwnFolder(codeIntelDir);
  await saveManifest(codeIntelDir, toManifestAfter(manifest, files, folders));
  const paths = files.map(({ path }) => toAbsolute(input, path));
  await removeUnfinishedWrites(paths, { olderThanMs: STALE_MS });
  const done: PlannedFile[] = [];
  for (const file of files) done.push(await write(input, file));
  for (const folder of toWorkFolders(input)) {
    await makeOwnFolder(join(input.root, folder));
  }
  await saveManifest(codeIntelDir, toManifestAfter(manifest, done, folders));
  return done;
}

function toWorkFolders({ isEntryOnly = false }: InitInput): readonly string[] {
  return isEntryOnly ? [] : WORK_FOLDERS;
}

/** Path of the copy made before the first edit of a file that is not ours. */
export function toCopyPath(path: string): string {
  // A file of the home folder may hold secrets, so its copy stays beside it.
  return path.startsWith("~/") ? `${path}.before-code-intel` : `.code-intel/init_backup/${path}`;
}

interface WishInput {
  readonly input: InitInput;
  readonly facts: ProjectFacts;
  readonly templates: Templates;
  readonly clients: readonly ClientName[];
}

function toWishes({ input, facts, templates, clients }: WishInput): readonly Wish[] {
  const rulesFile = facts.rulesFile ??
    (clients.includes("claude") ? facts.claudeFile : "AGENTS.md");
  const config: ProjectFacts = { ...facts, rulesFile };
  const own = (name: string, text: string, policy: "once" | "upgrade") => ({
    kind: "file" as const,
    path: `.code-intel/${name}`,
    text,
    policy,
  });
  if (input.isEntryOnly === true) {
    // The ignore file that hides itself, so that nothing shows in `git status`.
    const ignore = own(".gitignore", SESSION_GITIGNORE, "once");
    const setup = toSetupInput(input, facts, templates);
    return [ignore, ...clients.flatMap((client) => ENTRIES[client](setup))];
  }
  return [
    { ...own(".gitignore", GITIGNORE, "upgrade"), formerly: [SESSION_GITIGNORE] },
    own("config.json", toConfigText(config, input.choices), "once"),
    { kind: "members", path: ".code-intel/config.json", members: toChosenMembers(input.choices) },
    own("config.schema.json", `${JSON.stringify(toConfigSchema(), null, 2)}\n`, "upgrade"),
    own("context.yml", toContextText(config), "once"),
    ...Object.entries(templates.project).map(([name, text]) => own(name, text, "upgrade")),
    ...clients.flatMap((client) => SETUPS[client](toSetupInput(input, facts, templates))),
  ];
}

type Setup = (input: SetupInput & { readonly agentsBlock: string }) => readonly FileWish[];

const SETUPS: Readonly<Record<ClientName, Setup>> = {
  claude: toClaudeSetup,
  codex: (input) => toCodexSetup({ ...input, block: input.agentsBlock }),
};

const ENTRIES: Readonly<Record<ClientName, (input: SetupInput) => readonly FileWish[]>> = {
  claude: toClaudeMinimum,
  codex: (input) => [toCodexEntry(input)],
};

function toSetupInput(input: InitInput, facts: ProjectFacts, templates: Templates) {
  return {
    command: input.command,
    projectRoot: input.root,
    skills: templates.skills,
    block: templates.claudeBlock,
    agentsBlock: templates.agentsBlock,
    instructionFile: facts.claudeFile,
    isAsking: input.isAsking === true,
  };
}

/** Chosen members are put into a configuration that exists; a new one is written with them. */
function isThere(states: ReadonlyMap<string, FileState>, path: string): boolean {
  return states.get(path)?.kind !== "missing";
}

async function write(places: InitInput, file: PlannedFile): Promise<PlannedFile> {
  const { path, text, before, memory } = file;
  if (text === null) return file;
  try {
    const isFirst = memory.kind === "edit" && before !== null &&
      memory.record.before === toHash(before);
    if (isFirst) await copy(places, path, before);
    await writeText(places, path, text);
    return file;
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    const { message: reason, hint } = failure;
    return { ...file, action: "refuse", text: null, reason, hint, memory: { kind: "none" } };
  }
}

async function copy(places: Places, path: string, before: string): Promise<void> {
  const target = toCopyPath(path);
  if (await Deno.stat(toAbsolute(places, target)).then(() => true, () => false)) return;
  const { mode } = await Deno.stat(toAbsolute(places, path));
  await writeText(places, target, before);
  if (mode !== null && Deno.build.os !== "windows") {
    await Deno.chmod(toAbsolute(places, target), mode & 0o777);
  }
}
