/** A few seconds of several processes on one index; the long run is in `many_processes_slow.ts`. */
import { checkManyProcesses } from "./many_processes.ts";

Deno.test("four processes that write and read, one killed: no error, and the index is a fresh one's", async () => {
  await checkManyProcesses({ writers: 2, readers: 2, seconds: 4, kills: 1, files: 60 });
});
