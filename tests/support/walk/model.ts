/**
 * What the disk, the ledger and the baseline of a session should be: the rules of the ledger once more,
 * over plain maps, so that random walks can hold the real thing against them. Pure.
 */

/** A file as git would store it, `mode oid`; modes are 100644, 100755 and 120000. */
export type Version = string;

/** A state of the worktree by path; what git ignores and `.code-intel` are left out. */
export type Files = ReadonlyMap<string, Version>;

/** The two parts of a text that the agent and the person change each for themselves. */
export interface Parts {
  readonly agent: string;
  readonly person: string;
}

/** Looks up the parts of a blob; undefined for what is no such text. */
export type PartsOf = (version: Version) => Parts | undefined;

/** Makes the version of a text of two parts. */
export type ToVersion = (mode: string, parts: Parts) => Version;

/** How texts are read and made. */
export interface Texts {
  readonly partsOf: PartsOf;
  readonly toVersion: ToVersion;
}

/** A row of `change_resolution` for files. */
export interface Row {
  readonly path: string;
  readonly action: "restore" | "person" | "authorize";
  readonly isUntilEnd: boolean;
}

/** The result of a three-way merge that both sides stand against. */
const CONFLICT = Symbol("conflict");

/** Merges one file three-way: by whole versions first, then by mode and by part. */
function mergeVersions(
  texts: Texts,
  base: Version | undefined,
  ours: Version | undefined,
  theirs: Version | undefined,
): Version | undefined | typeof CONFLICT {
  if (ours === theirs || base === theirs) return ours;
  if (base === ours) return theirs;
  if (base === undefined || ours === undefined || theirs === undefined) return CONFLICT;
  const sides = [base, ours, theirs].map((version) => version.split(" "));
  if (sides.some(([mode = ""]) => !mode.startsWith("100"))) return CONFLICT;
  const [[baseMode, baseOid] = [], [ourMode, ourOid] = [], [theirMode, theirOid] = []] = sides;
  const mode = (baseMode === ourMode ? theirMode : ourMode) ?? "";
  if (ourOid === theirOid || baseOid === theirOid) return `${mode} ${ourOid}`;
  if (baseOid === ourOid) return `${mode} ${theirOid}`;
  const parts = [base, ours, theirs].map(texts.partsOf);
  const [from, one, other] = parts;
  if (from === undefined || one === undefined || other === undefined) return CONFLICT;
  const agent = mergePart(from.agent, one.agent, other.agent);
  const person = mergePart(from.person, one.person, other.person);
  return texts.toVersion(mode, { agent, person });
}

/** Where both changed a part, that of `ours` stays. */
function mergePart(base: string, ours: string, theirs: string): string {
  return base === ours ? theirs : ours;
}

/** `onto` with what changed from one state to another; where both changed a part `onto` wins. */
export function carry(
  texts: Texts,
  onto: Files,
  from: Files,
  to: Files,
  paths: Iterable<string> = new Set([...from.keys(), ...to.keys()]),
): Files {
  const result = new Map(onto);
  for (const path of paths) {
    if (from.get(path) === to.get(path)) continue;
    const merged = mergeVersions(texts, from.get(path), onto.get(path), to.get(path));
    if (merged !== CONFLICT) setVersion(result, path, merged);
  }
  return result;
}

/** `onto` with some files as they are in another state. */
export function adopt(onto: Files, from: Files, paths: Iterable<string>): Files {
  const result = new Map(onto);
  for (const path of paths) setVersion(result, path, from.get(path));
  return result;
}

function setVersion(files: Map<string, Version>, path: string, version: Version | undefined): void {
  if (version === undefined) files.delete(path);
  else files.set(path, version);
}

/** Paths that differ between two states, sorted. */
export function diff(one: Files, other: Files): string[] {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((path) => one.get(path) !== other.get(path)).sort();
}

/** A state as sorted lines, for comparisons that show their difference. */
export function toLines(files: Files): readonly string[] {
  return [...files].map(([path, version]) => `${path} ${version}`).sort();
}

/** What a session remembers of the disk. */
export interface Model {
  readonly ledger: Files;
  readonly baseline: Files;
  /** State that an intervention can go back to; null before the first plan. */
  readonly plan: Files | null;
  readonly claims: readonly string[];
}

/** The model of a session that begins. */
export function begin(disk: Files): Model {
  return { ledger: disk, baseline: disk, plan: null, claims: [] };
}

/** Books what is cleared or claimed, and names what is neither. */
export function inspect(
  texts: Texts,
  model: Model,
  disk: Files,
  cleared: ReadonlySet<string>,
): { readonly model: Model; readonly findings: readonly string[] } {
  const changed = diff(model.ledger, disk);
  const isClaimed = (path: string) =>
    model.claims.some((claim) => path === claim || path.startsWith(`${claim}/`));
  const task = changed.filter((path) => cleared.has(path));
  const person = changed.filter((path) => !cleared.has(path) && isClaimed(path));
  const findings = changed.filter((path) => !cleared.has(path) && !isClaimed(path));
  const booked = bookToPerson(texts, model, disk, person);
  return { model: { ...booked, ledger: adopt(booked.ledger, disk, task) }, findings };
}

/** The person's changes become part of all that the session's work is compared with or goes back to. */
export function bookToPerson(
  texts: Texts,
  model: Model,
  disk: Files,
  paths: readonly string[],
): Model {
  const { ledger, baseline, plan } = model;
  return {
    ...model,
    ledger: adopt(ledger, disk, paths),
    baseline: carry(texts, baseline, ledger, disk, paths),
    plan: plan === null ? null : carry(texts, plan, ledger, disk, paths),
  };
}

/** What rows make of the model and the disk; authorised paths are cleared from then on. */
export function settle(
  texts: Texts,
  input: { readonly model: Model; readonly disk: Files; readonly findings: readonly string[] },
  rows: readonly Row[],
): { readonly model: Model; readonly disk: Files; readonly cleared: readonly string[] } {
  let { model, disk } = input;
  const cleared: string[] = [];
  for (const { path, action, isUntilEnd } of rows) {
    const paths = input.findings.filter((found) => found === path || found.startsWith(`${path}/`));
    if (action === "restore") disk = adopt(disk, model.ledger, paths);
    if (action === "person") model = bookToPerson(texts, model, input.disk, paths);
    if (action === "person" && isUntilEnd) model = { ...model, claims: [...model.claims, path] };
    if (action === "authorize") cleared.push(...paths);
  }
  return { model, disk, cleared };
}

/** A commit by hand was taken: it moves the ledger where the disk had moved, and on the base the rest too. */
export function acceptCommit(
  texts: Texts,
  model: Model,
  commit: { readonly from: Files; readonly to: Files; readonly disk: Files },
  options: { readonly isOnTask: boolean },
): Model {
  const { ledger } = model;
  const paths = diff(commit.from, commit.to)
    .filter((path) => ledger.get(path) !== commit.disk.get(path));
  return options.isOnTask
    ? { ...model, ledger: adopt(ledger, commit.to, paths) }
    : bookToPerson(texts, model, commit.to, paths);
}

/** What changed while a session was parked is the person's. */
export function resume(texts: Texts, model: Model, parked: Files, disk: Files): Model {
  const { ledger, baseline, plan } = model;
  return {
    ...model,
    ledger: carry(texts, ledger, parked, disk),
    baseline: carry(texts, baseline, parked, disk),
    plan: plan === null ? null : carry(texts, plan, parked, disk),
  };
}
