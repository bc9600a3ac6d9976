/** Makes the checkouts that proofs run in, when they are used. */
import { omitUndefined } from "../base/text/json_record.ts";
import type {
  ProjectCommands,
  ProjectVerification,
} from "../evidence/runs/project_verification.ts";
import type { RunCheckout } from "../evidence/runs/verification.ts";
import type { VerifyCommand } from "../evidence/runs/verify_commands.ts";

/** A tree with the commands that run in its checkout. */
export interface CheckedTree {
  readonly tree: string;
  readonly commands: readonly VerifyCommand[];
}

/** Gives the checkout of a tree. */
export type CheckoutUse = (wanted: CheckedTree) => RunCheckout["use"];

type Verification = Pick<ProjectVerification, "useCheckout">;

/** Checkouts with all folders that are lent. */
export function createUse(verification: Verification, found: ProjectCommands): CheckoutUse {
  return ({ tree, commands }) => {
    const input = { tree, commands, allowed: found, lend: found.lend };
    return (action, more) =>
      verification.useCheckout({ ...input, ...omitUndefined({ more }) }, action);
  };
}

/** Folders of dependencies into which builds write what they made of the sources too. */
const BUILT_INTO = ["target", "elm-stuff"];

/**
 * The same for sources that are not those of the worktree: without folders into which builds write. Lent, they would
 * hold what was built of other sources, which a build of the worktree takes for new.
 */
export function createUseApart(verification: Verification, found: ProjectCommands): CheckoutUse {
  const lend = found.lend.filter((path) => !BUILT_INTO.includes(path.split("/").at(-1) ?? ""));
  return createUse(verification, { ...found, lend });
}
