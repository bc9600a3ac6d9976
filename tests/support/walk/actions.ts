/** What an agent with a shell, and the person beside it, do to a project in random walks. */
import { dirname, join } from "node:path";
import type { Project } from "../session/project.ts";
import type { Random } from "../random.ts";
import { pick } from "../random.ts";
import { runGit } from "../temp_repo.ts";
import { toParts, toText } from "./disk.ts";

/** Files that the agent works on; the person has a part of the texts among them. */
export const SHARED_PATHS = ["src/a.ts", "src/b.ts", "lib/c.ts", "lib/new.ts"] as const;

/** Files that only the person means to change. */
export const PERSON_PATHS = [
  "notes/mine.md",
  'notes/ü "q".md',
  "notes/later.md",
  "src/view.ts",
  "run.sh",
  "notes/link",
] as const;

/** The files of the first commit. */
export const WALK_FILES: Readonly<Record<string, string>> = {
  ".gitignore": ".env\n*.log\n",
  "README.md": "# Sample\n",
  "src/a.ts": toText({ agent: "a", person: "a" }),
  "src/b.ts": toText({ agent: "b", person: "b" }),
  "lib/c.ts": toText({ agent: "c", person: "c" }),
  "src/view.ts": "export const shown = login();\n",
  "notes/mine.md": "mine\n",
  "run.sh": "#!/bin/sh\n",
};

/** What a deed works with. */
export interface ActionInput {
  readonly project: Project;
  readonly random: Random;
  /** Counts up, so that no two deeds write the same. */
  readonly number: number;
}

/** One thing that is done; returns what it did, for the log. */
export type Action = (input: ActionInput) => Promise<string>;

async function write({ project }: ActionInput, path: string, text: string): Promise<void> {
  const full = join(project.dir, path);
  await Deno.mkdir(dirname(full), { recursive: true });
  // A link is replaced, not followed: what it names may be somebody else's.
  if ((await Deno.lstat(full).catch(() => null))?.isSymlink) await Deno.remove(full);
  await Deno.writeTextFile(full, text);
}

async function overwrite(input: ActionInput, path: string): Promise<string> {
  await write(input, path, `other text ${input.number}\n`);
  return `overwrote ${path}`;
}

async function changePart(
  input: ActionInput,
  path: string,
  part: "agent" | "person",
): Promise<string> {
  const text = await Deno.readTextFile(join(input.project.dir, path)).catch(() => "");
  const parts = toParts(text);
  if (parts === null) return `found no text in ${path}`;
  await write(input, path, toText({ ...parts, [part]: `${part} ${input.number}` }));
  return `changed the ${part}'s part of ${path}`;
}

async function remove({ project }: ActionInput, path: string): Promise<string> {
  const done = await Deno.remove(join(project.dir, path)).then(() => true, () => false);
  return `removed ${path}${done ? "" : " (was not there)"}`;
}

async function rename(input: ActionInput, path: string): Promise<string> {
  const to = `notes/moved-${input.number}`;
  await Deno.mkdir(join(input.project.dir, "notes"), { recursive: true });
  const done = await Deno.rename(join(input.project.dir, path), join(input.project.dir, to))
    .then(() => true, () => false);
  return `renamed ${path} to ${to}${done ? "" : " (was not there)"}`;
}

async function changeMode({ project }: ActionInput, path: string): Promise<string> {
  const full = join(project.dir, path);
  const info = await Deno.lstat(full).catch(() => null);
  if (info?.isFile !== true) return `found no file ${path}`;
  await Deno.chmod(full, ((info.mode ?? 0) & 0o100) === 0 ? 0o755 : 0o644);
  return `changed the mode of ${path}`;
}

async function link(input: ActionInput, path: string): Promise<string> {
  const full = join(input.project.dir, path);
  await Deno.mkdir(dirname(full), { recursive: true });
  await Deno.remove(full).catch(() => {});
  await Deno.symlink(`target-${input.number}`, full);
  return `made ${path} a link`;
}

async function git(input: ActionInput, ...args: readonly string[]): Promise<string> {
  const done = await runGit(input.project.dir, args).then(() => "", () => " (failed)");
  return `git ${args.join(" ")}${done}`;
}

/** Files of the index and the disk; `.code-intel` and what git ignores are nobody's here. */
async function listPaths({ project }: ActionInput): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = await runGit(project.dir, args);
  return [...new Set(listed.split("\0"))].filter((path) =>
    path !== "" && path !== ".gitignore" && !path.startsWith(".code-intel/")
  );
}

const onAny =
  (deed: (input: ActionInput, path: string) => Promise<string>): Action => async (input) =>
    await deed(input, pick(input.random, [...await listPaths(input), "lib/new.ts"]));

/** What the agent does to files by its shell, allowed or not. */
export const AGENT_ACTIONS: readonly Action[] = [
  onAny(overwrite),
  onAny((input, path) => changePart(input, path, "agent")),
  onAny(remove),
  onAny(rename),
  onAny(changeMode),
  onAny(link),
  (input) => overwrite(input, `lib/made-${input.number}.ts`),
];

const onPersons =
  (deed: (input: ActionInput, path: string) => Promise<string>): Action => (input) =>
    deed(input, pick(input.random, PERSON_PATHS));

/** What the person does beside the agent. */
export const USER_ACTIONS: readonly Action[] = [
  onPersons(overwrite),
  onPersons(remove),
  onPersons(changeMode),
  onPersons(link),
  (input) => changePart(input, pick(input.random, SHARED_PATHS), "person"),
  (input) => changePart(input, pick(input.random, SHARED_PATHS), "person"),
  (input) => overwrite(input, `notes/new-${input.number}.md`),
  (input) => git(input, "add", "--", pick(input.random, [...PERSON_PATHS, ...SHARED_PATHS])),
  (input) => git(input, "add", "--", "notes", "src"),
];

/** What somebody does with git by hand; each may fail, as it would at a shell. */
export const GIT_ACTIONS: readonly Action[] = [
  (input) => git(input, "commit", "-qm", "By hand"),
  (input) => git(input, "commit", "-qam", "All by hand"),
  async (input) => {
    const path = pick(input.random, await listPaths(input));
    await git(input, "add", "--", path);
    return await git(input, "commit", "-qm", "One by hand", "--", path);
  },
  (input) => git(input, "commit", "-q", "--allow-empty", "-m", "Empty"),
  (input) => git(input, "commit", "-q", "--amend", "-m", "Amended"),
  (input) => git(input, "reset", "-q", "--soft", "HEAD~1"),
  (input) => git(input, "reset", "-q", "--hard"),
  (input) => git(input, "reset", "-q"),
  (input) => git(input, "stash", "-q"),
  (input) => git(input, "stash", "-q", "-u"),
  (input) => git(input, "stash", "pop", "-q"),
  (input) => git(input, "checkout", "-q", "--", "src"),
  (input) => git(input, "checkout", "-q", "--detach"),
  (input) => git(input, "switch", "-q", "main"),
  (input) => git(input, "switch", "-q", "-"),
  (input) => git(input, "switch", "-q", "-c", `side-${input.number}`),
  (input) => git(input, "switch", "-q", "side"),
  (input) => git(input, "rm", "-q", "--cached", "--", "src/view.ts"),
  (input) => git(input, "clean", "-qfd"),
  (input) => git(input, "prune", "--expire=now"),
  (input) => git(input, "update-index", "--assume-unchanged", "--", "src/b.ts"),
];
