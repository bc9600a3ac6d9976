/**
 * Does honest work with the real server and counts what is refused: all rows of the table as the tasks of one session,
 * and a few whole sessions in projects where tools write beside the agent.
 */
import { dirname, join } from "node:path";
import type { Reply, Session } from "../support/session/session_driver.ts";
import { toRange } from "../support/session/project.ts";
import { startSession } from "../support/session/hosted_session.ts";
import { createProject } from "../support/session/session_driver.ts";
import { FAST } from "./attack.ts";
import { HONEST_FLOWS } from "./honest_flows.ts";
import type { HonestRow } from "./honest_rows.ts";
import { HONEST_ROWS } from "./honest_rows.ts";

/** What became of one honest run. */
export interface HonestOutcome {
  readonly id: string;
  /** Why it was refused; null where it passed. */
  readonly refused: string | null;
}

/** Does everything of the table. */
export async function tryHonest(): Promise<readonly HonestOutcome[]> {
  return [...await tryRows(), ...await tryFlows()];
}

/** The published number, as one line. */
export function toHonestRate(outcomes: readonly HonestOutcome[]): string {
  const refused = outcomes.filter((outcome) => outcome.refused !== null).length;
  return `${refused} of ${outcomes.length} honest pieces of work refused`;
}

async function tryRows(): Promise<readonly HonestOutcome[]> {
  await using project = await createProject({ files: toFiles(HONEST_ROWS) });
  await using session = await startSession(project, {
    ...FAST,
    query: "Do each of the small things on the list of the login",
  });
  await session.until(12);
  await session.accept({ tasks: HONEST_ROWS.map(toTask) });
  await explore(session, HONEST_ROWS.flatMap(toKnown));
  const outcomes: HonestOutcome[] = [];
  for (const row of HONEST_ROWS) outcomes.push(await tryRow(session, row));
  const refused = await complete(session).then(toRefusal, String);
  return [...outcomes, { id: "all-of-them-merged", refused }];
}

/** Goes to the end; the changed snapshot is said to be meant. */
async function complete(session: Session): Promise<Reply> {
  await session.until(17);
  const payload = await session.prepare();
  const id = "snapshot_changed snapshots/__snapshots__/a.snap";
  const findings = [{ id, reason: "The view is meant to look so" }];
  await session.accept({ ...payload, test_findings: findings });
  return await session.until("end");
}

function toFiles(rows: readonly HonestRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.flatMap(({ id, before = {} }) => [
    [`${id}/kept.txt`, "kept\n"] as const,
    ...Object.entries(before).map(([path, text]) => [`${id}/${path}`, text] as const),
  ]));
}

function toTask(row: HonestRow) {
  const item = toItem(row);
  const checklist = [{ item, status: "pending" }];
  return { id: row.id, description: `${item} (${row.id}/)`, status: "pending", checklist };
}

function toItem({ id, item }: HonestRow): string {
  return item.replaceAll("@", id);
}

/** Does the work of one row and reports it; a refused one is skipped, so that the others go on. */
async function tryRow(session: Session, row: HonestRow): Promise<HonestOutcome> {
  const { id, reason } = row;
  const item = toItem(row);
  const worked = await work(session, row).catch((failure: unknown) => String(failure));
  const evidence = `${id}/${worked}`;
  const done = { item, status: "done", evidence, ...(reason === undefined ? {} : { reason }) };
  const reply = await session.submit({ task_id: id, checklist: [done] });
  if (reply.ok === true) return { id, refused: null };
  const skipped = { item, status: "skipped", reason: "it was refused, and the others go on" };
  await session.submit({ task_id: id, checklist: [skipped] });
  return { id, refused: toRefusal(reply) };
}

/** What an agent has looked at before it works on a row. */
function toKnown({ id, before = {} }: HonestRow): readonly string[] {
  return [id, ...["kept.txt", ...Object.keys(before)].map((path) => `${id}/${path}`)];
}

/** As many as may be named at once, of those that no call has shown. */
const AT_ONCE = 20;

async function explore(session: Session, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    await session.must("add_explored_files", { files: paths.slice(at, at + AT_ONCE) });
  }
}

/** Clears the files of a row, writes them, and gives the evidence. */
async function work(session: Session, row: HonestRow): Promise<string> {
  const { id, edits = {}, clears = [], line, byTool } = row;
  const cleared = [...Object.keys(edits), ...clears].map((path) => `${id}/${path}`);
  if (cleared.length > 0) {
    await session.must("check_write_target", { file_paths: cleared, allow_new_files: true });
  }
  for (const [path, text] of Object.entries(edits)) await write(session.dir, `${id}/${path}`, text);
  if (line !== undefined) await shell(join(session.dir, id), line);
  if (byTool !== undefined) {
    const row = {
      path: `${id}/${byTool}`,
      action: "tool",
      reason: "the tool of the task wrote it",
    };
    await session.must("submit_phase", { data: { change_resolution: [row] } });
  }
  const [first] = Object.entries(edits);
  return row.evidence ??
    `${first?.[0]}:${toRange(row.before?.[first?.[0] ?? ""] ?? "", first?.[1] ?? "")}`;
}

async function write(dir: string, path: string, text: string | null): Promise<void> {
  const full = join(dir, path);
  if (text === null) return await Deno.remove(full);
  await Deno.mkdir(dirname(full), { recursive: true });
  await Deno.writeTextFile(full, text);
}

/** Runs a line as an agent with a shell would. */
export async function shell(cwd: string, line: string): Promise<string> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const command = new Deno.Command("sh", { args: ["-ec", line], cwd, env });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`${line}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

async function tryFlows(): Promise<readonly HonestOutcome[]> {
  const outcomes: HonestOutcome[] = [];
  for (const { id, run } of HONEST_FLOWS) {
    const refused = await run().then(toRefusal, String);
    outcomes.push({ id, refused });
  }
  return outcomes;
}

function toRefusal(reply: Reply): string | null {
  return reply.ok === true ? null : JSON.stringify(reply.problems ?? reply);
}
