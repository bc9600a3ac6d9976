/** Mutants that change nothing that can be seen: no test can tell them apart, so none is tried. */
import type { ChosenMutant } from "./choose.ts";

/** A change of a line that makes no difference. */
interface Equivalent {
  readonly path: string;
  /** The line without the blanks around it. */
  readonly line: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const EQUIVALENT: readonly Equivalent[] = [
  {
    path: "src/git/trees/merge_file.ts",
    line: "if (paths.length === 0) return new Map();",
    before: "(paths.length === 0)",
    after: "(false)",
    reason: "git lists the top of the tree, of which nothing is wanted: one start of git more",
  },
  {
    path: "src/git/snapshots/snapshots.ts",
    line:
      "let last = options.last === 0 ? await findLastNumber(repo, options.sessionId) : options.last;",
    before: "===",
    after: "!==",
    reason: "a number that is taken is refused, and the refs are counted then",
  },
  {
    path: "src/ledger/line_diff.ts",
    line: "while (start < a.length && start < b.length && a[start] === b[start]) start++;",
    before: "start < a.length && start < b.length",
    after: "start < a.length",
    reason: "behind the end of one text no line equals one of the other",
  },
  {
    path: "src/git/branches/switch_files.ts",
    line: "return false;",
    before: "false",
    after: "true",
    reason: "git stops at a path that is gone, and each file is hashed on its own then",
  },
  {
    path: "src/ledger/file_scan.ts",
    line: "counts.set(top, (counts.get(top) ?? 0) + 1);",
    before: "0",
    after: "1",
    reason: "each folder counts one file more, and the fullest one stays it",
  },
  {
    path: "src/workflow/advance/advance_all.ts",
    line: "if (!isRecord(payload)) return payload;",
    before: "payload",
    after: "undefined as never",
    reason: "what is no object is refused in the same words, whatever it is",
  },
  {
    path: "src/attest/verify_chain.ts",
    line: "if (!isSessionMerge(claim) || ours === undefined || theirs === undefined) continue;",
    before: "!isSessionMerge(claim) || ours === undefined",
    after: "ours === undefined",
    reason: "how a merge came about is looked at for merges of sessions alone",
  },
  {
    path: "src/ledger/git_trees.ts",
    line: "...leadsOutside && { leadsOutside },",
    before: "leadsOutside && { leadsOutside }",
    after: "{ leadsOutside }",
    reason: "all readers ask whether it is true",
  },
  {
    path: "src/ledger/git_trees.ts",
    line: "const leadsOutside = info?.isSymlink === true && await isLinkOutside(repo, path);",
    before: "info?.isSymlink === true && await isLinkOutside(repo, path)",
    after: "await isLinkOutside(repo, path)",
    reason: "what is no link leads nowhere: it is only asked of the disk",
  },
  {
    path: "src/ledger/manifest_trees.ts",
    line: 'if (isExecutable !== (kind === "executable") && Deno.build.os !== "windows") {',
    before: 'isExecutable !== (kind === "executable") && Deno.build.os !== "windows"',
    after: 'isExecutable !== (kind === "executable")',
    reason: "only Windows has another way",
  },
  {
    path: "src/ledger/manifest_trees.ts",
    line: "if (from === to) return [];",
    before: "(from === to)",
    after: "(false)",
    reason: "a manifest does not differ from itself: one is read more",
  },
];

/** Whether a mutant is in the table. */
export function isEquivalent({ path, before, after, text, line }: ChosenMutant): boolean {
  const whole = text.split("\n")[line - 1]?.trim();
  return EQUIVALENT.some((one) =>
    one.path === path && one.before === before && one.after === after && one.line === whole
  );
}
