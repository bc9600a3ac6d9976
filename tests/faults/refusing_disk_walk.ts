/**
 * A whole session on a small file system, which is full, then read-only, at each of its steps: prints a line of JSON for
 * each call that came at such a moment. It is started in a namespace of its own, by `refusing_disk_slow.ts`, with the folder
 * where the file system is mounted.
 */
import { join } from "node:path";
import { startSession } from "../support/session/hosted_session.ts";
import { createProject } from "../support/session/project.ts";
import type { Session } from "../support/session/session_driver.ts";

/** What was called while the disk refused, and what came back. */
export interface RefusedCall {
  readonly step: number;
  readonly disk: "full" | "read-only";
  readonly call: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly hint?: string;
}

/** The last line: how the session ended. */
export interface WalkEnd {
  readonly end: unknown;
  readonly merged: boolean;
  /** Files with unfinished content that are left. */
  readonly left: readonly string[];
  readonly status: string;
}

const FILLER = "filler";
const PAGE_BYTES = 4_096;
/** So many pages are left: each number lets the work come a little further. */
const LEFT_PAGES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20];

async function main([mount = ""]: readonly string[]): Promise<void> {
  await using project = await createProject();
  await using session = await startSession(project, { flags: { fast: true } });
  const disks = [
    ["read-only", () => forbid(mount, session)] as const,
    ...LEFT_PAGES.map((pages) => ["full", () => fill(mount, pages)] as const),
  ];
  while (!session.isOver) {
    const payload = await session.prepare();
    const { step } = session;
    for (const [disk, refuse] of disks) {
      const permit = await refuse();
      for (const [call, ask] of Object.entries(toCalls(session, payload))) {
        if (session.isOver || session.step !== step) continue;
        const reply = await ask();
        const { ok, error, message, problems } = reply;
        const hint = reply.hint ?? problems?.[0]?.hint;
        await print({ step, disk, call, ok, error, message, hint });
        // The status completes what is pending, and that may be the end.
        if (reply.session_complete === true) session.reply = reply;
      }
      await permit();
    }
    if (!session.isOver && session.step === step) await session.accept(payload);
  }
  const end: WalkEnd = {
    end: session.reply.end,
    merged: session.reply.merged === true,
    left: await listUnfinished(mount),
    status: await project.repo.git("status", "--short"),
  };
  await print(end);
}

async function print(line: unknown): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
}

function toCalls(session: Session, payload: Readonly<Record<string, unknown>>) {
  return {
    get_session_status: () => session.call("get_session_status"),
    find_definitions: () => session.call("find_definitions", { symbol: "login" }),
    search_text: () => session.call("search_text", { pattern: "login" }),
    submit_phase: () => session.submit(payload),
    get_session_status_after: () => session.call("get_session_status"),
  };
}

/** Takes all the room, save for so many pages; gives back what makes room again. */
async function fill(mount: string, pages: number): Promise<() => Promise<void>> {
  const path = join(mount, FILLER);
  using file = await Deno.open(path, { write: true, create: true });
  for (let size = 1 << 20; size >= 1;) {
    const written = await file.write(new Uint8Array(size)).catch(() => 0);
    if (written < size) size >>= 1;
  }
  const { size } = await file.stat();
  await file.truncate(Math.max(0, size - pages * PAGE_BYTES));
  return () => Deno.remove(path);
}

/** Lets nobody write, which the system grants while no file is open for it. */
async function forbid(mount: string, session: Session): Promise<() => Promise<void>> {
  await session.close();
  const remount = async (way: string) => {
    const args = ["-o", `remount,${way}`, mount];
    const { success, stderr } = await new Deno.Command("mount", { args }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  await remount("ro");
  await session.revive();
  return () => remount("rw");
}

/** Files of the program that were never finished; git names its own `tmp_obj_XXXXXX` and removes them itself. */
async function listUnfinished(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await listUnfinished(join(folder, name)));
    else if (/\.tmp$|^tmp_obj_[\da-f]{8}$|^scratch-/.test(name)) found.push(join(folder, name));
  }
  return found;
}

if (import.meta.main) await main(Deno.args);
