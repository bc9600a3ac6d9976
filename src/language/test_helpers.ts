/**
 * Finds the functions of a test file that are no tests and judge what they are given: an own `eq(a, b)` asserts as much
 * as the tests that call it. By lines and indentation of the masked text, not by a parser. Pure.
 */
import { findLast, readTests } from "./test_blocks.ts";

/** A function that judges. */
export interface JudgingHelper {
  readonly name: string;
  /** Its lines, from its head on, without the blanks around them. */
  readonly lines: readonly string[];
}

const HEAD =
  /^\s*(?:(?:export|default|async|public|private|protected|internal|static|final|pub(?:\([^)]*\))?|inline|local)\s+)*(?:(?:def|func|function\s*\*?|fn|fun|void|bool|boolean|Bool)\s+(?:\([^)]*\)\s*)?(?:self\.)?(\w+)\s*[(<]|(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>))/;
/** Names of functions that say whether something is as it should be. */
const NAME =
  /^_*(?:assert|expect|check|verif|ensure|must|should|require|equal|eq(?:$|[_A-Z])|same|is_?(?:same|equal)|matche?s?(?:$|[_A-Z]))/i;
/** How a function says that something is not as it should be. */
export const FAILS =
  /\b(?:throw|raise)\b|\bpanic!?\s*\(|(?<!def |function |func )\b(?:[tb]\.)?(?:fail|Fail|FailNow|Fatalf?|Errorf?|XCTFail)\s*\(|\b(?:process|Deno|os|sys)\.(?:_?exit|Exit)\s*\(\s*[1-9]/;
/** How it compares. */
export const COMPARES =
  /(?<![=<>!])[=!]==?(?![>=])|\bis\s+(?:not\s+)?\w|\b(?:not\s+)?in\s+\w|\b(?:deepEqual|isEqual|isDeepStrictEqual|equals?|DeepEqual|cmp\.Diff|Object\.is|isclose)\s*\(/;
const ASSERTS = /\bassert\w*\b|\bexpect\s*\(/;

/** The judging functions of a text that stand outside of its tests; those inside of others are part of them. */
export function findJudgingHelpers(path: string, text: string): readonly JudgingHelper[] {
  const { tests, lines } = readTests(path, text);
  const inTest = new Set(
    tests.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, at) => first - 1 + at)
    ),
  );
  const helpers: JudgingHelper[] = [];
  for (let line = 0; line < lines.code.length; line++) {
    const found = inTest.has(line) ? null : HEAD.exec(lines.code[line] ?? "");
    if (found === null) continue;
    const last = findLast(lines, line, 0);
    const name = found[1] ?? found[2] ?? "";
    const code = lines.code.slice(line, last + 1);
    const whole = code.join("\n");
    const judges = NAME.test(name) || ASSERTS.test(whole) ||
      (FAILS.test(whole) && code.some((one) => COMPARES.test(one)));
    if (judges) {
      const own = lines.raw.slice(line, last + 1).map((one) => one.trim());
      helpers.push({ name, lines: own.filter((one) => one !== "") });
    }
    line = last;
  }
  return helpers;
}
