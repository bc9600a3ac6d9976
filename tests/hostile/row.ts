/**
 * What a hostile row is, and how a group of them is run: one repository and one server for all rows of a group, each
 * row put in its place, asked about, judged, and taken away again.
 */
import { Ground } from "./ground.ts";
import { testNeeding } from "../support/needs.ts";

/** One hostile thing that a clone can bring. */
export interface HostileRow {
  /** What is tried, for people; unique in its group. */
  readonly tried: string;
  /** Puts it in its place. */
  plant(ground: Ground): Promise<void>;
  /** Asks the server, runs commands, and asserts what they answered. */
  ask(ground: Ground): Promise<void>;
  /** Takes it away, so that the next row finds the project as it was. */
  undo?(ground: Ground): Promise<void>;
}

/** A group of rows with what they share. */
export interface HostileGroup {
  readonly rows: readonly HostileRow[];
  /** Files of the first commit; default the sample files. */
  readonly files?: Readonly<Record<string, string>>;
  /** Done once before the rows: a session, an index, settings. */
  prepare?(ground: Ground): Promise<void>;
}

/** Runs the rows one after the other; after each the outside, the memory and the server's life are judged. */
export async function runGroup(t: Deno.TestContext, group: HostileGroup): Promise<void> {
  await using ground = await Ground.create(group.files);
  await group.prepare?.(ground);
  for (const row of group.rows) {
    await t.step(row.tried, async () => {
      await row.plant(ground);
      await ground.note();
      await row.ask(ground);
      await ground.check();
      await row.undo?.(ground);
    });
  }
}

/** Makes a test of a group. */
export function testGroup(name: string, group: HostileGroup): void {
  testNeeding(["posix"], name, (t) => runGroup(t, group));
}
