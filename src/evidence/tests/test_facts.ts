/** Reads what the code of a test asserts, what switches it off, and where it leaves early. Pure. */
import { anyOf } from "../../base/text/any_of.ts";
import { languageOfPath } from "../../language/languages.ts";
import { joinPatterns, RUNNERS } from "../../runners/runners.ts";
import type { CodePart } from "../../syntax/code_parts.ts";
import type { TestCode } from "./read_tests.ts";

/** Words of what is called by which a test asserts, and whole names that assert. */
const ASSERTING_WORD =
  /^(?:assert|expect|should|refute|XCTAssert|XCTUnwrap|prop_assert|ensure$|verify$|deep_?equal|strictEqual)/i;
const ASSERTING_WORDS = /^(?:notEqual|equals?|throws|rejects|raises|(?:REQUIRE|CHECK)\w*)$/;
const ASSERTING = anyOf(
  /^(?:eq|ok|same|is|check\w*)$/,
  /^t\.(?:is|not|ok|notOk|true|false|truthy|falsy|like|same|regex|snapshot)$/,
  /^[tb]\.(?:Error|Fatal)f?$/,
  /^require\.[A-Z]/,
);
/** How a function says that something is not as it should be, and how it compares. */
const FAILING = /^(?:\w+\.)?(?:fail|Fail|FailNow|Fatalf?|Errorf?|XCTFail)$|^panic!?$/;
const FAILS = /\b(?:throw|raise|panic|[Ff]ail(?:Now)?|Fatalf?|Errorf?|XCTFail|exit)\b/;
const EQUALITY =
  /^(?:\w+\.)?(?:isEqual|isDeepStrictEqual|DeepEqual|cmp\.Diff|Object\.is|isclose|is)$/;
/** Names of functions that say whether something is as it should be. */
const JUDGE =
  /^_*(?:assert|expect|check|verif|ensure|must|should|require|equal|same|is_?(?:same|equal)|(?:eq|matche?s?)(?:$|[_A-Z]))/i;
/** A judge that is content with everything. */
const CONTENT = /^(?:true|True|Ok\(\(\)\))$/;
/** What switches a test off, or leaves out the others. */
const SWITCH = new RegExp(joinPatterns(RUNNERS.map(({ switches }) => switches)), "g");
/** A switch that leaves out the other tests. */
export const ALONE = /\bonly\b|^f(?:it|describe|context)\b/;
const NEVER = /^(?:false|False|0)$/;
const SWALLOWS = /^except(?:\s*:?\s*$|.*\b(?:AssertionError|(?:Base)?Exception)\b)/;
const NO_BODY = /^(?:pass|\.\.\.)?$/;
const NO_HANDLER = /^(?:\(\w*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null)$/;
/** Ways out of a test before its end: a return without a value, the end of the run. */
const NO_VALUE = /^(?:undefined|void 0|Promise\.resolve\(\)|Ok\(\(\)\))?$/;
const EXITS = /^(?:(?:process|Deno|System|Environment|os|sys)\.(?:_?exit|Exit)|pytest\.exit)$/;

/** Something in the code of a test that can be on both sides of a change. */
export interface TestFact {
  /** The same on both sides for what did not change. */
  readonly text: string;
  readonly shown: string;
  readonly line: number;
  /** For a switch, whether it mutes new tests too; for an assertion, whether it compares a value with itself. */
  readonly isSure: boolean;
}

/** What the code of a test says, by how a change of it weakens the test. */
export interface TestFacts {
  readonly asserts: readonly TestFact[];
  readonly switches: readonly TestFact[];
  readonly leaves: readonly TestFact[];
  /** Lines of assertions. */
  readonly lines: ReadonlySet<number>;
}

/** The named functions of a text that are no tests and judge what they are given: an own `eq(a, b)` asserts. */
export function findAssertionHelpers({ parts, tests }: TestCode): readonly CodePart[] {
  return parts.filter(({ kind, name, first, last }) => {
    if (kind !== "function" || name === "") return false;
    const isTest = tests.some((test) =>
      (test.first <= first && last <= test.last) || (first <= test.first && test.last <= last)
    );
    if (isTest) return false;
    if (JUDGE.test(name)) return true;
    const own = parts.filter((part) => first <= part.first && part.last <= last);
    return own.some(isAsserting) ||
      (own.some(isFailing) && own.some((part) => part.kind === "comparison" || isEquality(part)));
  });
}

function isAsserting({ kind, head }: CodePart): boolean {
  if (kind === "assert") return true;
  return kind === "call" &&
    (ASSERTING.test(head) ||
      head.split(/[^\w$]+/).some((word) =>
        ASSERTING_WORD.test(word) || ASSERTING_WORDS.test(word)
      ));
}

function isFailing({ kind, head, args }: CodePart): boolean {
  if (kind === "throw") return true;
  return kind === "call" &&
    (FAILING.test(head) || (EXITS.test(head) && /^[1-9]/.test(args[0] ?? "")));
}

function isEquality({ kind, head }: CodePart): boolean {
  return kind === "call" && EQUALITY.test(head);
}

/** The facts of one side; `judges` are the names of own functions that assert. */
export function readTestFacts(
  path: string,
  code: TestCode,
  judges: ReadonlySet<string>,
): TestFacts {
  const { parts } = code;
  const calls = languageOfPath(path)?.tests?.calls;
  const helpers = parts.filter(({ kind, name }) => kind === "function" && judges.has(name));
  const isHelped = ({ first, last }: CodePart) =>
    helpers.some((helper) => helper.first <= first && last <= helper.last);
  const asserts = (part: CodePart): boolean => {
    const { kind, head, whole } = part;
    if (kind === "call" && calls?.test(head) === true) return false;
    if (isAsserting(part)) return true;
    if (kind === "call" && judges.has(head.replace(/^(?:self|this|cls|\$this)(?:\.|->)/, ""))) {
      return true;
    }
    const compares = kind === "comparison" || isEquality(part);
    return isHelped(part)
      ? compares || isFailing(part)
      : compares && /^(?:if|unless|guard)\b/.test(whole) && FAILS.test(whole);
  };
  const asserting = parts.filter(asserts);
  // A helper that neither asserts nor calls what it is given mutes no test.
  const isOfHelper = ({ first, last }: CodePart) => {
    const isTest = (one: CodePart) =>
      code.tests.some((test) => test.first <= one.last && one.first <= test.last);
    const helper = parts.find((one) =>
      one.kind === "function" && one.first <= first && last <= one.last && !isTest(one)
    );
    const given: readonly string[] = helper?.head.replace(/^[^(]*/, "").match(/[\w$]+/g) ?? [];
    return helper !== undefined &&
      !parts.some((one) =>
        helper.first <= one.first && one.last <= helper.last &&
        (asserting.includes(one) || (one.kind === "call" && given.includes(one.head)))
      );
  };
  const lines = new Set(
    asserting.flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, at) => first + at)
    ),
  );
  return {
    asserts: [...new Map(asserting.map((part) => [part.at, part])).values()].map((part) =>
      makeFact(part, part.statement, parts.some((one) => one.at === part.at && isTautology(one)))
    ),
    switches: parts.filter((part) => part.kind !== "handler" || !isOfHelper(part))
      .flatMap(readSwitches),
    leaves: parts.filter((part) => isLeaving(part, isHelped(part) || judges.has(part.name)))
      .map((part) => makeFact(part, `${part.kind} ${part.statement}`)),
    lines,
  };
}

