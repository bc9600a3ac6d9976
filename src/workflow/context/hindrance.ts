/** Tells failures of the machine or of the repository from cancelled calls and from bugs. */
import type { CodeIntelError, ErrorCodeName } from "../../base/errors.ts";
import { findOperational } from "../../base/operational.ts";

/** Codes of failures that are not the call's fault: git, the disk, a program that hangs. */
const HINDRANCES: ReadonlySet<string> = new Set<ErrorCodeName>([
  "arguments_too_long",
  "control_file_unusable",
  "disk_full",
  "git_failed",
  "git_locked",
  "git_missing",
  "git_too_old",
  "git_under_way",
  "io_failed",
  "manifest_failed",
  "own_path_refused",
  "resources_short",
  "start_refused",
  "timed_out",
  "too_many_files",
]);

/**
 * The failure where the machine or the repository is its cause; null for a cancelled call, a busy
 * process, or a bug.
 */
export function findHindrance(failure: unknown): CodeIntelError | null {
  const error = findOperational(failure);
  return error !== null && HINDRANCES.has(error.code) ? error : null;
}
