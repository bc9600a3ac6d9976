/**
 * Gives a run a clean checkout of a tree for the time of its commands: in the user's state folder, removed afterwards.
 * What it gets of the worktree beside the tree is the way of the repository, the cheapest that works there.
 */
import { basename, delimiter, join } from "node:path";
import { CodeIntelError } from "../../base/errors.ts";
import { makeOwnFolder } from "../../base/files/own_folder.ts";
import type { Seal } from "../../base/files/seal.ts";
import type { Repository } from "../../git/repository.ts";
import { readHead } from "../../git/repository.ts";
import { keepTimes, writeCheckout } from "../../git/trees/checkout.ts";
import { keepFolders, listIgnored } from "../../git/trees/file_lists.ts";
import { hashCommands, readScriptTexts } from "../runs/trusted_commands.ts";
import type { VerifyCommand } from "../runs/verify_commands.ts";
import { withOwnFolder } from "./checkout_folder.ts";
import { lendFiles, pickLent } from "./lend.ts";
import { findInside, findOwnInstalls } from "./own_installs.ts";
import type { MoreWanted } from "./ways.ts";
import { describeMore, pickMore, readWay, saveWay } from "./ways.ts";

/** A checkout while it is there. */
export interface Checkout {
  /** Absolute real path of its top folder. */
  readonly root: string;
  /** The project's folder in it, in which commands run. */
  readonly cwd: string;
  /** Absolute real path of the worktree that it stands for. */
  readonly worktree: string;
  /** Folders and files of the worktree that are lent to it, relative to the worktree. */
  readonly lent: readonly string[];
  /** What it has beside its tree and its dependencies, in words, and how that becomes the way of the repository; absent for nothing. */
  readonly more?: { readonly words: string; readonly keep: () => Promise<void> };
  /** Variables by which installations of the project itself lead to it instead of to the worktree. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is checked out, for which commands. */
export interface CheckoutInput {
  readonly tree: string;
  readonly commands: readonly VerifyCommand[];
  /** All commands that a person allowed, and the hash by which they did. */
  readonly allowed: { readonly commands: readonly VerifyCommand[]; readonly hash: string };
  /** Names of folders to lend. */
  readonly lend: readonly string[];
  /** What to try beside the way of the repository. */
  readonly more?: MoreWanted;
}

/** Where checkouts are made. */
export interface CheckoutContext {
  readonly repo: Repository;
  /** The user's state folder. */
  readonly stateDir: string;
  /** Seals the way of the repository; without it none is remembered. */
  readonly seal?: Seal;
  readonly signal?: AbortSignal;
}

/**
 * Runs `action` with the checkout, or with the reason why there is none, as the end of a sentence. Nothing that
 * hinders a checkout is an error: the commands can still run in the worktree.
 */
export async function withCheckout<T>(
  place: CheckoutContext,
  input: CheckoutInput,
  action: (checkout: Checkout | string) => Promise<T>,
): Promise<T> {
  const { repo: { worktree }, stateDir } = place;
  return await withOwnFolder(
    { stateDir, worktree },
    async (found) =>
      await action(
        "folder" in found ? await makeCheckout(found.folder, place, input) : found.hindrance,
      ),
  );
}

async function makeCheckout(
  folder: string,
  { repo, stateDir, seal, signal }: CheckoutContext,
  input: CheckoutInput,
): Promise<Checkout | string> {
  try {
    const worktree = await Deno.realPath(repo.worktree);
    const ignored = await listIgnored(repo.worktree);
    const lent = pickLent(keepFolders(ignored), input.lend, repo.openedFor);
    const way = { repo, stateDir, seal };
    const more = pickMore(ignored, lent, { kept: await readWay(way), wanted: input.more });
    if (typeof more === "string") return more;
    const pythonPath = Deno.env.get("PYTHONPATH") ?? "";
    const installs = await findOwnInstalls({
      worktree,
      commands: input.commands.map(({ run }) => run),
      cwd: join(worktree, repo.openedFor),
      path: Deno.env.get("PATH") ?? "",
      pythonPath,
      home: Deno.env.get("HOME") ?? "",
    });
    if (typeof installs === "string") return `${installs} leads from there back to the worktree`;
    // The name stays that of the worktree, because some build tools make names of it.
    const top = join(folder, basename(worktree) || "project");
    await makeOwnFolder(top, { below: stateDir });
    const root = await Deno.realPath(top);
    const head = await readHead(repo);
    const options = { tree: input.tree, head: head.commit, folder: root };
    const refusal = await writeCheckout(repo, {
      ...options,
      below: await Deno.realPath(stateDir),
      ...(signal === undefined ? {} : { signal }),
    });
    if (refusal !== null) return refusal;
    if (more.length > 0) await keepTimes(repo, options);
    if (!await lendFiles({ worktree, root }, lent, more)) {
      return "what it is lent has too many entries";
    }
    const cwd = join(root, repo.openedFor);
    const there = (await readScriptTexts(cwd, input.allowed.commands)).map((one) => ({
      ...one,
      text: one.text?.replaceAll(root, worktree) ?? null,
    }));
    if (hashCommands(input.allowed.commands, there) !== input.allowed.hash) {
      return "the scripts behind the commands are not as they were allowed there";
    }
    // The same folders of the checkout, then those of the user that lie elsewhere.
    const others = pythonPath.split(delimiter).filter((path) =>
      path !== "" && findInside(worktree, path) === null
    );
    const paths = [...[...installs].map((inside) => join(root, inside)), ...others];
    const env: Checkout["env"] = installs.size === 0 ? {} : { PYTHONPATH: paths.join(delimiter) };
    const made = { root, cwd, worktree, lent: [...lent, ...more], env };
    const keep = () => saveWay(way, more);
    return more.length === 0 ? made : { ...made, more: { words: describeMore(more), keep } };
  } catch (failure) {
    if (!(failure instanceof CodeIntelError) || failure.code === "cancelled") throw failure;
    return failure.message;
  }
}
