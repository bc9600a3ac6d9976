/** The id of a verification run: equal for equal requests, whichever process asks. */
import { createHash } from "node:crypto";
import { toCanonicalJson } from "../../base/text/json_record.ts";
import type { VerificationRequest } from "./verification.ts";

/** The form of an id; its group is the session. */
export const RUN_ID = /^(session_[0-9a-z_]+)\.(?:baseline|verify)\.[0-9a-f]{16}$/;

/** The id for one session, purpose, visit, tree and set of commands. */
export function toRunId(
  request: Pick<
    VerificationRequest,
    "sessionId" | "kind" | "tree" | "commandsHash" | "commands" | "visit"
  >,
): string {
  const { sessionId, kind, tree, commandsHash, commands, visit = 0 } = request;
  const parts = { tree, commandsHash, visit, names: commands.map(({ name }) => name) };
  const hash = createHash("sha256").update(toCanonicalJson(parts)).digest("hex");
  return `${sessionId}.${kind}.${hash.slice(0, 16)}`;
}
