/** The server's own look at the code of a request: places, who uses them, tests that reach them, and files beside them. */
import { waitAtMost } from "../base/clock.ts";
import { LIMITS } from "../base/settings/limits.ts";
import { measureJson, omitUndefined } from "../base/text/json_record.ts";
import type { Orientation } from "../question/orientation.ts";
import { findFile, orient } from "../question/orientation.ts";
import type { Services } from "../services/services_api.ts";
import { toWire } from "./budget.ts";
import { joinLines } from "./session_route.ts";

/** How much of the time of a first look goes by before no more neighbours are looked up (guessed). */
const FOLLOWED_SHARE = 0.6;

/** What is shown, how many places it names, and what it cost. */
export interface CodeLook {
  readonly shown: unknown;
  readonly total: number;
  readonly durationMs: number;
}

/** Under this name a look at the code of the request is on record, so that nobody is shown it twice. */
export const CODE_LOOK = "query";

/**
 * Shows the code of the request: at the start, or behind the frame where the index was not ready by then. What is named
 * counts as seen, not as explored: the agent still has to read. Null where there is nothing to show, or it was shown.
 */
export async function lookAtCode(
  { services, signal }: { readonly services: Services; readonly signal: AbortSignal },
): Promise<CodeLook | null> {
  const { explorer, meaning, sessions } = services;
  const active = await sessions.findActive();
  if (active?.kind !== "loaded") return null;
  const { query, frame, sessionId } = active.checkpoint.state;
  const { records } = await sessions.readRecords(sessionId);
  if (
    records.some((one) => one.kind === "call" && one.via === "server" && one.tool === CODE_LOOK)
  ) {
    return null;
  }
  const startedAt = performance.now();
  const late = AbortSignal.timeout(LIMITS.answerPartMs.value);
  const stop = AbortSignal.any([signal, late]);
  const looked = orient(joinLines(query), {
    explorer,
    meaning,
    symbols: frame?.targetSymbols ?? [],
    // What is found by then is reported, rather than nothing.
    endsAt: startedAt + LIMITS.answerPartMs.value * FOLLOWED_SHARE,
    signal: stop,
  });
  const found = await waitAtMost(looked, LIMITS.answerPartMs.value);
  if (found === null || found.places.length === 0 && found.names === undefined) return null;
  const leftMs = LIMITS.answerPartMs.value - (performance.now() - startedAt);
  const near = await waitAtMost(findNear(found, query, services, stop), leftMs).catch(() => null);
  const durationMs = Math.round(performance.now() - startedAt);
  return { shown: fitOrientation(near ?? found), total: found.places.length, durationMs };
}

const MOST_NEAR = { targets: 2, tests: 2, likely: 5, also: 8 } as const;

/** Adds tests that reach the first places, by names or by what ran, and files that such a change touches as a rule. */
async function findNear(
  found: Orientation,
  changeDescription: string,
  { impact }: Pick<Services, "impact">,
  signal: AbortSignal,
): Promise<Orientation> {
  const shown = new Set([...found.places.map(({ at }) => at), ...found.tests].map(findFile));
  const targetFiles = [...shown].slice(0, MOST_NEAR.targets);
  if (targetFiles.length === 0) return found;
  const answer = await impact.analyze(
    { targetFiles, symbols: [], isDiff: false, changeDescription, depth: 1 },
    { signal },
  );
  if (answer.kind !== "found") return found;
  const isNew = (path: string) => !shown.has(path);
  const tests = answer.tests.filter(isNew).slice(0, MOST_NEAR.tests);
  const likely = answer.likely.map(({ path }) => path).filter(isNew).slice(0, MOST_NEAR.likely);
  const also = [...new Set([...likely, ...found.also])].filter((path) => !tests.includes(path));
  return {
    ...found,
    tests: [...found.tests, ...tests],
    also: also.slice(0, MOST_NEAR.also),
  };
}

/** Bytes of a look at the code in the reply to a start. */
const ORIENTATION_BYTES = 1_300;

/** The look as it is sent: what is furthest from the request goes first where there is no room. */
function fitOrientation(found: Orientation): unknown {
  const { places, tests, also, names } = found;
  const wire = {
    places: toWire(places),
    ...(tests.length === 0 ? {} : { tests }),
    ...(also.length === 0 ? {} : { also }),
    ...(names === undefined ? {} : { names }),
  };
  if (measureJson(wire) <= ORIENTATION_BYTES || places.length < 2) return wire;
  const at = places.findLastIndex(({ usedBy, calls }) => usedBy ?? calls);
  if (at < 1) return fitOrientation({ ...found, places: places.slice(0, -1) });
  const shorter = places.map(({ usedBy, calls, ...place }, index) =>
    index === at ? place : { ...place, ...omitUndefined({ usedBy, calls }) }
  );
  return fitOrientation({ ...found, places: shorter });
}
