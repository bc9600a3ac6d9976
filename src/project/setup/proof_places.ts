/**
 * Puts proofs where work ends, as a person asks for it: at the end of an agent's turn, or in a hook of git. A hook that somebody
 * wrote is never replaced: a marked block is added, or it is said what to add.
 */
import { join } from "node:path";
import { quoteShellWords } from "../../clients/setup.ts";
import type { Repository } from "../../git/repository.ts";
import { readPathSetting } from "../../git/settings.ts";
import {
  appendBlock,
  findBlock,
  removeBlock,
  replaceBlock,
  TOML_MARKERS,
} from "../edits/block_edit.ts";
import type { SetupRoots } from "../edits/file_state.ts";
import { readFileState, writeText } from "../edits/file_state.ts";
import { STOP_PROPOSAL } from "./config_text.ts";
import { hashFileText, loadManifest, saveManifest } from "./setup_manifest.ts";

/** The places, as `init --prove` names them. */
export const PROOF_PLACES = ["stop", "pre-push", "post-commit"] as const;

/** One of them. */
export type ProofPlace = typeof PROOF_PLACES[number];

/** What became of a place: the file as a person knows it, and the rest of the sentence. */
export interface PlacedProof {
  readonly action: "create" | "edit" | "unchanged" | "keep";
  readonly path: string;
  /** What the person has to do, where nothing was written; else null. */
  readonly hint: string | null;
}

/** Where a proof is put. */
export interface ProofPlaceInput {
  readonly root: string;
  /** Null without git. */
  readonly repo: Repository | null;
  /** The words that start this program on this machine. */
  readonly words: readonly string[];
  /** True to write nothing. */
  readonly isDry: boolean;
}

/** Adds a proof to a place. */
export async function addProofPlace(
  place: ProofPlace,
  input: ProofPlaceInput,
): Promise<PlacedProof> {
  return place === "stop" ? await switchStopOn(input) : await addGitHook(place, input);
}

const CONTEXT = ".code-intel/context.yml";

async function switchStopOn({ root, isDry }: ProofPlaceInput): Promise<PlacedProof> {
  const places = { root, home: null };
  const state = await readFileState(places, CONTEXT);
  if (state.kind === "odd") return keep(CONTEXT, `${state.message}: set prove: { stop: on }`);
  const text = state.kind === "text" ? state.text : "";
  if (/^prove\s*:.*\bstop\s*:\s*(?:on|true)\b/m.test(text)) return unchanged(CONTEXT);
  if (/^prove\s*:/m.test(text)) return keep(CONTEXT, "It has the key prove: set stop: on there.");
  const isOn = "prove: { stop: on, seconds: 60 }";
  const now = text.includes(`# ${isOn}`)
    ? text.replace(`# ${isOn}`, isOn)
    : `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}\n${
      STOP_PROPOSAL.replace(`# ${isOn}`, isOn)
    }`;
  if (!isDry) {
    await writeText(places, CONTEXT, now);
    await rememberOwn(root, text, now);
  }
  return { action: state.kind === "missing" ? "create" : "edit", path: CONTEXT, hint: null };
}

/** A file as `init` wrote it stays one that `uninstall` removes. */
async function rememberOwn(root: string, before: string, now: string): Promise<void> {
  const folder = join(root, ".code-intel");
  const manifest = await loadManifest(folder);
  if (manifest?.files[CONTEXT] !== hashFileText(before)) return;
  const files = { ...manifest.files, [CONTEXT]: hashFileText(now) };
  await saveManifest(folder, { ...manifest, files });
}

type HookPlace = Exclude<ProofPlace, "stop">;

/** Lets `unknown` go on, and a program that is not there; what is refused or fails is no verdict, and is told. */
const UNLESS_OPEN = "case $? in 3|127) ;; *) exit 1 ;; esac";

const BODIES: Readonly<Record<HookPlace, (program: string) => string>> = {
  "pre-push": (program) =>
    `# Proves what is pushed, beside what the remote has. To push all the same: git push --no-verify
(
  unset $(git rev-parse --local-env-vars)
  ${program} --pushed --within 300 >&2 || ${UNLESS_OPEN}
) || exit 1`,
  "post-commit": (program) =>
    `# Proves the new commit and says the verdict in one line. A session has proven its own.
