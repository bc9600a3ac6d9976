/** Watches runs of Python: each of its processes loads the tracer, by a folder in front of `PYTHONPATH`. */
import { delimiter, join } from "node:path";
import { makeOwnFolder, writeOwnFile } from "../../../base/files/own_folder.ts";
import { readProgramFile } from "../../../base/program_files.ts";
import { CHANNEL_VARIABLE, ROOT_VARIABLE } from "../record/channel.ts";
import { readChannelFolder } from "../record/channel_folder.ts";
import type { InsideWay } from "../record/recording.ts";

const TRACER = "src/features/runs/tracers/python_tracer.py";
/** Every Python loads a module of this name when it starts. */
const LOADED_FIRST = "sitecustomize.py";

/** The way. */
export const PYTHON_WAY: InsideWay = {
  kind: "inside",
  async prepare({ root, folder }) {
    const own = join(folder, "python");
    await makeOwnFolder(own, { below: folder });
    await writeOwnFile(join(own, LOADED_FIRST), await readProgramFile(TRACER), {
      below: folder,
    });
    const others = Deno.env.get("PYTHONPATH") ?? "";
    return {
      [CHANNEL_VARIABLE]: folder,
      [ROOT_VARIABLE]: root,
      PYTHONPATH: others === "" ? own : `${own}${delimiter}${others}`,
    };
  },
  async read({ folder, root, isSource }) {
    const recording = await readChannelFolder(folder, { root, isSource });
    const isLoaded = recording.runner !== "";
    const why =
      "No test of pytest or unittest was watched: the command may set PYTHONPATH itself, or start Python with -I or -E.";
    return isLoaded
      ? recording
      : { ...recording, isWhole: false, notes: [...recording.notes, why] };
  },
};
