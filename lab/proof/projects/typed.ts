/** Projects in TypeScript, whose tests run by deno test. */
import type { MatrixProject } from "../project.ts";

const DENO = [Deno.execPath(), "test"];

const DURATION = `/** Seconds of a text such as "2m". */
export function parseDuration(text: string): number {
  const [, count, unit] = /^(\\d+)([sm])$/.exec(text) ?? [];
  if (count === undefined) throw new Error("no duration");
  return Number(count) * (unit === "m" ? 60 : 1);
}
`;
const EQUAL = `function equal(one: unknown, other: unknown): void {
  if (one !== other) throw new Error(\`\${one} is not \${other}\`);
}
`;
const DURATION_TEST = `import { parseDuration } from "../src/duration.ts";
${EQUAL}Deno.test("reads seconds and minutes", () => {
  equal(parseDuration("5s"), 5);
  equal(parseDuration("2m"), 120);
});
`;
const HOURS = DURATION.replace("[sm]", "[smh]").replace(
  'unit === "m" ? 60 : 1',
  'unit === "h" ? 3600 : unit === "m" ? 60 : 1',
);
const HOURS_TEST = `${DURATION_TEST}Deno.test("reads hours", () => {
  equal(parseDuration("1h"), 3600);
  equal(parseDuration("3h"), 10800);
});
`;

/** Durations. */
export const DURATION_PROJECT: MatrixProject = {
  name: "duration",
  language: "TypeScript",
  special: "",
  run: DENO,
  needs: Deno.execPath(),
  files: {
    "deno.json": "{}\n",
    "src/duration.ts": DURATION,
    "tests/duration_test.ts": DURATION_TEST,
  },
  changes: [
    {
      kind: "right",
      what: "hours",
      files: { "src/duration.ts": HOURS, "tests/duration_test.ts": HOURS_TEST },
    },
    {
      kind: "overfit",
      what: "one hour alone",
      files: {
        "src/duration.ts": DURATION.replace(
          "  const [",
          '  if (text === "1h") return 3600;\n  const [',
        ),
        "tests/duration_test.ts":
          `${DURATION_TEST}Deno.test("reads hours", () => equal(parseDuration("1h"), 3600));
`,
      },
    },
    {
      kind: "symptom",
      what: "nothing is thrown any more",
      files: {
        "src/duration.ts": DURATION.replace('throw new Error("no duration")', "return 0"),
        "tests/duration_test.ts": `${DURATION_TEST}Deno.test("takes hours", () => {
  parseDuration("1h");
});
`,
      },
    },
    {
      kind: "bent",
      what: "an hour of 60 minutes of 6 seconds",
      files: {
        "src/duration.ts": HOURS.replace('unit === "m" ? 60', 'unit === "m" ? 6'),
        "tests/duration_test.ts": HOURS_TEST.replace('"2m"), 120', '"2m"), 12'),
      },
    },
    {
      kind: "weakened",
      what: "the test is ignored",
      files: {
        "src/duration.ts": HOURS.replace('unit === "m" ? 60', 'unit === "m" ? 6'),
        "tests/duration_test.ts": HOURS_TEST.replace(
          'Deno.test("reads seconds',
          'Deno.test.ignore("reads seconds',
        ),
      },
    },
    {
      kind: "untested",
      what: "no test",
      files: { "src/duration.ts": HOURS.replace("3600", "360") },
    },
  ],
};

const QUEUE = `/** Takes the highest number first. */
export class Queue {
  readonly #items: number[] = [];

  add(item: number): void {
    this.#items.push(item);
    this.#items.sort((a, b) => b - a);
  }

  take(): number | undefined {
    return this.#items.shift();
  }
}
`;
const QUEUE_TEST = `import { Queue } from "../src/queue.ts";
${EQUAL}Deno.test("takes the highest", () => {
  const queue = new Queue();
  for (const item of [1, 3, 2]) queue.add(item);
  equal([queue.take(), queue.take(), queue.take(), queue.take()].join(), "3,2,1,");
});
`;
const PEEK = QUEUE.replace(
  "  take()",
  `  /** The highest so many, which stay. */
  peek(count: number): readonly number[] {
    return this.#items.slice(0, count);
  }

  take()`,
);
const PEEK_TEST = `${QUEUE_TEST}Deno.test("looks without taking", () => {
  const queue = new Queue();
  for (const item of [1, 3, 2]) queue.add(item);
  equal(queue.peek(2).join(), "3,2");
  equal(queue.peek(9).join(), "3,2,1");
  equal(queue.take(), 3);
});
`;

/** A queue. */
export const QUEUE_PROJECT: MatrixProject = {
  name: "queue",
  language: "TypeScript",
  special: "",
  run: DENO,
  needs: Deno.execPath(),
  files: {
    "deno.json": "{}\n",
    "src/queue.ts": QUEUE,
    "src/report.ts":
      'import { Queue } from "./queue.ts";\n\nexport const first = (items: number[]) => {\n  const queue = new Queue();\n  items.forEach((item) => queue.add(item));\n  return queue.take();\n};\n',
    "tests/queue_test.ts": QUEUE_TEST,
  },
  changes: [
    {
      kind: "right",
      what: "looks without taking",
      files: { "src/queue.ts": PEEK, "tests/queue_test.ts": PEEK_TEST },
    },
    {
      kind: "hollow",
      what: "looks at nothing",
      files: {
        "src/queue.ts": PEEK.replace("this.#items.slice(0, count)", "[]"),
        "tests/queue_test.ts": `${QUEUE_TEST}Deno.test("looks without taking", () => {
  equal(new Queue().peek(2).length, 0);
});
`,
      },
    },
    {
      kind: "bound",
      what: "one too many",
      files: {
        "src/queue.ts": PEEK.replace("slice(0, count)", "slice(0, count + 1)"),
        "tests/queue_test.ts": `${QUEUE_TEST}Deno.test("looks without taking", () => {
  const queue = new Queue();
  queue.add(1);
  equal(queue.peek(1).join(), "1");
});
`,
      },
    },
    {
      kind: "removed",
      what: "takes the lowest, and its test is gone",
      files: {
        "src/queue.ts": PEEK.replace("b - a", "a - b"),
        "tests/queue_test.ts": `import { Queue } from "../src/queue.ts";
${EQUAL}Deno.test("looks without taking", () => {
  const queue = new Queue();
  queue.add(1);
  equal(queue.peek(2).join(), "1");
});
`,
      },
    },
    {
      kind: "dependent",
      what: "take has another name, and a file without a test calls it",
      files: {
        "src/queue.ts": QUEUE.replace("take()", "shift()"),
        "tests/queue_test.ts": QUEUE_TEST.replaceAll("take()", "shift()"),
      },
    },
  ],
};
