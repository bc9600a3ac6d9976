/**
 * Refuses shell commands of an agent during a session: git commands that move branches, and
 * commands that only a person may give. This is an early warning, no wall: what gets past it is
 * found by the ledger. Pure.
 */
import { STEP } from "../base/steps.ts";
import type { ShellContext } from "./shell_commands.ts";
import { choosePathRules, parseCommands } from "./shell_commands.ts";

/** Why a command is refused, and what to do instead. */
export interface ShellRefusal {
  readonly command: string;
  readonly hint: string;
}

const GIT_HINTS: Readonly<Record<string, string>> = {
  commit: `The server commits, after the review at ${STEP.PRE_COMMIT}.`,
  merge: `The server merges at ${STEP.MERGE}.`,
  rebase: "The server keeps the task branch; nothing is rebased during a session.",
  reset:
    `To put files back, settle them by submit_phase with change_resolution, or discard them at ${STEP.PRE_COMMIT}.`,
  checkout:
    `The server switches branches; to put files back, use change_resolution or discard at ${STEP.PRE_COMMIT}.`,
  switch: "The server switches branches.",
  push: "Pushing is for the person, after the session.",
  stash: "Nothing has to be stashed: the server keeps a snapshot of every step.",
  branch: "The server makes and removes task branches.",
  "update-ref": "The server moves the branches of the session.",
  "symbolic-ref": "The server moves HEAD.",
  pull:
    `The server brings the base in at ${STEP.MERGE}; what others pushed is for the person, after the session.`,
  "cherry-pick":
    `The server commits at ${STEP.PRE_COMMIT}: make the change in the files, as a task.`,
  revert: `The server commits at ${STEP.PRE_COMMIT}: make the change in the files, as a task.`,
  am: `The server commits at ${STEP.PRE_COMMIT}: make the change in the files, as a task.`,
  restore:
    `To put files back, settle them by submit_phase with change_resolution, or discard them at ${STEP.PRE_COMMIT}.`,
  clean:
    `To take files away, settle them by change_resolution, or discard them at ${STEP.PRE_COMMIT}.`,
};

const PERSON_HINT = "Ask the person to run it in a terminal of their own.";

/** Options of git that are followed by a value. */
const GIT_VALUES: readonly string[] = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];

/** Judges a command line; null lets the command run. */
export function judgeShell(line: string, place: ShellContext): ShellRefusal | null {
  for (const { name, args, folder } of parseCommands(line, place)) {
    const found = name === "git"
      ? judgeGit(args, { ...place, cwd: folder })
      : judgeOwn([name, ...args]);
    if (found !== null) return found;
  }
  return null;
}

/** Folders in which the commands of a line work, each once; git's own options for that count. */
export function listShellFolders(line: string, place: ShellContext): readonly string[] {
  const folders = parseCommands(line, place).map(({ name, args, folder }) =>
    name === "git" ? readGit(args, { ...place, cwd: folder }).folder : folder
  );
  return [...new Set(folders)];
}

/** Where git works, and its words behind its own options. */
function readGit(
  args: readonly string[],
  place: Pick<ShellContext, "cwd" | "root">,
): { readonly folder: string; readonly words: readonly string[] } {
  const { resolve } = choosePathRules(place.root);
  let folder = place.cwd;
  let at = 0;
  for (; at < args.length && args[at]?.startsWith("-"); at++) {
    const [option = "", joined] = (args[at] ?? "").split(/=(.*)/s);
    const value = joined ?? args[at + 1] ?? ".";
    if (option === "-C" || option === "--work-tree") folder = resolve(folder, value);
    if (joined === undefined && GIT_VALUES.includes(option)) at++;
  }
  return { folder, words: args.slice(at) };
}

function judgeGit(args: readonly string[], place: ShellContext): ShellRefusal | null {
  const { folder, words } = readGit(args, place);
  // What happens in another repository does not concern the session.
  if (!isInside(folder, place)) return null;
  const [verb = "", ...rest] = words;
  if (!Object.hasOwn(GIT_HINTS, verb) || isHarmless(verb, rest)) return null;
  return { command: `git ${verb}`, hint: GIT_HINTS[verb] ?? "" };
}

function isInside(folder: string, { root, toReal = (path) => path }: ShellContext): boolean {
  const { isAbsolute, relative } = choosePathRules(root);
  const way = relative(toReal(root), toReal(folder));
  return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

function isHarmless(verb: string, rest: readonly string[]): boolean {
  if (rest.includes("--help") || rest.includes("-h")) return true;
  if (verb === "stash") return ["list", "show"].includes(rest[0] ?? "");
  if (verb === "commit" || verb === "push") return rest.includes("--dry-run");
  if (verb === "clean") return rest.some((arg) => /^(?:-\w*n\w*|--dry-run)$/.test(arg));
  // With one name `symbolic-ref` only prints where HEAD points.
  if (verb === "symbolic-ref") return rest.filter((arg) => !arg.startsWith("-")).length < 2;
  if (verb === "branch") {
    return !rest.some((arg) => /^(?:-\w*[dDmM]\w*|--delete|--move|--force|-f)$/.test(arg));
  }
  return false;
}

/** Commands of this program that act for the user. */
const PERSON: readonly (readonly string[])[] = [
  ["trust"],
  ["prove", "--allow-commands"],
  ["session", "accept"],
  ["restore"],
  ["clean", "--all"],
  ["init"],
  ["uninstall"],
];

function judgeOwn(words: readonly string[]): ShellRefusal | null {
  const [program = ""] = words;
  const at = RUNTIMES.includes(program)
    ? words.findIndex((word) => /(?:^|[\\/])src[\\/]main\.ts$|^cli$/.test(word))
    : program === "code-intel"
    ? 0
    : -1;
  if (at < 0) return null;
  const rest = words.slice(at + 1);
  const found = PERSON.find(([first = "", second]) =>
    rest[0] === first &&
    (second === undefined || rest.some((word) => word.split("=")[0] === second))
  );
  return found === undefined || rest.includes("--help") || rest.includes("--dry-run")
    ? null
    : { command: `code-intel ${found.join(" ")}`, hint: PERSON_HINT };
}

/** Programs that run the source: `npx -y deno@… run -q -P main.ts trust`, `deno task cli trust`. */
const RUNTIMES: readonly string[] = ["npx", "deno", "node"];
