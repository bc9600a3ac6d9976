/** The commands `workspace add`, `list`, `remove` and `status`: other repositories that questions are asked of too. */
import { resolve } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import type { OkReply } from "../../base/reply.ts";
import type { CodeIndex } from "../../index/index_api.ts";
import { createProjectWorkspace } from "./project_workspace.ts";
import type { Workspace } from "./workspace.ts";
import type { MemberState, MemberStatus } from "./member.ts";
import { printReply, withServices } from "../../cli/answer.ts";
import type { Command, ExitCode, Invocation } from "../../cli/command.ts";

/** What the commands work with. */
interface WorkspaceProject {
  readonly workspace: Workspace;
  readonly index: CodeIndex;
}

/** Adds repositories, and builds the indexes that they need. */
export const WORKSPACE_ADD: Command = {
  usage: "[DIR...]",
  positionals: [0, 100],
  example: "code-intel workspace add ../util ../web",
  options: [],
  run: (invocation) => answer(invocation, add),
};

async function add(
  { workspace, index }: WorkspaceProject,
  invocation: Invocation,
): Promise<OkReply> {
  const { positionals, signal } = invocation;
  // An empty word would be the folder that the command runs in.
  if (positionals.some((dir) => dir.trim() === "")) {
    throw new CodeIntelError("bad_usage", "Cannot add a folder without a name to the workspace", {
      hint: "Name folders of repositories: `code-intel workspace add DIR...`.",
    });
  }
  await workspace.add(positionals.map((dir) => resolve(dir)));
  try {
    // Repositories inside of the project are known by its own index.
    await index.sync({ signal });
    const before = await workspace.describe() ?? [];
    for (const { root, state } of before) {
      signal.throwIfAborted();
      if (state !== "gone" && state !== "newer") await workspace.bring(root, signal);
    }
    signal.throwIfAborted();
  } catch (failure) {
    throw signal.aborted ? await buildInterruption(workspace) : failure;
  }
  return await buildReply(workspace);
}

/** An interrupted command has written the list, and says which of its members cannot answer yet. */
async function buildInterruption(workspace: Workspace): Promise<CodeIntelError> {
  const members = await workspace.describe() ?? [];
  const bare = members.filter(({ state }) => state === "no_index").map(({ name }) => name);
  const told = bare.length === 0 ? "" : `; in the list and without an index: ${bare.join(", ")}`;
  return new CodeIntelError("cancelled", `The command was interrupted${told}`, {
    hint:
      "`code-intel workspace add` builds what is missing; `code-intel workspace remove NAME` takes a member out.",
  });
}

/** Lists the members. */
export const WORKSPACE_LIST: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel workspace list",
  options: [],
  run: (invocation) =>
    answer(invocation, ({ workspace }) => {
      const members = workspace.list();
      return Promise.resolve({ ok: true, is_on: members !== null, members: members ?? [] });
    }),
};

/** Takes members out. */
export const WORKSPACE_REMOVE: Command = {
  usage: "NAME...",
  positionals: [1, 100],
  example: "code-intel workspace remove util",
  options: [],
  run: (invocation) => answer(invocation, remove),
};

async function remove(
  { workspace }: WorkspaceProject,
  { positionals }: Invocation,
): Promise<OkReply> {
  const known = workspace.list() ?? [];
  const meant = await Promise.all(positionals.map(async (name) => {
    const named = known.find((one) => one.name === name);
    if (named !== undefined) return [named.root];
    const roots = [resolve(name), await workspace.findRoot(resolve(name))];
    return roots.filter((root) => known.some((one) => one.root === root));
  }));
  const unknown = positionals.filter((name, at) => name !== "." && meant[at]?.length === 0);
  if (unknown.length > 0) {
    throw new CodeIntelError(
      "io_failed",
      `Cannot remove "${unknown.join('", "')}": the workspace has no such member`,
      {
        hint:
          "`code-intel workspace list` names them; those inside of the project are none of the list.",
      },
    );
  }
  const members = await workspace.remove(meant.flat());
  return { ok: true, is_on: workspace.list() !== null, members };
}

/** Says what is known of each member. */
export const WORKSPACE_STATUS: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel workspace status",
  options: [],
  run: (invocation) => answer(invocation, ({ workspace }) => buildReply(workspace)),
};

async function buildReply(workspace: Workspace): Promise<OkReply> {
  const members = await workspace.describe();
  const ambiguous = members === null ? [] : await workspace.listAmbiguous();
  return {
    ok: true,
    is_on: members !== null,
    members: (members ?? []).map(({ isNested, ...member }) => ({ ...member, is_nested: isNested })),
    ...(ambiguous.length === 0 ? {} : { ambiguous }),
  };
}

const STATES: Readonly<Record<MemberState, string>> = {
  ready: "",
  gone: "its folder is not there, or is not its repository any more",
  no_index: "no index yet: `code-intel workspace add` builds it",
  older: "its index is of an older version: `code-intel workspace add` renews it",
  newer: "its index is of a newer version of code-intel",
  unusable: "its index cannot be read: `code-intel workspace add` makes it anew",
};

function tell(reply: OkReply): readonly string[] {
  const { is_on: isOn, members, ambiguous = [] } = reply as OkReply & {
    readonly members: readonly (Partial<MemberStatus> & Pick<MemberStatus, "name" | "root">)[];
    readonly ambiguous?: readonly { readonly name: string; readonly parts: readonly string[] }[];
  };
  if (isOn !== true) {
    return ["This project has no workspace: `code-intel workspace add DIR` begins one."];
  }
  if (members.length === 0) return ["The workspace has no members yet."];
  return [
    ...members.map((member) => `${member.name}  ${member.root}${formatDetail(member)}`),
    ...ambiguous.map(({ name, parts }) =>
      `Several members give ${name}, so that no import leads to it: ${
        parts.map((part) => part === "" ? "this project" : part).join(", ")
      }`
    ),
  ];
}

function formatDetail(
  { state, files, packages = [], imports = [] }: Partial<MemberStatus>,
): string {
  if (state === undefined) return "";
  const own = imports.map((name) => name === "" ? "this project" : name);
  const parts = [
    ...state === "ready" || state === "older" ? [`${files} files`] : [],
    ...packages.length === 0 ? [] : [`gives ${shortenNames(packages)}`],
    ...own.length === 0 ? [] : [`imports ${shortenNames(own)}`],
    ...STATES[state] === "" ? [] : [STATES[state]],
  ];
  return `  ${parts.join("; ")}`;
}

const MAX_NAMED = 5;

function shortenNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function answer(
  invocation: Invocation,
  act: (project: WorkspaceProject, invocation: Invocation) => Promise<OkReply>,
): Promise<ExitCode> {
  return withServices<ExitCode>(invocation, async ({ parts, index }) => {
    const workspace = createProjectWorkspace(parts);
    try {
      await printReply("workspace", await act({ workspace, index }, invocation), invocation, tell);
      return 0;
    } finally {
      await workspace.close();
    }
  });
}