function makeFact(part: CodePart, text: string, isSure = false): TestFact {
  return { text, shown: part.statement || part.head, line: part.first, isSure };
}

/** Whether an assertion compares a value with itself. */
function isTautology(part: CodePart): boolean {
  const { args: [one, other], inner: [given] } = part;
  if (one === undefined) return false;
  if (part.kind === "comparison") return one === other;
  return isAsserting(part) && (one === other || one === given);
}

/** What of a part switches tests off, or mutes what they say. */
function readSwitches(part: CodePart): readonly TestFact[] {
  const { kind, head, name, args: [first = ""], body } = part;
  if (kind === "function" || kind === "class") {
    return [...head.matchAll(SWITCH)].map(([mark]) => ({
      ...makeFact(part, `${mark} ${name}`),
      shown: head,
    }));
  }
  if (kind === "option") {
    const text = `${head}: ${first}`;
    return text.match(SWITCH) === null ? [] : [makeFact(part, text)];
  }
  if (kind === "condition") return NEVER.test(head) ? [makeFact(part, part.statement, true)] : [];
  if (kind === "handler") {
    const isMuted = NO_BODY.test(body) || SWALLOWS.test(head.trim());
    return isMuted ? [{ ...makeFact(part, `${head} ${body}`, true), shown: `${head}${body}` }] : [];
  }
  if (kind !== "call") return [];
  const isMuted = (/\.catch$/.test(head) && NO_HANDLER.test(first)) ||
    (/(?:^|\.)suppress$/.test(head) && /\b(?:AssertionError|(?:Base)?Exception)\b/.test(first));
  if (isMuted) return [makeFact(part, part.statement, true)];
  // What a table of cases is given is a call of what a call gives back.
  const isSwitch = !head.endsWith("()") && `${head}(`.match(SWITCH) !== null;
  return isSwitch ? [makeFact(part, `${head}(${first}`)] : [];
}

function isLeaving({ kind, head, args, body }: CodePart, isJudge: boolean): boolean {
  if (kind === "return") return NO_VALUE.test(head) || (isJudge && CONTENT.test(head));
  if (kind === "function") return isJudge && CONTENT.test(body);
  return kind === "call" && (EXITS.test(head) || (head === "exit" && args[0] === "0"));
}
