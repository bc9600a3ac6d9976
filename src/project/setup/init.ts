/** Sets a project up: reads what is there, plans each file, and writes the plan. */
import { join } from "node:path";
import { buildConfigSchema } from "../../base/settings/config.ts";
import { CodeIntelError } from "../../base/errors.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import type { ClientName, DesiredFile, ProgramCommand, SetupInput } from "../../clients/setup.ts";
import { buildClaudeMinimum, buildClaudeSetup } from "../../clients/claude_code.ts";
import { buildCodexEntry, buildCodexSetup } from "../../clients/codex.ts";
import { GITIGNORE, SESSION_GITIGNORE } from "../../session/archive.ts";
import type { ConfigChoices } from "./config_text.ts";
import { buildChosenMembers, buildConfigText, buildContextText } from "./config_text.ts";
import type { SetupRoots } from "../edits/file_state.ts";
import { listMissingFolders, resolvePath, writeText } from "../edits/file_state.ts";
import type { DesiredChange, FileState, PlannedFile } from "./init_plan.ts";
import { planInit, updateManifest } from "./init_plan.ts";
import { resolveTargets, withNames, withoutLinks } from "./resolved_targets.ts";
import type { SetupFacts } from "./project_facts.ts";
import { readProjectFacts } from "./project_facts.ts";
import type { SetupManifest } from "./setup_manifest.ts";
import { EMPTY_MANIFEST, hashText, loadManifest, saveManifest } from "./setup_manifest.ts";
import type { Templates } from "./templates.ts";
import { loadTemplates } from "./templates.ts";
import { removeUnfinishedWrites } from "../unfinished_writes.ts";

/** What a person chose. */
export interface InitInput extends SetupRoots {
  readonly command: ProgramCommand;
  /** Clients to set up; `auto` takes those of which the project or the machine shows traces. */
  readonly clients: "auto" | readonly ClientName[];
  readonly choices: ConfigChoices;
  /** True for the server's entries alone: no file that a team would share. Default false. */
  readonly isEntryOnly?: boolean;
  /** True where clients shall ask before they call a tool. Default false. */
  readonly isAsking?: boolean;
  /** The folder in which the user started, relative to the project; default its top. */
  readonly startDir?: string;
}

/** A plan that can be shown, and then written. */
export interface InitPlan {
  readonly input: InitInput;
  readonly clients: readonly ClientName[];
  readonly facts: SetupFacts;
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
  const wishes = listDesired({ input, facts, templates, clients });
  const names = [facts.claudeFile, "AGENTS.md"];
  const block = templates.sharedBlock;
  // The text of a shared file must not depend on which client is set up now. Otherwise it would
  // change with each run.
  const first = buildClaudeSetup(buildSetupInput(input, facts, templates));
  const placed = await resolveTargets(input, wishes, { names, block, first });
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
    ...listWorkFolders(input).map((folder) => `${folder}/x`),
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
  await saveManifest(codeIntelDir, updateManifest(manifest, files, folders));
  const paths = files.map(({ path }) => resolvePath(input, path));
  await removeUnfinishedWrites(paths, { olderThanMs: STALE_MS });
  const done: PlannedFile[] = [];
  for (const file of files) done.push(await write(input, file));
  for (const folder of listWorkFolders(input)) {
    await makeOwnFolder(join(input.root, folder));
  }
  await saveManifest(codeIntelDir, updateManifest(manifest, done, folders));
  return done;
}

function listWorkFolders({ isEntryOnly = false }: InitInput): readonly string[] {
  return isEntryOnly ? [] : WORK_FOLDERS;
}

/** Path of the copy made before the first edit of a file that is not ours. */
export function chooseCopyPath(path: string): string {
  // A file of the home folder may hold secrets, so its copy stays beside it.
  return path.startsWith("~/") ? `${path}.before-code-intel` : `.code-intel/init_backup/${path}`;
}

interface DesiredInput {
  readonly input: InitInput;
  readonly facts: SetupFacts;
  readonly templates: Templates;
  readonly clients: readonly ClientName[];
}

function listDesired({ input, facts, templates, clients }: DesiredInput): readonly DesiredChange[] {
  const rulesFile = facts.rulesFile ??
    (clients.includes("claude") ? facts.claudeFile : "AGENTS.md");
  const config: SetupFacts = { ...facts, rulesFile };
  const own = (name: string, text: string, policy: "once" | "upgrade") => ({
    kind: "file" as const,
    path: `.code-intel/${name}`,
    text,
    policy,
  });
  if (input.isEntryOnly === true) {
    // The ignore file that hides itself, so that nothing shows in `git status`.
    const ignore = own(".gitignore", SESSION_GITIGNORE, "once");
    const setup = buildSetupInput(input, facts, templates);
    return [ignore, ...clients.flatMap((client) => ENTRIES[client](setup))];
  }
  return [
    { ...own(".gitignore", GITIGNORE, "upgrade"), formerly: [SESSION_GITIGNORE] },
    own("config.json", buildConfigText(config, input.choices), "once"),
    {
      kind: "members",
      path: ".code-intel/config.json",
      members: buildChosenMembers(input.choices),
    },
    own("config.schema.json", `${JSON.stringify(buildConfigSchema(), null, 2)}\n`, "upgrade"),
    own("context.yml", buildContextText(config), "once"),
    ...Object.entries(templates.project).map(([name, text]) => own(name, text, "upgrade")),
    ...clients.flatMap((client) => SETUPS[client](buildSetupInput(input, facts, templates))),
  ];
}

type Setup = (input: SetupInput & { readonly agentsBlock: string }) => readonly DesiredFile[];

const SETUPS: Readonly<Record<ClientName, Setup>> = {
  claude: buildClaudeSetup,
  codex: (input) => buildCodexSetup({ ...input, block: input.agentsBlock }),
};

const ENTRIES: Readonly<Record<ClientName, (input: SetupInput) => readonly DesiredFile[]>> = {
  claude: buildClaudeMinimum,
  codex: (input) => [buildCodexEntry(input)],
};

function buildSetupInput(input: InitInput, facts: SetupFacts, templates: Templates) {
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
      memory.record.before === hashText(before);
    if (isFirst) await copy(places, path, before);
    await writeText(places, path, text);
    return file;
  } catch (failure) {
    if (!(failure instanceof CodeIntelError)) throw failure;
    const { message: reason, hint } = failure;
    return { ...file, action: "refuse", text: null, reason, hint, memory: { kind: "none" } };
  }
}

async function copy(places: SetupRoots, path: string, before: string): Promise<void> {
  const target = chooseCopyPath(path);
  if (await Deno.stat(resolvePath(places, target)).then(() => true, () => false)) return;
  const { mode } = await Deno.stat(resolvePath(places, path));
  await writeText(places, target, before);
  if (mode !== null && Deno.build.os !== "windows") {
    await Deno.chmod(resolvePath(places, target), mode & 0o777);
  }
}
