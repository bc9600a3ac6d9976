/** Which repositories of a hub a call is asked of. */
import { makeProblem } from "../../../base/problem.ts";
import type { Problem } from "../../../base/problem.ts";
import { formatSuggestion } from "../../../base/text/nearest.ts";
import type { HubRepository, HubStore } from "../hub_store.ts";
import { findFailure } from "../hub_store.ts";
import { listNeededWords } from "../needed_words.ts";
import type { HubRow } from "./hub_rows.ts";

/** What is known of a call before it is asked. */
export interface HubInput extends Readonly<Record<string, unknown>> {
  readonly repository?: string;
  readonly symbol?: string;
  readonly symbols?: readonly string[];
  readonly pattern?: string | readonly string[];
  readonly fixed?: boolean;
  readonly case_sensitive?: boolean;
  readonly whole_word?: boolean;
  readonly max_bytes?: number;
}

/** The repositories to ask, in order, and the names of those that fit too and are beyond the bound. */
export type Picked =
  | { readonly asked: readonly HubRepository[]; readonly others: readonly string[] }
  | { readonly problem: Problem };

/** Repositories whose answers fit into one reply. */
export const MOST_REPOSITORIES = 10;
/** Names of repositories that one list shows. */
export const MOST_NAMES = 50;

/** Picks the repository that is named, or those that can have an answer. */
export function pickRepositories(
  row: HubRow,
  { repository, ...input }: HubInput,
  store: HubStore,
): Picked {
  const all = store.list();
  const ready = all.filter(({ commit }) => commit !== null);
  if (repository !== undefined) return pickNamed(repository, all, ready);
  if (ready.length === 1) return { asked: ready, others: [] };
  switch (row.asks) {
    case "defining":
    case "mentioning":
      return pickHaving(row.asks, input.symbol ?? "", { ready, store });
    case "holding":
      return pickHolding(input, { ready, store });
    case "changing":
      return pickChanging(input.symbols ?? [], { ready, store });
    case "one":
      return { problem: makeNeededProblem(ready) };
  }
}

interface Among {
  readonly ready: readonly HubRepository[];
  readonly store: HubStore;
}

function pickNamed(
  name: string,
  all: readonly HubRepository[],
  ready: readonly HubRepository[],
): Picked {
  const one = all.find((each) => each.name === name);
  if (one?.commit !== undefined && one.commit !== null) return { asked: [one], others: [] };
  const message = one === undefined
    ? `The hub has no repository "${name}"`
    : `The repository "${name}" is not indexed yet`;
  const names = ready.map((each) => each.name);
  const hint = one === undefined
    ? `Ask list_repositories for those that it has.${formatSuggestion(name, names)}`
    : findFailure(one) ?? "Ask again when an indexer of the hub has done its job.";
  return { problem: makeProblem("unknown_repository", message, { at: "repository", hint }) };
}

function pickHaving(
  asks: "defining" | "mentioning",
  symbol: string,
  { ready, store }: Among,
): Picked {
  const isDefined = asks === "defining";
  const holding = new Set(store.listHaving(plainNameOf(symbol), { isDefined }));
  const found = ready.filter(({ name }) => holding.has(name));
  return {
    asked: found.slice(0, MOST_REPOSITORIES),
    others: found.slice(MOST_REPOSITORIES).map(({ name }) => name),
  };
}

/** Those in which full text does not rule a match out. */
function pickHolding(input: HubInput, { ready, store }: Among): Picked {
  const { pattern = "", fixed = false, case_sensitive = true, whole_word = false } = input;
  const ways = listNeededWords({
    patterns: typeof pattern === "string" ? [pattern] : pattern,
    fixed,
    caseSensitive: case_sensitive,
    wholeWord: whole_word,
  });
  const fitting = ways === null ? null : new Set(store.sources.listFitting(ways));
  const asked = ready.filter(({ name }) => fitting === null || fitting.has(name));
  // Where none fits one is asked all the same: it says whether the pattern can be used.
  return { asked: asked.length === 0 ? ready.slice(0, 1) : asked, others: [] };
}

/** A change is one of one repository: that which alone defines what is named. */
function pickChanging(symbols: readonly string[], { ready, store }: Among): Picked {
  const names = [...new Set(symbols.map(plainNameOf))];
  const defining = names.map((name) => new Set(store.listHaving(name, { isDefined: true })));
  const found = names.length === 0
    ? ready
    : ready.filter(({ name }) => defining.every((one) => one.has(name)));
  return found.length === 1
    ? { asked: found, others: [] }
    : { problem: makeNeededProblem(found.length === 0 ? ready : found) };
}

function makeNeededProblem(among: readonly HubRepository[]): Problem {
  const names = among.slice(0, MOST_NAMES).map(({ name }) => name).join(", ");
  return makeProblem("repository_needed", "Several repositories can be meant", {
    at: "repository",
    hint: `Name one in \`repository\`: ${names}.`,
  });
}

/** `save` of `User.save` and `ns::save`. */
function plainNameOf(symbol: string): string {
  return symbol.split(/::|[.#\\/]/).at(-1) ?? symbol;
}
