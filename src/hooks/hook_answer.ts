/** What a hook answers, and the form in which each client honours it. Pure. */
import type { HookWord } from "./hook_call.ts";
import { HOOK_EVENTS } from "./hook_call.ts";
import type { ClientName } from "../clients/mod.ts";

/** The decision of a hook. */
export type HookAnswer =
  | { readonly kind: "none" }
  /** The tool is not to run; the model reads why. */
  | { readonly kind: "deny"; readonly reason: string }
  /** The model is told something. */
  | { readonly kind: "context"; readonly text: string }
  /** The agent is to go on instead of ending; the model reads why. */
  | { readonly kind: "block"; readonly reason: string };

/** Which answers an event can have. A client drops what it does not know, or fails the hook. */
const HONOURED: Readonly<Record<HookWord, readonly HookAnswer["kind"][]>> = {
  "pre-tool-use": ["deny", "context"],
  "post-tool-use": ["context"],
  "session-start": ["context"],
  "subagent-start": ["context"],
  "stop": ["block"],
  "pre-compact": [],
};

/** Longest text that each client shows the model whole, in characters; beyond it becomes a file. */
const MOST_CHARS: Readonly<Record<ClientName, number>> = { claude: 10_000, codex: 8_000 };

/**
 * The text for standard output; empty where there is nothing to say. Both clients read the same JSON for
 * these answers; Codex refuses any key beyond them, so none is added for the other.
 */
export function toHookOutput(
  client: ClientName,
  word: HookWord,
  answer: HookAnswer,
): string {
  if (answer.kind === "none" || !HONOURED[word].includes(answer.kind)) return "";
  const hookEventName = HOOK_EVENTS[word];
  const cut = (text: string) => text.slice(0, MOST_CHARS[client]);
  if (answer.kind === "block") {
    return JSON.stringify({ decision: "block", reason: cut(answer.reason) });
  }
  return JSON.stringify({
    hookSpecificOutput: answer.kind === "context"
      ? { hookEventName, additionalContext: cut(answer.text) }
      : {
        hookEventName,
        permissionDecision: "deny",
        // An empty reason would make the decision invalid, and the tool would run.
        permissionDecisionReason: cut(answer.reason) || "code-intel refuses this now",
      },
  });
}
