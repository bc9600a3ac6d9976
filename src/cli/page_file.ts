/** Where a page goes that a command made: to standard output, into a file, or into the browser. */
import { dirname, join, resolve } from "node:path";
import { writeFileAtomic } from "../base/files/atomic_write.ts";
import { readRegularFile } from "../base/files/regular_file.ts";
import { findProgram } from "../base/processes/arguments.ts";
import { startDetached } from "../base/processes/process.ts";
import type { Problem } from "../base/problem.ts";
import { makeProblem } from "../base/problem.ts";
import { buildRefusal } from "../base/reply.ts";
import { printReply } from "./answer.ts";
import type { ExitCode, Invocation, OptionRow } from "./command.ts";

/** The options that say where a page is wanted. */
export function makePageOptions(open: string, out: string): readonly OptionRow[] {
  return [
    { name: "open", kind: "flag", summary: open },
    { name: "out", kind: "text", value: "FILE", summary: out },
  ];
}

/** Where a page is wanted, by these options. */
export function readPageTarget(
  { options: { open, out } }: Invocation,
): Pick<PageOutput, "out" | "isOpened"> {
  return { isOpened: open === true, out: typeof out === "string" ? out : null };
}

/** Where the text is wanted. */
export interface PageOutput {
  /** The file that the user named; null for none. */
  readonly out: string | null;
  /** Whether the browser shows it. */
  readonly isOpened: boolean;
  /** Name of the page in the browser's temporary folder. */
  readonly name: string;
  /** Whether the text is for a person to read as it stands; else it is for a browser or a program. */
  readonly isReadable: boolean;
}

/** Puts a text where it is wanted. */
export async function writePage(
  text: string,
  { out, isOpened, name, isReadable }: PageOutput,
  invocation: Invocation,
): Promise<ExitCode> {
  const path = out !== null ? resolve(out) : isOpened ? await makeTemporaryPath(name) : null;
  if (path === null) {
    const { terminal } = invocation;
    await (isReadable ? terminal.out(...text.trimEnd().split("\n")) : terminal.data(text));
    return 0;
  }
  const why = out === null ? null : findObstacle(out, path, text);
  if (why !== null) {
    const hint = "Name a file with --out that is not there yet, or one that this command wrote.";
    return await printRefusal(
      makeProblem("invalid_value", why, { hint }),
      invocation,
      "invalid_arguments",
    );
  }
  await writeFileAtomic(path, text);
  await invocation.terminal.err(`written: ${path}`);
  return isOpened ? await openPage(path, invocation) : 0;
}

/** Pages of one kind begin alike; what begins otherwise was written by somebody else. */
const SAME_CHARS = 16;
const MAX_PAGE_BYTES = 256 * 1024 * 1024;

/** Why a text must not be put into a file that a person named; null where it may. */
function findObstacle(out: string, path: string, text: string): string | null {
  if (out.trim() === "") return "No file is named";
  if (path.split(/[\\/]/).includes(".git")) return `${path} belongs to git`;
  const before = readRegularFile(path, { within: dirname(path), maxBytes: MAX_PAGE_BYTES });
  if (before.kind === "refused") {
    if (before.why === "too_large") return `${path} holds something else`;
    if (before.why === "not_regular") return `${path} cannot be written: ${before.reason}`;
  }
  if (before.kind !== "read" || before.bytes.length === 0) return null;
  const isOther = !new TextDecoder().decode(before.bytes).startsWith(text.slice(0, SAME_CHARS));
  return isOther ? `${path} holds something else` : null;
}

/** Tells a problem of a command that is no tool. */
export async function printRefusal(
  problem: Problem,
  invocation: Invocation,
  error?: "invalid_arguments",
): Promise<ExitCode> {
  return await printReply("get_session_status", buildRefusal([problem], error), invocation);
}

/** A new folder of the user alone, so that nobody else can put another page in its place. */
async function makeTemporaryPath(name: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "code-intel-page-" });
  return join(folder, `${name}.html`);
}

/** What opens a page, by system: a program and its arguments before the path. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  windows: ["explorer.exe"],
};

/** Longest time in which a program that opens pages says that it cannot. */
const OPEN_WAIT_MS = 3_000;

async function openPage(path: string, invocation: Invocation): Promise<ExitCode> {
  const [name, ...args] = OPENERS[Deno.build.os] ?? ["xdg-open"];
  const place = { cwd: invocation.projectDir, path: Deno.env.get("PATH") ?? "" };
  const program = await findProgram(name, place);
  const isStarted = program !== null &&
    await startDetached(program, [...args, path], OPEN_WAIT_MS).catch(() => false);
  if (isStarted || program !== null && Deno.build.os === "windows") return 0;
  const why = program === null ? `there is no ${name} here` : `${name} failed`;
  const problem = makeProblem("no_browser", `The page could not be opened: ${why}`, {
    hint: `It is written; open ${path} in a browser by hand.`,
  });
  return await printRefusal(problem, invocation);
}
