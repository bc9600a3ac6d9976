/** Tells what the system refused from mistakes of the program, where nobody worded a failure on its way up. */
import { CodeIntelError, makeIoError } from "./errors.ts";
import { findSystemCause, findSystemCode } from "./system_cause.ts";

/** The operational failure behind whatever was thrown; null for a bug. */
export function findOperational(failure: unknown): CodeIntelError | null {
  if (failure instanceof CodeIntelError) return failure;
  return isOfSystem(failure) ? makeIoError("reach a file", failure) : null;
}

/** Runtimes use these names for what a program did wrong, not for what the system refused. */
const OWN_FAULTS: readonly string[] = ["BadResource", "InvalidData", "NotCapable"];

/** Whether the system, and no mistake of the program, made something fail. */
export function isOfSystem(failure: unknown): failure is Error {
  if (!(failure instanceof Error)) return false;
  const isNamed = Object.entries(Deno.errors).some(([name, kind]) =>
    failure instanceof kind && !OWN_FAULTS.includes(name)
  );
  // What the runtime has no class for carries the system's own name.
  return isNamed || /^E[A-Z\d]+$/.test(findSystemCode(failure)) ||
    findSystemCause(failure) !== null;
}
