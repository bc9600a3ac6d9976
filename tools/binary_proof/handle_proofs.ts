/**
 * What the executable holds open: a server under use keeps no file of a call, and too low a limit of open files is
 * said at the start. Proven here, because what is bundled differs from the source.
 */
import { canReadProcesses, run } from "../run.ts";
import { Client } from "../demo/client.ts";
import type { Sandbox } from "./sandbox.ts";
import { expect, Skipped } from "./sandbox.ts";

/** A file that each call, or each session, leaves open shows with the ninth; one that every twentieth leaves shows too. */
const CALLS = 200;
const PAIRS = 20;
/** The index and its lock, the extension, a file that is being read at the moment of the look. */
const MORE_FILES = 8;
/** With six threads, which come and go by the work behind the calls and have eight pipes and queues each. */
const MORE_HANDLES = MORE_FILES + 6 * 8;
const SOURCE = { "src/pay.ts": "export function pay(): number {\n  return 1;\n}\n" };

/** Recorded calls in a session, then sessions begun and abandoned: what is open afterwards was open before. */
export async function proveHandles(sandbox: Sandbox): Promise<void> {
  if (!canReadProcesses()) throw new Skipped("the system does not tell what a process has open");
  const client = await startServer(sandbox);
  try {
    await startSession(client);
    await callOften(client, 10);
    const first = await listOpen(client.pid);
    await callOften(client, CALLS);
    const second = await listOpen(client.pid);
    expectFlat(`${CALLS} recorded calls`, first, second);
    await abandon(client);
    for (let pair = 1; pair <= PAIRS; pair++) {
      await startSession(client);
      await abandon(client);
    }
    expectFlat(`${PAIRS} sessions`, second, await listOpen(client.pid));
  } finally {
    await client.close();
  }
}

/** What the process has open: paths of files and folders, `pipe:[1]`, `socket:[2]` and the like. */
async function listOpen(pid: number): Promise<readonly string[]> {
  const look = 'cd "/proc/$1/fd" && for fd in *; do readlink "$fd"; done; :';
  const text = await run("sh", ["-c", look, "look", String(pid)], { cwd: "/" });
  return text.split("\n").filter((line) => line !== "");
}

function expectFlat(what: string, before: readonly string[], after: readonly string[]): void {
  const files = (open: readonly string[]) => open.filter((name) => name.startsWith("/")).length;
  const isFlat = files(after) <= files(before) + MORE_FILES &&
    after.length <= before.length + MORE_HANDLES;
  const counts = `${before.length} to ${after.length} handles, ${files(before)} to ${files(after)}`;
  expect(isFlat, `${what} leave nothing open: from ${counts} of files, most ${toMost(after)}`);
}

/** The three that are open most often. */
function toMost(open: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of open) counts.set(name, (counts.get(name) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3);
  return rows.map(([name, count]) => `${count} x ${name}`).join(", ");
}

/** Below what the program needs, and so low that the runtime itself comes up only just. */
const TOO_LOW = [16, 24, 32, 48, 64, 96];
const ENOUGH = [128, 256];
const AT_ONCE = 20;

/** Too low a limit is named at the start, whatever the command; with a modest one a busy server answers. */
export async function proveLimits(sandbox: Sandbox): Promise<void> {
  const cwd = await sandbox.makeRepository(SOURCE);
  for (const limit of TOO_LOW) {
    const before = toLimited(limit);
    for (const words of [["text", "pay"], ["search", "pay"], ["doctor"], ["serve"]]) {
      const { code, stdout, stderr } = await sandbox.run(words, { cwd, before });
      const isSaid = code === 2 && stdout === "" &&
        /^code-intel: Cannot start: .*only \d+ more files?.*`ulimit -n`.*\nRaise the limit/.test(
          stderr,
        );
      expect(isSaid, `${words[0]} with ${limit} open files: ${code} ${stderr}${stdout}`);
    }
  }
  for (const limit of ENOUGH) {
    const client = await startServer(sandbox, toLimited(limit));
    try {
      const tools = ["search_text", "find_definitions", "find_references", "get_symbols"] as const;
      const calls = Array.from(
        { length: AT_ONCE },
        (_, at) => tools[at % tools.length] ?? tools[0],
      );
      const answers = await Promise.all(
        calls.map((tool) => client.callTool(tool, ARGUMENTS[tool])),
      );
      for (const { reply } of answers) {
        expect(reply.ok === true, `with ${limit} open files: ${JSON.stringify(reply)}`);
      }
    } finally {
      await client.close();
    }
  }
}

const ARGUMENTS = {
  search_text: { pattern: "pay" },
  search_files: { pattern: "**/*.ts" },
  find_definitions: { symbol: "pay" },
  find_references: { symbol: "pay" },
  get_symbols: { path: "src/pay.ts" },
} as const;

function toLimited(limit: number): readonly string[] {
  return ["sh", "-c", `ulimit -n ${limit} && exec "$@"`, "sh"];
}

async function startServer(sandbox: Sandbox, before: readonly string[] = []): Promise<Client> {
  const cwd = await sandbox.makeRepository(SOURCE);
  const [command = "", ...args] = [...before, sandbox.program, "serve", "--project", cwd];
  const { client } = await Client.start({
    command,
    args,
    cwd,
    env: { ...sandbox.env },
    clearEnv: true,
  });
  return client;
}

async function callOften(client: Client, times: number): Promise<void> {
  for (let call = 0; call < times; call++) {
    const tool = call % 2 === 0 ? "search_text" : "search_files";
    await must(client, tool, ARGUMENTS[tool]);
  }
}

async function startSession(client: Client): Promise<void> {
  await must(client, "start_session", { intent: "IMPLEMENT", query: "Let pay return two" });
}

async function abandon(client: Client): Promise<void> {
  const reason = "the proof begins another one";
  await must(client, "submit_phase", { data: { abandon: true, reason, compaction_count: 0 } });
}

async function must(client: Client, tool: string, args: unknown): Promise<void> {
  const { reply } = await client.callTool(tool, args);
  expect(reply.ok === true, `${tool}: ${JSON.stringify(reply)}`);
}