(
  unset $(git rev-parse --local-env-vars)
  [ "$CODE_INTEL_COMMIT" = 1 ] || [ -d "$(git rev-parse --git-path rebase-merge)" ] ||
    ${program} --commit HEAD --within 60 2>/dev/null | head -n 1 >&2
) || true`,
};

const COMMANDS: Readonly<Record<HookPlace, string>> = {
  "pre-push": `code-intel prove --pushed --within 300 || ${UNLESS_OPEN}`,
  "post-commit": "[ $CODE_INTEL_COMMIT ] || code-intel prove --commit HEAD --within 60 || true",
};

/** pre-commit reads what git says to the hook, and tells it by variables. */
const PRE_COMMIT: Readonly<Record<HookPlace, string>> = {
  "pre-push": COMMANDS["pre-push"].replace(
    "--pushed",
    "${PRE_COMMIT_FROM_REF:+$PRE_COMMIT_FROM_REF..$PRE_COMMIT_TO_REF}",
  ),
  "post-commit": COMMANDS["post-commit"],
};

/** Programs that own the hooks of a repository: the files that show them, and what a person adds. */
const MANAGERS: readonly {
  readonly files: readonly string[];
  readonly describe: (place: HookPlace) => string;
}[] = [
  {
    files: [".husky"],
    describe: (place) => `Husky runs the hooks here. Add to .husky/${place}: ${COMMANDS[place]}`,
  },
  {
    files: ["lefthook.yml", ".lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json"],
    describe: (place) =>
      `Lefthook runs the hooks here. Add to it: ${place}: { commands: { prove: { use_stdin: true, run: '${
        COMMANDS[place]
      }' } } }`,
  },
  {
    files: [".pre-commit-config.yaml"],
    describe: (place) =>
      `pre-commit runs the hooks here. Add below repos: - { repo: local, hooks: [{ id: prove, name: prove, language: system, pass_filenames: false, always_run: true, stages: [${place}], entry: 'sh -c "${
        PRE_COMMIT[place]
      }"' }] } and run: pre-commit install -t ${place}`,
  },
];

async function addGitHook(
  place: HookPlace,
  { root, repo, words, isDry }: ProofPlaceInput,
): Promise<PlacedProof> {
  if (repo === null) return keep(place, "There is no git repository here: run git init first.");
  for (const { files, describe } of MANAGERS) {
    const found = files.some((name) => isThere(join(repo.worktree, name)));
    if (found) return keep(place, describe(place));
  }
  const named = await readPathSetting(repo, "core.hooksPath");
  if (named !== null) {
    return keep(place, `core.hooksPath names ${named}. Add there to ${place}: ${COMMANDS[place]}`);
  }
  const places = placeHooks(repo);
  const path = join(places.root, place);
  const shown = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const state = await readFileState(places, place);
  if (state.kind === "odd") {
    return keep(shown, `It is left alone: ${state.message}. Add to it: ${COMMANDS[place]}`);
  }
  const before = state.kind === "missing" ? null : state.text;
  const here = root === repo.worktree ? [] : ["--project", root];
  const body = `${BODIES[place](quoteShellWords([...words, "prove", ...here]))}\n`;
  const now = before === null || await isRun(path) ? placeBlock(before, body) : null;
  if (now === null) return keep(shown, `Somebody wrote it. Add to it: ${COMMANDS[place]}`);
  if (now === before) return unchanged(shown);
  if (!isDry) {
    await writeText(places, place, now);
    if (before === null && !IS_WINDOWS) await Deno.chmod(path, 0o755);
  }
  return { action: before === null ? "create" : "edit", path: shown, hint: null };
}

function placeHooks({ commonDir }: Repository): SetupRoots {
  return { root: join(commonDir, "hooks"), home: null };
}

const IS_WINDOWS = Deno.build.os === "windows";

/** Git passes over a hook that may not be run; a proof does not switch the hook of somebody on. */
async function isRun(path: string): Promise<boolean> {
  const { mode } = await Deno.stat(path);
  return IS_WINDOWS || mode === null || (mode & 0o111) !== 0;
}

const SHEBANG = "#!/bin/sh\n";

/** The hook with our block; null where nobody can know whether a block at its end would run. */
function placeBlock(text: string | null, body: string): string | null {
  if (text === null) return appendBlock(SHEBANG, TOML_MARKERS, body).text;
  const own = findBlock(text, TOML_MARKERS);
  if (own.kind === "fault") return null;
  if (own.kind === "found") {
    return own.block.body === body
      ? text
      : replaceBlock(text, TOML_MARKERS, { block: own.block, body });
  }
  const isShell = /^#!\s*(?:\/usr\/bin\/env\s+)?\S*\b(?:sh|bash|dash|zsh)\b/.test(text);
  const leavesEarly = /^\s*(?:exec|exit)\b/m.test(text);
  return isShell && !leavesEarly ? appendBlock(text, TOML_MARKERS, body).text : null;
}

/** Takes our blocks out of the hooks of a repository; returns the hooks that had one. */
export async function removeGitHooks(
  repo: Repository | null,
  { isDry }: { readonly isDry: boolean },
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const place of PROOF_PLACES) {
    if (repo === null || place === "stop") continue;
    const places = placeHooks(repo);
    const state = await readFileState(places, place);
    const text = state.kind === "text" ? state.text : "";
    const own = findBlock(text, TOML_MARKERS);
    if (own.kind !== "found") continue;
    const path = join(places.root, place);
    removed.push(path);
    if (isDry) continue;
    // A block at the very end stands behind a text without a final line break.
    const rest = removeBlock(text, own.block, own.block.end === text.length ? "\n\n" : "\n");
    if (rest === SHEBANG) await Deno.remove(path);
    else await writeText(places, place, rest);
  }
  return removed;
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function unchanged(path: string): PlacedProof {
  return { action: "unchanged", path, hint: null };
}

function keep(path: string, hint: string): PlacedProof {
  return { action: "keep", path, hint };
}
