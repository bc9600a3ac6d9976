/** The workspace, loaded where the project has one: a question about code asks each time whether there is. */
import { Late, later } from "../../base/later.ts";
import type { OtherAnswer } from "../../services/other_repositories.ts";
import { NO_OTHERS } from "../../services/other_repositories.ts";
import { Membership } from "./membership.ts";
import type { Workspace, WorkspaceOptions } from "./workspace.ts";

/** Makes the workspace of a project. Nothing is opened before the first question. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const membership = new Membership(options.projectRoot, options.stateDir);
  const late = new Late(async () => (await import("./workspace.ts")).createWorkspace(options));
  const workspace = later<Omit<Workspace, "list" | "toNestedHint">>(late, {
    add: true,
    findRoot: true,
    remove: true,
    describe: true,
    listAmbiguous: true,
    bring: true,
    findDefinitions: true,
    findReferences: true,
    findUsers: true,
    search: true,
    searchLines: true,
    close: true,
  });
  const isOff = () => membership.read() === null;
  const ask = async (question: () => Promise<OtherAnswer>) =>
    isOff() ? NO_OTHERS : await question();
  return {
    ...workspace,
    list: () => membership.read(),
    toNestedHint: () => membership.toNestedHint(),
    findDefinitions: (symbol) => ask(() => workspace.findDefinitions(symbol)),
    findReferences: async (...question) =>
      isOff() ? { ...NO_OTHERS, leading: new Map() } : await workspace.findReferences(...question),
    findUsers: (...question) => ask(() => workspace.findUsers(...question)),
    search: (...question) => ask(() => workspace.search(...question)),
    searchLines: (...question) => ask(() => workspace.searchLines(...question)),
    close: async () => await (await late.opened)?.close(),
  };
}
