/** Forms of tests that pass whatever the code does, and of code that knows its test, by what a diff shows. Pure. */

/** A new or changed test. */
export interface ReadTest {
  /** As `path: name`. */
  readonly place: string;
  readonly path: string;
  readonly name: string;
  /** Its lines. */
  readonly text: string;
}

/** A changed file of sources. */
export interface ReadSource {
  readonly path: string;
  /** The added lines, with their numbers from 1. */
  readonly added: readonly { readonly line: number; readonly text: string }[];
}

/** What the diff shows. */
export interface ReadForms {
  readonly tests: readonly ReadTest[];
  readonly sources: readonly ReadSource[];
  /** Whole texts of the changed test files, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A form that was found. */
export interface FormFinding {
  readonly place: string;
  readonly what: string;
  /** What would settle it. */
  readonly settle: string;
  /** Whether it counts only where the test passes without the work. */
  readonly isOfPassing?: true;
}

const READS =
  /\b(?:readFile(?:Sync)?|readTextFile(?:Sync)?|open|read_text|ReadFile|ReadAllText|readString|readAllLines|fopen|file_get_contents|File\.read)\b/;
const SOURCE_OF = /\b(?:getsource(?:lines)?|getSourceCode)\(/;
const CONDITION =
  /\b(?:if|unless|elif|while|skip_?if|skip_?unless)\b|\s\?\s|&&|\|\||\b(?:or|and)\b/i;
const VARIABLE =
  /\b(?:os\.environ|os\.getenv|process\.env|Deno\.env\.(?:get|has)|os\.Getenv|os\.LookupEnv|System\.getenv|getenv|std::env::var|import\.meta\.env)\b|\bENV\[/;
const TODAY =
  /\b(?:date\.today|datetime\.(?:now|utcnow)|time\.time|Date\.now|time\.Now|(?:Local|Zoned)Date(?:Time)?\.now|Instant\.now|currentTimeMillis|Time\.now|Date\.today)\b|\bnew Date\(\)/;
const COMPARED = /[<>]|\.(?:After|Before|isAfter|isBefore)\(/;
const CONSTANT =
  /\bassert(?:True)?\(\s*(?:True|true|1)\s*[,)]|\bassert\s+(?:True|1)\s*$|\b(?:assert|t)\.(?:ok|true)\(\s*(?:true|1)\s*[,)]|\b(?:expect|assertThat)\(\s*(\w+|"[^"]*")\s*\)\.\w+\(\s*\1\s*\)|\b(?:assert\w*|assert\.\w+|equal|is)\(\s*(-?\d+|true|false|True|"[^"]*"),\s*\2\s*[,)]/m;
const ASSERTS = /\b(?:assert|expect|equal|check|verify|should|must|raises|throws)\w*\b/gi;
/** What says of a test that something is wrong. */
const FAILS =
  /(?:assert|expect|equal|check|verif|should|must|require|raise|throw|reject|fail|error|fatal|panic|compare|matches|\bok\b|\bis\b|\bexit\b|!==?)/i;
const CALL = /[\w.]+\((?:[^()\n]|\([^()\n]*\))*\)/;
const GIVEN = new RegExp(
  `\\b(\\w+)\\s*(?::=|(?::\\s*\\w+\\s*)?=)\\s*((?:await\\s+)?${CALL.source})\\s*;?\\s*$`,
  "gm",
);
const QUOTED = /"(?:[^"\\\n]|\\.){2,}"|'(?:[^'\\\n]|\\.){2,}'/.source;
const LITERAL = new RegExp(`${QUOTED}|(?<![\\w.])-?\\d[\\d_.]*\\b|\\[[^\\][\\n]+\\]`, "g");
/** Numbers that stand everywhere. */
const PLAIN = /^-?[01]$/;
/** What stands before a case that is asked for. */
const EQUALS = /(?:={2,3}|\.equals\(|\bis|\bstrcmp\([^()]*,)\s*$/;

/** Everything that is found. */
export function findForms(read: ReadForms): readonly FormFinding[] {
  return [
    ...read.tests.flatMap((test) => findOfTest(test, read)),
    ...read.tests.filter(({ text }) => !FAILS.test(dropTitle(text))).map(({ place }) => ({
      place,
      what: "asserts nothing, and passes without the work",
      settle: "Let it assert what the code gives or does.",
      isOfPassing: true as const,
    })),
    ...read.sources.flatMap((source) => findOverfit(source, read.tests)),
  ];
}

/** A test without its head, in whose words anything may stand. */
function dropTitle(text: string): string {
  return text.replace(
    /^(?:.*?=>|.*?\bfunction\b[^{]*|\s*(?:@.*\n\s*)*(?:async )?(?:def|func|fn|void|static)\b[^{:]*)/,
    "",
  );
}

const RULES:
  readonly ((test: ReadTest, read: ReadForms) => readonly [what: string, settle: string] | null)[] =
    [
      ({ text }, { sources }) => {
        const [read] = sources.filter(({ path }) =>
          text.includes(path.slice(path.lastIndexOf("/") + 1))
        );
        const isRead = (READS.test(text) && read !== undefined) || SOURCE_OF.test(text);
        return isRead
          ? [
            `reads ${
              read?.path ?? "the source"
            } as text: it says what is written there, not what it does`,
            "Let it call the code, and assert what that gives or does.",
          ]
          : null;
      },
      ({ text }) =>
        CONSTANT.test(text) && (text.match(ASSERTS) ?? []).length <= 2
          ? [
            "asserts a constant: it passes whatever the code does",
            "Let it assert what the code gives or does.",
          ]
          : null,
      ({ text }) => {
        const line = findLine(text, VARIABLE);
        if (line === undefined) return null;
        const isOfCi = /\bCI\b/.test(line);
        return [
          `checks by a variable of the environment (${line}): ${
            isOfCi
              ? "in CI and elsewhere it says different things"
              : "where it is not set nothing is checked"
          }`,
          "Let it check the same everywhere.",
        ];
      },
      ({ text }) => {
        const line = text.split("\n").find((one) =>
          TODAY.test(one) && (COMPARED.test(one) || CONDITION.test(one))
        );
        return line === undefined ? null : [
          `depends on the date (${line.trim()}): on another day it says something else`,
          "Give the time to the code, or let the test set it.",
        ];
      },
      ({ text }) => {
        const given = [...text.matchAll(GIVEN)].find(([, name = "", call = ""]) =>
          text.replaceAll(GIVEN, "").split("\n").some((line) =>
            line.includes(call) && new RegExp(`\\b${name}\\b`).test(line.replace(call, ""))
          )
        );
        const twice = new RegExp(
          `(?:assert\\w*|[eE]quals?|same|is)\\(\\s*(${CALL.source})\\s*,\\s*\\1\\s*[,)]`,
        ).exec(text)?.[1];
        const call = given?.[2] ?? twice;
        return call === undefined ? null : [
          `expects what the code itself gives: ${call}`,
          "Write the expected value, found in another way.",
        ];
      },
      ({ text }, { sources, tests }) => {
        const [, call = "", number] =
          /\b([\w.]+)\(\s*(-?\d+(?:\.\d+)?)\s*(?:,\s*\2\s*)+\)/.exec(text) ?? [];
        const name = call.slice(call.lastIndexOf(".") + 1);
        const isOfChange = sources.some(({ added }) =>
          added.some((one) => new RegExp(`\\b${name}\\b\\s*[(=:]`).test(one.text))
        );
        if (number === undefined || !isOfChange) return null;
        const all = tests.flatMap((
          one,
        ) => [...one.text.matchAll(new RegExp(`\\b${name}\\(([^()]*)\\)`, "g"))]);
        const isAlone = all.every(([, words = ""]) =>
          new Set(words.split(",").map((word) => word.trim())).size === 1
        );
        return isAlone
          ? [
            `gives ${name} nothing but equal numbers (${number}, ${number}): other operations give the same`,
            "Add a case with different numbers.",
          ]
          : null;
      },
      ({ text, path, name }, { texts, tests }) => {
        const whole = texts.get(path) ?? "";
        const shared = [...whole.matchAll(/^(?:(?:let|var)\s+)?(\w+)(?::[^=\n]+)?\s*=(?!=)/gm)]
          .flatMap(([, variable]) => variable ?? [])
          .find((variable) => {
            const writes = new RegExp(
              `(?<![\\w.])${variable}\\s*(?:[-+]?=(?!=)|\\.(?:push|append|add|set)\\()`,
            );
            const others = tests.filter((one) => one.path === path && one.name !== name);
            return !writes.test(text) && new RegExp(`\\b${variable}\\b`).test(text) &&
              others.some((one) => writes.test(one.text)) &&
              !isSetElsewhere(whole, variable, writes, tests);
          });
        return shared === undefined ? null : [
          `takes what another test leaves in ${shared}: it depends on the order`,
          "Let it make what it needs itself.",
        ];
      },
    ];

function findOfTest(test: ReadTest, read: ReadForms): readonly FormFinding[] {
  return RULES.flatMap((rule) => {
    const found = rule(test, read);
    return found === null ? [] : [{ place: test.place, what: found[0], settle: found[1] }];
  });
}

/** The first line that decides by what a pattern finds. */
function findLine(text: string, pattern: RegExp): string | undefined {
  return text.split("\n").find((line) => pattern.test(line) && CONDITION.test(line))?.trim();
}

/** Whether more than its own line and the tests write a variable, as what runs before each of them does. */
function isSetElsewhere(
  whole: string,
  variable: string,
  writes: RegExp,
  tests: readonly ReadTest[],
): boolean {
  const rest = tests.reduce((text, one) => text.replace(one.text, ""), whole);
  return rest.split("\n").filter((line) => writes.test(line)).length > 1 ||
    new RegExp(`\\b(?:before|setup|setUp)\\w*\\b[^]*\\b${variable}\\b`).test(rest);
}

/** What may stand between a case and its answer: of a table, a choice, a condition, a function of a table. */
const BETWEEN =
  /(?:\)\s*==\s*0|\s*(?:and|&&)\s*[\w.]+)?\s*\)*\s*(?::|=>|->|\?|\{|\bthen\b|\breturn\b)\s*(?:(?:\{|\breturn\b|\blambda\b[^:\n]*:|\bfn\b|\(\s*\)|\(|=>|\$?\b\w+\s*=(?!=))\s*)*/
    .source;
const PAIR = new RegExp(
  `(${LITERAL.source})${BETWEEN}(${LITERAL.source})|\\[(${QUOTED})\\s*,\\s*(?:\\(\\)\\s*=>\\s*)?(${LITERAL.source})\\]`,
  "g",
);
/** A text with a number or a blank is what somebody gives to code, seldom a code or a word of a table. */
const GIVEN_TEXT = /^".*[\d ].*"$/;

/** Where code compares with what a changed test gives, and answers what that expects; and a switch over nothing else. */
function findOverfit(
  { path, added }: ReadSource,
  tests: readonly ReadTest[],
): readonly FormFinding[] {
  const known = new Set(tests.flatMap(({ text }) => listLiterals(text)));
  const text = added.map((one) => one.text).join("\n");
  const pairs = [...text.matchAll(PAIR)].map((match) => {
    const before = text.slice(0, match.index);
    const [key = "", value = ""] = match.slice(1)
      .flatMap((word) => word === undefined ? [] : normaliseLiteral(word));
    return {
      ...{ key, value, line: added[before.split("\n").length - 1]?.line },
      isAsked: EQUALS.test(before),
      isOfTests: known.has(key) && known.has(value),
    };
  });
  const settle = "Add a case that the code does not name, or say why these are all.";
  const asked = pairs.filter(({ isAsked, isOfTests, key }) =>
    isAsked && isOfTests && !PLAIN.test(key)
  );
  const isOpen = asked.length > 1 && hasOtherCase(tests, asked.map(({ key }) => key));
  const given = pairs.filter(({ key, value }) =>
    GIVEN_TEXT.test(key) || /^-?\d\d.*\n-?\d/.test(`${key}\n${value}`)
  );
  const what =
    `has a table of ${given.length} answers, each as a changed test has it: it may know these cases alone`;
  return [
    ...(isOpen ? [] : asked).map(({ key, value, line }) => ({
      place: `${path}:${line}`,
      what: `answers ${key} with ${value}, as a changed test has it: it may know this case alone`,
      settle,
    })),
    ...given.length > 1 && given.every(({ isOfTests }) => isOfTests)
      ? [{ place: path, what, settle }]
      : [],
  ];
}

/** Whether a changed test asks for something else too, so that several answers are a table. */
function hasOtherCase(tests: readonly ReadTest[], asks: readonly string[]): boolean {
  const calls = tests.flatMap(({ text }) => [...text.matchAll(/(\w+)\(([^()\n]*)\)/g)]).map(
    ([, name = "", words = ""]) => ({ name, given: words.replaceAll("'", '"') }),
  );
  const names = new Set(
    calls.filter(({ given }) => asks.some((ask) => given.includes(ask))).map(({ name }) => name),
  );
  return calls.some(({ name, given }) =>
    names.has(name) && given !== "" && !asks.some((ask) => given.includes(ask))
  );
}

/** Literals in one spelling: quotes are double, blanks are single. */
function listLiterals(text: string): readonly string[] {
  return (text.match(LITERAL) ?? []).map(normaliseLiteral);
}

function normaliseLiteral(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/^'(.*)'$/, '"$1"');
}
