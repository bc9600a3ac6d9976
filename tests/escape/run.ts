/** Tries attacks and their honest twins, a few at a time, and says what became of each. */
import type { Reply } from "../support/session/session_driver.ts";
import type { Attack } from "./attack.ts";
import { Ground, toCodes } from "./attack.ts";

/** What became of one attack and its twin. */
export interface Outcome {
  readonly attack: Attack;
  /** Codes with which it was found; empty when it got through. */
  readonly codes: readonly string[];
  /** The call that was answered so. */
  readonly at: string;
  /** Why the attack counts as an escape; null when it was found as the table says. */
  readonly escape: string | null;
  /** Why the honest twin counts as refused; null when it passed. */
  readonly refused: string | null;
  readonly durationMs: number;
}

/** Tries one attack, then its honest twin, each on a ground of its own. */
export async function tryAttack(attack: Attack): Promise<Outcome> {
  const startedAt = performance.now();
  const bad = await onGround((ground) => attack.attack(ground));
  const codes = bad.reply === null ? [] : toCodes(bad.reply);
  const good = await onGround((ground) => attack.honest(ground));
  return {
    attack,
    codes,
    at: bad.at,
    escape: bad.failure ?? toEscape(attack, codes, bad),
    refused: good.failure ?? (good.reply?.ok === true ? null : JSON.stringify(good.reply)),
    durationMs: performance.now() - startedAt,
  };
}

interface Tried {
  readonly reply: Reply | null;
  readonly at: string;
  readonly failure: string | null;
}

async function onGround(action: (ground: Ground) => Promise<Reply>): Promise<Tried> {
  const ground = await Ground.create();
  try {
    return { reply: await action(ground), at: ground.lastCall, failure: null };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { reply: null, at: ground.lastCall, failure };
  } finally {
    await ground[Symbol.asyncDispose]();
  }
}

/** An attack that is found by another rule or later than the table says counts as an escape, too. */
function toEscape(attack: Attack, codes: readonly string[], { at, reply }: Tried): string | null {
  if (codes.length === 0) return `got through: ${JSON.stringify(reply).slice(0, 2_000)}`;
  const missing = attack.found.filter((code) => !codes.includes(code));
  if (missing.length > 0) return `found by ${codes.join(", ")}, not by ${missing.join(", ")}`;
  return at === attack.at ? null : `found at ${at}, not at ${attack.at}`;
}

/** Tries all attacks, `parallel` at a time, and tells of each when it is done. */
export async function tryAll(
  attacks: readonly Attack[],
  options: { readonly parallel: number; readonly onDone: (outcome: Outcome) => void },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = attacks.values();
  const work = async () => {
    for (const attack of queue) {
      const outcome = await tryAttack(attack);
      outcomes.push(outcome);
      options.onDone(outcome);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return attacks.flatMap((attack) => outcomes.find((outcome) => outcome.attack === attack) ?? []);
}

/** The published number, as one line. */
export function toRate(outcomes: readonly Outcome[]): string {
  const escapes = outcomes.filter(({ escape }) => escape !== null).length;
  const refused = outcomes.filter((outcome) => outcome.refused !== null).length;
  const total = outcomes.length;
  return `${escapes} escapes / ${total} attempts, ${refused} honest runs refused / ${total}`;
}
