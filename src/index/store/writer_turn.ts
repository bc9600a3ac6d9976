/**
 * The writer's lock, by turns: a process that writes batch after batch lets in who waits between two of them.
 * Whoever wants to write first takes the place before the lock, and gives it up once it has the lock.
 */
import { join } from "node:path";
import { withLock } from "../../base/processes/lock_file.ts";
import { SAME_CALL, say } from "../../base/text/words.ts";

const LOCK_NAME = "index.lock";
const TURN_NAME = "index.turn.lock";
const HINT =
  say`${SAME_CALL} again: another process is writing the index, which takes a moment for each part.`;

/**
 * Runs `action` as the only writer of all processes.
 *
 * @param folder of the database; it is there.
 * @throws {CodeIntelError} `busy` when others never let it in.
 */
export async function withWriterTurn<T>(
  folder: string,
  timeoutMs: number,
  action: () => Promise<T>,
): Promise<T> {
  const options = { timeoutMs, hint: HINT };
  const entered = Promise.withResolvers<void>();
  let writing: Promise<T> | undefined;
  await withLock(join(folder, TURN_NAME), options, async () => {
    writing = withLock(join(folder, LOCK_NAME), options, () => {
      entered.resolve();
      return action();
    });
    // A failure to get in is told below.
    writing.catch(() => {}).finally(() => entered.resolve());
    await entered.promise;
  });
  return await (writing as Promise<T>);
}
