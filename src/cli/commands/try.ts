/** The command `try`: lets the clients of this machine know the server, and writes nothing that has to be committed. */
import type { Command } from "../command.ts";
import { CLIENT_OPTION, enterServer, NO_PERMISSIONS_OPTION } from "./init.ts";

/** Writes the server's entry into files of the user; all else is as the program has it built in. */
export const TRY: Command = {
  usage: "[DIR]",
  positionals: [0, 1],
  example: "code-intel try",
  options: [
    CLIENT_OPTION,
    NO_PERMISSIONS_OPTION,
    { name: "dry-run", kind: "flag", summary: "Only show what would be done" },
  ],
  run: enterServer,
};
