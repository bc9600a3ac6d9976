/** What `init --prove` and `uninstall` do to the places where proofs run, as rows of their own lists of files. */
import { SYSTEM_CLOCK } from "../base/clock.ts";
import { createRepositoryOpener, nullWhereUnusable } from "../git/private_repository.ts";
import type { PlannedFile } from "../project/setup/init_plan.ts";
import type { PlannedUndo } from "../project/setup/uninstall.ts";
import { addProofPlace, PROOF_PLACES, removeGitHooks } from "../project/setup/proof_places.ts";
import type { Invocation, OptionRow } from "./command.ts";

/** The option that names a place. */
export const PROVE_OPTION: OptionRow = {
  name: "prove",
  kind: "text",
  value: "WHERE",
  values: PROOF_PLACES,
  summary: "Also prove changes after each turn of an agent, or in a hook of git",
};

/** The files of a set-up with what became of the place that `--prove` names. */
export async function addChosenPlace(
  { options }: Invocation,
  setup: { readonly root: string; readonly words: readonly string[] },
  files: readonly PlannedFile[],
): Promise<readonly PlannedFile[]> {
  const place = PROOF_PLACES.find((name) => name === options["prove"]);
  if (place === undefined) return files;
  const repo = await openRepo(setup.root);
  const isDry = options["dry-run"] === true;
  const { path, action, hint } = await addProofPlace(place, { ...setup, repo, isDry });
  const known = files.find((file) => file.path === path);
  const row: PlannedFile = {
    ...{ path, text: null, before: null, reason: null, hint, memory: { kind: "none" } },
    action: known?.action === "create" ? "create" : action,
  };
  return [...files.filter((file) => file !== known), row];
}

/** Takes proofs out of the hooks of git. */
export async function removePlaces(root: string, isDry: boolean): Promise<readonly PlannedUndo[]> {
  const removed = await removeGitHooks(await openRepo(root), { isDry });
  return removed.map((path) => ({
    ...{ path, action: "clean", text: null, fromCopy: false, before: null },
    ...{ reason: null, hint: null },
  }));
}

async function openRepo(root: string) {
  return await nullWhereUnusable(createRepositoryOpener(root, SYSTEM_CLOCK))();
}
