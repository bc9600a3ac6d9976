/** Eight processes on one index for six seconds, with kills. */
import { checkManyProcesses } from "./many_processes.ts";

Deno.test("eight processes that write and read under kills: no error, and the index is a fresh one's", async () => {
  await checkManyProcesses({ writers: 4, readers: 4, seconds: 6, kills: 8, files: 300 });
});
