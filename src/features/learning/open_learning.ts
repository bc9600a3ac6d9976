/** What was learned, loaded where there is something of it, and where a session adds to it. */
import { join } from "node:path";
import { Late, later } from "../../base/later.ts";
import { listOwnFolder } from "../../base/files/own_folder.ts";
import type { LearningOptions, ProjectLearning } from "./learning.ts";

/** What the program remembers across sessions. */
export type Learning = Pick<ProjectLearning, keyof ProjectLearning>;

/** Makes it; nothing is read or written before the first call. */
export function createLearning(options: LearningOptions): Learning {
  const late = new Late(async () => new (await import("./learning.ts")).ProjectLearning(options));
  const learning = later<Learning>(late, {
    note: true,
    recall: true,
    countTroubled: true,
    amendLast: true,
    recordByHand: true,
    toHandAgreement: true,
    toAgreementPath: true,
    keepAgreement: true,
    addSuggestion: true,
    readLogs: true,
    listAgreements: true,
    checkMap: true,
    list: true,
    search: true,
  });
  const folder = join(options.codeIntelDir, "agreements");
  const hasNone = async () =>
    late.opened === undefined && !(await listOwnFolder(folder)).some(({ name }) => !isReadme(name));
  return {
    ...learning,
    // Each question asks what was learned about it, and most projects have learned nothing.
    search: async (...question) => await hasNone() ? [] : await learning.search(...question),
  };
}

function isReadme(name: string): boolean {
  return /^readme\.md$/i.test(name);
}
