/**
 * What keeps verification commands from running: rows that cannot be read, and commands that no
 * person has allowed yet.
 */
import type { UserPrompt } from "../../base/asker.ts";
import type { RefusedReply } from "../../base/reply.ts";
import type { ProjectCommands } from "../../evidence/runs/project_verification.ts";
import { makeUntrustedProblem } from "../../evidence/runs/project_verification.ts";
import type { OpenSession, SessionContext } from "../context/sessions.ts";
import { buildRefusedReply } from "../context/replies.ts";

/** A reply that ends the call. */
export interface Refused {
  readonly kind: "answer";
  readonly reply: RefusedReply;
}

/**
 * Refuses to run commands while a row cannot be read, because that row might be the one that fails.
 */
export async function refuseFaults(
  context: SessionContext,
  session: OpenSession,
  { faults }: ProjectCommands,
): Promise<Refused> {
  const problems = faults.map((fault) => ({
    ...fault,
    hint: "The session keeps the configuration of its start. With the person's word send " +
      "user_decision accept, or park; correct the file for the next session.",
  }));
  return await refuseRun(context, session, { error: "config_invalid", problems });
}

/** Asks the user to allow the commands; null once they have. */
export async function askForTrust(
  context: SessionContext,
  session: OpenSession,
  { found, caller }: {
    readonly found: ProjectCommands;
    readonly caller: { readonly signal: AbortSignal; readonly asker: UserPrompt };
  },
): Promise<Refused | null> {
  const asked = { ...caller, about: session.id };
  const answer = await context.deps.verification.askToAllow(found, asked);
  return answer === "answered" ? null : await refuseUntrusted(context, session, { found, answer });
}

const WAYS_ON = "with their word user_decision accept (the commit then says no), or park.";
const UNTRUSTED_HINTS: Readonly<Record<string, string>> = {
  declined:
    `The person did not allow the commands: ask them what to do instead of asking again; ${WAYS_ON}`,
  changed_meanwhile:
    `The commands changed each time while the person read them: stop what changes them; ${WAYS_ON}`,
};

/**
 * The refusal of commands that nobody allowed, with the next steps that fit the user's answer.
 */
export async function refuseUntrusted(
  context: SessionContext,
  session: OpenSession,
  { found, answer }: { readonly found: ProjectCommands; readonly answer: string },
): Promise<Refused> {
  const hint = UNTRUSTED_HINTS[answer] ??
    "Ask the person to run `code-intel trust` at a terminal, then send the same payload " +
      `again; or ${WAYS_ON}`;
  return await refuseRun(context, session, {
    error: "verify_untrusted",
    problems: [{ ...makeUntrustedProblem(found), hint }],
    fields: { person_asked: answer },
  });
}

/** A refusal that ends the call. */
export async function refuseRun(
  { deps, contract }: SessionContext,
  { state }: OpenSession,
  why: Pick<Parameters<typeof buildRefusedReply>[0], "error" | "problems" | "fields">,
): Promise<Refused> {
  const reply = await buildRefusedReply({ deps, contract, state, ...why });
  return { kind: "answer", reply };
}
