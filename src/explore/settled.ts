/**
 * Keeps lines and positions together: an answer says where something stands by what was read of a file earlier, and shows
 * lines as the file has them now. Where a file changed between the two, the question is asked once more.
 */
import { formatCount } from "../base/text/plain_text.ts";
import type { CodeIndex } from "../index/index_api.ts";
import type { Found, Freshness } from "./explorer.ts";

/** An answer that may be asked for once more. */
export interface StableAnswer {
  readonly freshness: Freshness;
  readonly notices?: readonly string[];
}

/** How an answer is held against the files. */
export interface StableOptions<Answer extends StableAnswer> {
  readonly index: Pick<CodeIndex, "findChanged">;
  /** Files whose lines or positions the answer shows. */
  readonly filesOf: (answer: Answer) => readonly string[];
  /** Of an answer that rests on files alone: those that look other than when they were read. */
  readonly findChangedLive?: (paths: readonly string[]) => readonly string[];
  /** The answer without its places in these files. */
  readonly without: (answer: Answer, changed: ReadonlySet<string>) => Answer;
}

/** After so many answers places of files that do not come to rest are left out. */
const ROUNDS = 3;
const MOST_NAMED = 5;

/** What a question is answered with, asked again while files of the answer change under it. */
export async function askUntilStable<Answer extends StableAnswer, Refused>(
  ask: () => Promise<Answer | Refused>,
  options: StableOptions<Answer>,
): Promise<Answer | Refused> {
  for (let round = 1;; round++) {
    const answer = await ask();
    if (!isAnswer<Answer, Refused>(answer)) return answer;
    const { freshness } = answer;
    const files = options.filesOf(answer);
    const changed = freshness === "live"
      ? options.findChangedLive?.(files) ?? []
      : await options.index.findChanged(files, freshness.revision);
    if (changed.length === 0) return withPending(answer);
    // What is pending has another content as the answer says itself: asked again it has still.
    const isKnown = freshness !== "live" && freshness.pending > 0;
    if (isKnown || round === ROUNDS) {
      return withPending(leaveOut(answer, new Set(changed), options));
    }
  }
}

function isAnswer<Answer extends StableAnswer, Refused>(
  answer: Answer | Refused,
): answer is Answer {
  return typeof answer === "object" && answer !== null && "freshness" in answer;
}

/** Says which changed files the answer has nothing of: the index forgot what they were before. */
function withPending<Answer extends StableAnswer>(answer: Answer): Answer {
  const { freshness } = answer;
  if (freshness === "live" || freshness.pendingFiles === undefined) return answer;
  const { pending, pendingFiles } = freshness;
  const files = formatCount(pending, "changed file that is", "changed files that are");
  const notice = `Not in this answer: ${files} not read yet (${formatNames(pendingFiles)}).`;
  return withNotice(answer, notice);
}

function withNotice<Answer extends StableAnswer>(answer: Answer, notice: string): Answer {
  return { ...answer, notices: [...answer.notices ?? [], notice] };
}

function formatNames(paths: readonly string[]): string {
  const more = paths.length > MOST_NAMED ? ", …" : "";
  return `${paths.slice(0, MOST_NAMED).join(", ")}${more}`;
}

function leaveOut<Answer extends StableAnswer>(
  answer: Answer,
  changed: ReadonlySet<string>,
  { without }: StableOptions<Answer>,
): Answer {
  const files = formatCount(changed.size, "file that has", "files that have");
  const notice = `Left out: what stands in ${files} changed since it was read (${
    formatNames([...changed])
  }). Ask again.`;
  return withNotice(without(answer, changed), notice);
}

/** A place of an answer; `definedAt` is another one, as `path:line`. */
interface Placed {
  readonly path: string;
  readonly definedAt?: string;
}

/** The lists of places that answers have. */
interface PlacedLists {
  readonly definitions?: readonly Placed[];
  readonly references?: readonly Placed[];
  readonly symbols?: readonly Placed[];
  readonly nearest?: readonly Placed[];
  readonly definition?: Placed;
}

const LISTS = ["definitions", "references", "symbols", "nearest"] as const;

/** Files of the places that an answer shows, and of those where they lead. */
export function listAnswerFiles(answer: Found & PlacedLists): readonly string[] {
  const leads = (answer.references ?? []).flatMap((place) => readTargetPath(place) ?? []);
  return [...new Set([...answer.shownFiles, ...leads])];
}

/** The answer without its places in these files, nor those that lead there. */
export function removePlaces<Answer extends Found>(
  answer: Answer & PlacedLists,
  changed: ReadonlySet<string>,
): Answer {
  const isKept = (place: Placed) =>
    !changed.has(place.path) && !changed.has(readTargetPath(place) ?? "");
  const kept = Object.fromEntries(LISTS.flatMap((list) => {
    const places = answer[list];
    return places === undefined ? [] : [[list, places.filter(isKept)]];
  }));
  const gone = LISTS.reduce(
    (sum, list) =>
      list === "nearest" ? sum : sum + (answer[list]?.length ?? 0) - (kept[list]?.length ?? 0),
    0,
  );
  const isOne = answer.definition !== undefined && !isKept(answer.definition);
  return {
    ...answer,
    ...kept,
    ...(isOne ? { definition: undefined, content: [] } : {}),
    total: answer.total - gone - Number(isOne),
    shownFiles: answer.shownFiles.filter((path) => !changed.has(path)),
  };
}

function readTargetPath({ definedAt }: Placed): string | undefined {
  return definedAt?.slice(0, definedAt.lastIndexOf(":"));
}
