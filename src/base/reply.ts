/** The one form of every answer of the program, whatever client or command asked. */
import type { Problem } from "./problem.ts";
import { makeProblem } from "./problem.ts";
import type { Words } from "./text/words.ts";
import { joinWords } from "./text/words.ts";

/** A call that did what it was asked; "nothing found" belongs here. */
export interface OkReply {
  readonly ok: true;
  readonly [field: string]: unknown;
}

/** A call that was refused or failed. */
export interface RefusedReply {
  readonly ok: false;
  /** Code of the refusal; `problems` says more. */
  readonly error: string;
  readonly message: Words;
  readonly problems?: readonly Problem[];
  readonly [field: string]: unknown;
}

/** An answer: JSON-ready, snake_case keys. */
export type Reply = OkReply | RefusedReply;

/** Makes a refusal from problems; with one problem its code becomes the code of the reply. */
export function buildRefusal(
  problems: readonly Problem[],
  error: string = problems.length === 1 ? problems[0]?.code ?? "refused" : "invalid_arguments",
  message: Words = joinWords(problems.map((problem) => problem.message), "; "),
): RefusedReply {
  return { ok: false, error, message, problems };
}

/** Makes a refusal with one problem, whose code becomes the code of the reply. */
export function refuse(...problem: Parameters<typeof makeProblem>): RefusedReply {
  return buildRefusal([makeProblem(...problem)]);
}

/** The reply with notices before those that it has. */
export function withNotices(reply: Reply, more: readonly Words[]): Reply {
  if (more.length === 0) return reply;
  const { notices } = reply as { readonly notices?: unknown };
  const others = Array.isArray(notices) ? notices as readonly unknown[] : [];
  return { ...reply, notices: [...more, ...others] };
}
