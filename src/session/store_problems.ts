/** The refusals of the session store, each with its way out. Pure. */
import type { Problem } from "../base/problem.ts";
import { toProblem } from "../base/problem.ts";
import { CHECKPOINT_FORMAT } from "./migrations.ts";

const DISCARD = "get_session_status with discard_active: true archives it";

/** The problem of each thing that can be wrong with a stored session. */
export const STORE_PROBLEMS = {
  missing: (id: string): Problem =>
    toProblem("session_not_found", `No session "${id}" is stored`, {
      hint: "Call get_session_status without session_id, or start_session.",
    }),
  tampered: (id: string): Problem =>
    toProblem(
      "checkpoint_tampered",
      `The file of session "${id}" was changed by something other than code-intel`,
      { hint: `Ask the person to look at it and run \`code-intel session accept ${id}\`.` },
    ),
  newer: (id: string, format: number): Problem =>
    toProblem(
      "checkpoint_version",
      `Cannot open session "${id}": its format is ${format}, this program reads ${CHECKPOINT_FORMAT}`,
      { hint: "Update code-intel; the file was left as it is." },
    ),
  damaged: (id: string): Problem =>
    toProblem("checkpoint_damaged", `No whole file of session "${id}" is left`, {
      hint: `The damaged files were set aside as ${id}.json.corrupt-<n>; ${DISCARD}.`,
    }),
  conflict: (id: string, found: number, expected: number): Problem =>
    toProblem(
      "checkpoint_conflict",
      `Session "${id}" is at revision ${found}, not at ${expected}: another process saved it`,
      { hint: "Send the same call again; it starts from what the other process saved." },
    ),
  tooLarge: (id: string, sizeBytes: number, limitBytes: number): Problem =>
    toProblem(
      "checkpoint_too_large",
      `Session "${id}" would take ${sizeBytes} bytes, more than ${limitBytes}`,
      { hint: "Send the payload again with shorter texts and fewer list entries." },
    ),
} as const;
