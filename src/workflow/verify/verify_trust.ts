/**
 * What keeps verification commands from running: rows that cannot be read, and commands that no
 * person has allowed yet.
 */
import type { UserPrompt } from "../../base/asker.ts";
import { NO_ASKER } from "../../base/asker.ts";
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

/** Who is asked, and about which commands. */
export interface AskInput {
  readonly session: OpenSession;
  readonly found: ProjectCommands;
  readonly caller?: { readonly signal: AbortSignal; readonly asker: UserPrompt };
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
  const parts = { deps: context.deps, contract: context.contract, state: session.state };
  const reply = await buildRefusedReply({ ...parts, error: "config_invalid", problems });
  return { kind: "answer", reply };
}

/** Asks the user to allow the commands; null once they have. */
export async function askForTrust(
  context: SessionContext,
  input: AskInput,
): Promise<Refused | null> {
  const { found, session, caller } = input;
  const told = await context.deps.verification.askToAllow(found, {
    asker: caller?.asker ?? NO_ASKER,
    signal: caller?.signal ?? new AbortController().signal,
    about: session.id,
  });
  return told === "answered"
    ? null
    : await refuseUntrusted(context, session, { found, answer: told });
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
  const reply = await buildRefusedReply({
    deps: context.deps,
    contract: context.contract,
    state: session.state,
    error: "verify_untrusted",
    problems: [{ ...makeUntrustedProblem(found), hint }],
    fields: { person_asked: answer },
  });
  return { kind: "answer", reply };
}
