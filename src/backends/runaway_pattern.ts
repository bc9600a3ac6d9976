/** Finds repetitions on which JavaScript's matcher can take for ever, since it tries every way to divide a text. Pure. */

/** One branch of a group, or of the whole pattern. */
interface Branch {
  /** Parts that take at least one character. */
  required: number;
  /** Those of them that repeat. */
  requiredLoops: number;
  /** Parts that repeat. */
  loops: number;
  /** A repeated dot lies in it, which also takes what other parts match. */
  hasDotLoop: boolean;
}

/** So often repeated counts as repeated without end (guessed): each turn doubles the time. */
const MANY = 8;
const GROUP = /\((?:\?(?:P?<\w+>|[a-z-]*:))?/y;
const ATOM = /\\(?:[pPx]\{[^}]*\}|[^])|\[\^?\]?(?:\\[^]|[^\]\\])*\]?|[^]/y;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const NO_WIDTH = /^(?:\^|\$|\\[bBAz])$/;
/** What can follow a group without a text that may be missing. */
const END = /^[)*+?]*$/;

/**
 * A repetition whose body can be divided between its turns in several ways, such as `(a+)+`, where something follows that
 * may fail; null where there is none. At the end of a pattern it is matched at once.
 */
export function findRunaway(
  pattern: string,
  { isFollowed = false }: { readonly isFollowed?: boolean } = {},
): string | null {
  let at = 0;
  let found: string | null = null;
  const take = (form: RegExp) => {
    form.lastIndex = at;
    const text = form.exec(pattern)?.[0] ?? "";
    at += text.length;
    return text;
  };
  const readBranches = (): readonly Branch[] => {
    let branch = toBranch();
    const branches = [branch];
    for (; at < pattern.length && pattern[at] !== ")";) {
      if (pattern[at] === "|") branches.push(branch = toBranch()), at++;
      else readPart(branch);
    }
    return branches;
  };
  const readPart = (branch: Branch) => {
    const from = at;
    const inner = take(GROUP) === "" ? null : readBranches();
    const atom = inner === null ? take(ATOM) : pattern.slice(from, ++at);
    const quantifier = take(QUANTIFIER);
    const repeats = isLoop(quantifier);
    addPart(branch, { atom, inner, quantifier });
    const mayFail = isFollowed || !END.test(pattern.slice(at));
    if (repeats && mayFail && inner?.some(isAmbiguous) === true) found ??= pattern.slice(from, at);
  };
  for (; at < pattern.length; at++) readBranches();
  return found;
}

function toBranch(): Branch {
  return { required: 0, requiredLoops: 0, loops: 0, hasDotLoop: false };
}

function addPart(branch: Branch, { atom, inner, quantifier }: {
  readonly atom: string;
  readonly inner: readonly Branch[] | null;
  readonly quantifier: string;
}): void {
  const repeats = isLoop(quantifier) || inner?.some(isAmbiguous) === true;
  const isEmpty = /^(?:[*?]|\{0)/.test(quantifier) ||
    (inner === null ? NO_WIDTH.test(atom) : inner.some(({ required }) => required === 0));
  if (repeats) branch.loops++;
  if (!isEmpty) branch.required++;
  if (repeats && !isEmpty) branch.requiredLoops++;
  branch.hasDotLoop ||= (atom === "." && isLoop(quantifier)) ||
    inner?.some(({ hasDotLoop }) => hasDotLoop) === true;
}

function isLoop(quantifier: string): boolean {
  const [, most] = /^\{\d+,?(\d*)\}/.exec(quantifier) ?? [];
  return /^[*+]|,\}/.test(quantifier) || Number(most ?? 0) > MANY;
}

/** Whether two turns of the branch can also be read as one. */
function isAmbiguous({ required, requiredLoops, loops, hasDotLoop }: Branch): boolean {
  return hasDotLoop || (loops > 0 && (required === 0 || (required === 1 && requiredLoops === 1)));
}
