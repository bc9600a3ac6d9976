/**
 * Tries the scripted adversary of `tests/escape/` against the real server and prints what found each
 * attack, the rate of each theme, and in the last line that of all. Ends with 1 when something got through or an honest run
 * was refused. Words of the command line choose attacks by a part of their name; without any, the honest work of
 * `honest_rows.ts` and `honest_flows.ts` is done too, with its own rate.
 */
import { ATTACKS, THEMES } from "../../tests/escape/attacks.ts";
import type { Outcome } from "../../tests/escape/run.ts";
import { toHonestRate, tryHonest } from "../../tests/escape/honest.ts";
import { toRate, tryAll } from "../../tests/escape/run.ts";
import { print } from "../task.ts";

/** Each try waits for processes most of the time; more at once than cores gains nothing. */
const PARALLEL = Math.max(2, Math.min(4, navigator.hardwareConcurrency));

function toRow({ attack, codes, at, escape, refused, durationMs }: Outcome): string {
  const found = escape === null ? `${attack.found.join(", ")} (${at})` : `ESCAPED: ${escape}`;
  const twin = refused === null ? "passed" : `REFUSED: ${refused}`;
  const also = codes.filter((code) => !attack.found.includes(code));
  const more = escape === null && also.length > 0 ? ` +${also.join(", ")}` : "";
  const seconds = (durationMs / 1000).toFixed(1).padStart(5);
  return `${seconds} s  ${attack.id.padEnd(38)} ${found}${more} | honest ${twin}`;
}

/** Does the honest work and prints what of it was refused; true where nothing was. */
async function doHonestWork(): Promise<boolean> {
  const outcomes = await tryHonest();
  const bad = outcomes.filter(({ refused }) => refused !== null);
  for (const { id, refused } of bad) print(`REFUSED ${id}: ${refused}`);
  print(toHonestRate(outcomes));
  return bad.length === 0;
}

async function main(words: readonly string[]): Promise<number> {
  const chosen = ATTACKS.filter(({ id }) =>
    words.length === 0 || words.some((word) => id.includes(word))
  );
  print("   time  attack                                 found by (call) | honest twin");
  const onDone = (outcome: Outcome) => print(toRow(outcome));
  const outcomes = await tryAll(chosen, { parallel: PARALLEL, onDone });
  print("");
  for (const [theme, attacks] of Object.entries(THEMES)) {
    const own = outcomes.filter(({ attack }) => attacks.includes(attack));
    if (own.length > 0) print(`${theme}: ${toRate(own)}`);
  }
  print(toRate(outcomes));
  const isTight = outcomes.every(({ escape, refused }) => escape === null && refused === null);
  return isTight && (words.length > 0 || await doHonestWork()) ? 0 : 1;
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
