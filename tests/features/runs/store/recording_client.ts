/** A process that saves a large run, and says so while it is in the middle of it, to be killed there. */
import { saveRun } from "../../../../src/features/runs/store/run_folder.ts";
import { openRepository } from "../../../../src/git/repository.ts";
import { SILENT_LOGGER } from "../../../../src/base/logger.ts";
import { buildRecord } from "./recorded_project.ts";

const [dir = "."] = Deno.args;
const place = {
  projectRoot: dir,
  plainIndexDir: dir,
  stateDir: null,
  openRepo: () => openRepository(dir),
  logger: SILENT_LOGGER,
};
const names = Array.from({ length: 2_000 }, (_, at) => `a.py f${at}`);
const files = new Map(names.map((_, at) => [`f${at}.py`, `${at}`]));
const tests = Object.fromEntries(names.map((name, at) => [`test_a.py t${at}`, [name, "a.py a"]]));
const record = buildRecord(new Map([...files, ["a.py", "0"]]), { tests });
// Its name is asked for while the bytes are made.
const middle = {
  path: "a.py",
  get name() {
    Deno.stdout.writeSync(new TextEncoder().encode("saving"));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    return "f1000";
  },
};
const functions = record.functions.map((one, at) => at === 1_000 ? middle : one);
await saveRun(place, { ...record, functions });
