/** Which commands this checkout has: those of a feature that was taken out are gone. */
import { findCommand, listCommands } from "../../src/cli/commands.ts";
import { FEATURES } from "../../src/features/features.ts";

const COMMANDS = listCommands(FEATURES);

/** Whether the program has the command that the words begin with. */
export function isKnownCommand(words: readonly string[]): boolean {
  return findCommand(words, COMMANDS) !== null;
}
