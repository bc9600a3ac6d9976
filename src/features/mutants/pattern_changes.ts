/** Finds small wrong versions of regular expressions: an anchor less, another quantifier, a member of a class less. Pure. */

/** A changed part of a pattern, in UTF-16 units from its start. */
export interface PatternChange {
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly after: string;
}

/** An escape (with two backslashes in texts that escape them), a class, a bound, the head of a group, or one sign. */
const TOKEN =
  /\\\\?.|\[\^?\]?(?:\\\\?.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?(?:[:=!>]|<[=!]|P?<\w+>)|[^]/g;
const QUANTIFIER = /^(?:[*+?]|\{\d.*\})$/;
const MEMBER = /\\\\?.(?:-\\?.)?|[^\\](?:-[^\]\\])?/g;
/** A longer class holds ranges of signs that no test has all of. */
const MOST_MEMBERS = 8;

/** The changes of a pattern, from left to right; what only concerns blanks is left as it is. */
export function listPatternChanges(pattern: string): readonly PatternChange[] {
  const tokens = [...pattern.matchAll(TOKEN)];
  return tokens.flatMap(({ 0: token, index: start }, at) => {
    const before = tokens[at - 1]?.[0] ?? "";
    const change = (after: string) => [{ start, end: start + token.length, after }];
    if (/^(?:\^|\$(?!\w)|\\\\?b)$/.test(token)) return change("");
    if (/^\\\\?\.$/.test(token)) return change(".");
    if (token.startsWith("[") && !token.startsWith("[^")) return dropMembers(token, start);
    const isRepeat = QUANTIFIER.test(token) && before !== "" && !QUANTIFIER.test(before) &&
      !/^(?:\\\\?s| |\()/.test(before);
    if (!isRepeat) return [];
    const [, least, most] = /^\{(\d+)(,\d+)?\}$/.exec(token) ?? [];
    if (least !== undefined) {
      return change(`{${least},${most === undefined ? "" : Number(most.slice(1)) + 1}}`);
    }
    if (token === "?") return change("");
    if (token === "+") return change(before === ")" ? "" : "*");
    return token === "*" ? change("+") : [];
  });
}

function dropMembers(token: string, start: number): readonly PatternChange[] {
  const members = [...token.slice(1, -1).matchAll(MEMBER)];
  if (members.length < 2 || members.length > MOST_MEMBERS) return [];
  return members.map(({ 0: member, index }) => ({
    start: start + 1 + index,
    end: start + 1 + index + member.length,
    after: "",
  }));
}
