/** The command `clean`: what earlier sessions left behind, shown first or removed. */
import type { Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import type { CleanDeps, CleanOptions } from "../../project/clean.ts";
import { applyClean, planClean } from "../../project/clean.ts";
import { openServices, printReply } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** Removes stale task branches (their refs stay), old snapshots, archived sessions and leftovers. */
export const CLEAN: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel clean --dry-run",
  options: [
    { name: "dry-run", kind: "flag", summary: "Only show what would be removed" },
    { name: "all", kind: "flag", summary: "Also end unfinished sessions; asks at the terminal" },
  ],
  async run(invocation) {
    const reply = await clean(
      (await (await openServices(invocation)).openMaintenance()).cleanDeps,
      invocation,
    );
    const exitCode = await printReply("clean", reply, invocation);
    return reply.ok ? 0 : exitCode;
  },
};

async function clean(cleanDeps: CleanDeps, invocation: Invocation): Promise<Reply> {
  const { options, terminal } = invocation;
  const scope: CleanOptions["scope"] = options["all"] === true ? "all" : "finished";
  if (options["dry-run"] === true) {
    const items = await planClean(cleanDeps, { scope });
    return buildDone(items.length, {
      would_remove: items,
      ...await buildKeptField(cleanDeps, scope),
    });
  }
  if (scope === "all" && !await mayEndAll(terminal)) {
    return refuse("not_confirmed", "Unfinished sessions are ended only by a person", {
      hint:
        "Ask the person to run `code-intel clean --all` in a terminal; --dry-run shows the list.",
    });
  }
  const { removed, prunedSnapshots, problems } = await applyClean(cleanDeps, { scope });
  const done = { removed, pruned_snapshots: prunedSnapshots };
  if (problems.length > 0) return { ...buildRefusal(problems), ...done };
  return buildDone(removed.length, { ...done, ...await buildKeptField(cleanDeps, scope) });
}

/** The unfinished sessions, which only `--all` ends; nothing where there are none. */
async function buildKeptField(
  { store }: CleanDeps,
  scope: CleanOptions["scope"],
): Promise<Readonly<Record<string, unknown>>> {
  if (scope === "all") return {};
  const kept = (await store.loadAll()).flatMap((outcome) => {
    const status = outcome.kind === "loaded" ? outcome.checkpoint.state.status : "unreadable";
    return status === "ended" ? [] : [{ kind: "session", name: outcome.id, reason: status }];
  });
  return kept.length === 0 ? {} : {
    kept,
    kept_note: "`code-intel session resume ID` goes on with one; clean --all ends them.",
  };
}

/** What is kept is not nothing, so a count of none stands only where nothing is reported. */
function buildDone(total: number, fields: Readonly<Record<string, unknown>>): Reply {
  return { ok: true, ...(total === 0 && "kept" in fields ? {} : { total }), ...fields };
}

async function mayEndAll(terminal: Invocation["terminal"]): Promise<boolean> {
  return terminal.isInteractive &&
    await terminal.confirm(
      "End unfinished sessions too and remove their branches (refs are kept)?",
    );
}
