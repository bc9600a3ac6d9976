/** What a hook answers, and its form for each client. Pure. */
import type { HookEventWord } from "./hook_call.ts";
import { HOOK_EVENTS } from "./hook_call.ts";
import type { ClientName } from "../clients/setup.ts";

/** The decision of a hook. */
export type HookAnswer =
  | { readonly kind: "none" }
  /** The tool must not run; the model reads the reason. */
  | { readonly kind: "deny"; readonly reason: string }
  /** The model gets an additional text. */
  | { readonly kind: "context"; readonly text: string }
  /** The person reads a line; the model does not. */
  | { readonly kind: "tell"; readonly line: string }
  /** The agent has to go on instead of ending; the model reads the reason. */
  | { readonly kind: "block"; readonly reason: string };

/**
 * Which answers each event can have. A client ignores any other one, or counts the hook as failed.
 */
const HONOURED: Readonly<Record<HookEventWord, readonly HookAnswer["kind"][]>> = {
  "pre-tool-use": ["deny", "context"],
  "post-tool-use": ["context"],
  "session-start": ["context"],
  "subagent-start": ["context"],
  "stop": ["block", "tell"],
  "pre-compact": [],
};

/**
 * Longest text, in characters, that each client shows the model whole; the client writes a longer
 * one to a file.
 */
const MOST_CHARS: Readonly<Record<ClientName, number>> = { claude: 10_000, codex: 8_000 };

/**
 * The text for standard output; empty for no answer. Both clients read the same JSON; a key that
 * only one of them knows is never added, because Codex refuses unknown keys.
 */
export function formatHookOutput(
  client: ClientName,
  word: HookEventWord,
  answer: HookAnswer,
): string {
  if (answer.kind === "none" || !HONOURED[word].includes(answer.kind)) return "";
  const hookEventName = HOOK_EVENTS[word];
  const cut = (text: string) => text.slice(0, MOST_CHARS[client]);
  if (answer.kind === "tell") return JSON.stringify({ systemMessage: cut(answer.line) });
  if (answer.kind === "block") {
    return JSON.stringify({ decision: "block", reason: cut(answer.reason) });
  }
  return JSON.stringify({
    hookSpecificOutput: answer.kind === "context"
      ? { hookEventName, additionalContext: cut(answer.text) }
      : {
        hookEventName,
        permissionDecision: "deny",
        // An empty reason would make the answer invalid, and the tool would run.
        permissionDecisionReason: cut(answer.reason) || "code-intel refuses this now",
      },
  });
}
