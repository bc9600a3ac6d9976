/**
 * The command `licenses`: prints the file that names everything in the executable with its licence.
 */
import { readProgramFile } from "../../base/program_files.ts";
import type { Command } from "../command.ts";

/** Prints the licences, as `THIRD_PARTY_LICENSES` has them. */
export const LICENSES: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel licenses | less",
  options: [],
  async run({ isJson, terminal }) {
    const text = new TextDecoder().decode(await readProgramFile("THIRD_PARTY_LICENSES"));
    await terminal.data(isJson ? `${JSON.stringify({ ok: true, text })}\n` : text);
    return 0;
  },
};
