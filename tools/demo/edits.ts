/** What the agent of the demo writes: plain edits of files, and where they ended up. */
import { join } from "node:path";

/** A replacement of a text that stands exactly once in a file; `find` empty: the file is new. */
export interface Edit {
  readonly path: string;
  readonly find: string;
  readonly put: string;
}

const LOAN_FIELDS = `  readonly dueOn: string;\n`;
const IS_LATE = `/** True when the book should have been back before today. */\n`;

/** Task 1, first half: a loan knows how often it was renewed. */
export const COUNT_RENEWALS: readonly Edit[] = [
  {
    path: "src/loans.ts",
    find: LOAN_FIELDS,
    put: `${LOAN_FIELDS}  /** How often the loan was renewed. */\n  readonly renewals: number;\n`,
  },
  {
    path: "src/loans.ts",
    find: "dueOn: addDays(today, LOAN_DAYS) };",
    put: "dueOn: addDays(today, LOAN_DAYS), renewals: 0 };",
  },
];

/** Task 1, second half. The bound is wrong by one: a third renewal gets through. */
export const ADD_RENEW: Edit = {
  path: "src/loans.ts",
  find: IS_LATE,
  put: `/** How often a loan may be renewed (rule 3). */
export const MAX_RENEWALS = 2;

/** Renews a loan from its due day on; a late one and a third time are refused. */
export function renew(loan: Loan, today: string): Loan {
  if (isLate(loan, today)) throw new Error("a late loan cannot be renewed");
  if (loan.renewals > MAX_RENEWALS) throw new Error("a loan is renewed at most twice");
  return { ...loan, dueOn: addDays(loan.dueOn, LOAN_DAYS), renewals: loan.renewals + 1 };
}

${IS_LATE}`,
};

/** What the agent left lying about while it looked for the format of a day. */
export const STRAY_FILE: Edit = {
  path: "src/debug_days.ts",
  find: "",
  put:
    `/** Scratch. */\nimport { addDays } from "./days.ts";\n\nexport const probe = addDays("2026-03-01", 14);\n`,
};

/** Task 2: the list says how often a loan was renewed. */
export const SHOW_RENEWALS: Edit = {
  path: "src/report.ts",
  find: "  return `${loan.dueOn} ${loan.bookId} ${loan.memberId}${fee}`;\n",
  put: `  const renewed = loan.renewals === 0 ? "" : \`, renewed \${loan.renewals}x\`;
  return \`\${loan.dueOn} \${loan.bookId} \${loan.memberId}\${fee}\${renewed}\`;
`,
};

/** Task 3, after the verification: the bound is put right. */
export const FIX_BOUND: Edit = {
  path: "src/loans.ts",
  find: "loan.renewals > MAX_RENEWALS",
  put: "loan.renewals >= MAX_RENEWALS",
};

/** What the agent also does then: a test of the list asks for less, and would pass whatever the change is. */
export const WEAKEN_TEST: Edit = {
  path: "tests/report_test.ts",
  find: `  equal(
    renderReport(loans, "2026-03-16"),
    "2026-03-15 b1 m2 (0.20 euros)\\n2026-03-18 b2 m1",
  );
`,
  put: `  equal(renderReport(loans, "2026-03-16").includes("b1"), true);
`,
};

/** What the agent does too early: it lends for three weeks while it only explores, and by the shell. */
export const SHELL_EDIT = {
  path: "src/loans.ts",
  script: "sed -i.bak 's/LOAN_DAYS = 14/LOAN_DAYS = 21/' src/loans.ts && rm src/loans.ts.bak",
};

/** Runs a script by a shell of its own, out of sight of the server and of every hook. */
export async function runShell(root: string, script: string): Promise<void> {
  const { code, stderr } = await new Deno.Command("sh", { args: ["-c", script], cwd: root })
    .output();
  if (code !== 0) throw new Error(`sh: ${new TextDecoder().decode(stderr)}`);
}

/** Writes an edit to the disk, as an editor would: no tool of the server is involved. */
export async function applyEdit(root: string, edit: Edit): Promise<void> {
  const path = join(root, edit.path);
  if (edit.find === "") return await Deno.writeTextFile(path, edit.put);
  const before = await Deno.readTextFile(path);
  if (before.split(edit.find).length !== 2) throw new Error(`${edit.path} lacks the text to edit`);
  await Deno.writeTextFile(path, before.replace(edit.find, () => edit.put));
}

/** The evidence for a text that now stands in a file: `path:line` or `path:start-end`. */
export async function toEvidence(root: string, path: string, text: string): Promise<string> {
  const content = await Deno.readTextFile(join(root, path));
  const offset = content.indexOf(text);
  if (offset < 0) throw new Error(`${path} lacks the text that is to be shown`);
  const start = content.slice(0, offset).split("\n").length;
  const end = start + text.replace(/\n$/, "").split("\n").length - 1;
  return start === end ? `${path}:${start}` : `${path}:${start}-${end}`;
}
