/** What a failed call answers: the one place where an error becomes a reply. */
import type { Logger } from "../base/logger.ts";
import { CodeIntelError } from "../base/errors.ts";
import { toOperational } from "../base/operational.ts";
import type { RefusedReply } from "../base/reply.ts";

/**
 * Makes the reply of a failure: an operational failure with its code, a bug as an incident id, with
 * the stack on standard error only.
 */
export function toFailure(failure: unknown, logger: Logger): RefusedReply {
  const incident = crypto.randomUUID().slice(0, 8);
  const stack = failure instanceof Error ? failure.stack ?? failure.message : String(failure);
  // What nobody worded on its way up is written down, though it is no bug.
  if (!(failure instanceof CodeIntelError)) logger.note(`incident ${incident}: ${stack}`);
  const operational = toOperational(failure);
  if (operational !== null) {
    const { code, message, hint } = operational;
    return { ok: false, error: code, message, ...(hint === "" ? {} : { hint }) };
  }
  return {
    ok: false,
    error: "internal_error",
    message: `A bug of code-intel ended this call (incident ${incident}); nothing else is affected`,
    incident,
    hint:
      "Go on with another call; the server's standard error names the place under this incident.",
  };
}
