/** Watches runs of Python: each of its processes loads the tracer, by a folder in front of `PYTHONPATH`. */
import { delimiter, dirname } from "node:path";
import { layOutFile, makeInsideWay } from "./inside.ts";

/** The way. Every Python loads a module called `sitecustomize` when it starts. */
export const PYTHON_WAY = makeInsideWay({
  variable: "PYTHONPATH",
  layOut: async ({ folder }) =>
    dirname(
      await layOutFile(
        folder,
        "python/sitecustomize.py",
        "src/features/runs/tracers/python_tracer.py",
      ),
    ),
  join: (own, others) => `${own}${delimiter}${others}`,
  why:
    "No test of pytest or unittest was seen to run. Where tests ran, Python did not load the tracer: -I and -E keep it from that, and so does what sets PYTHONPATH anew.",
});
