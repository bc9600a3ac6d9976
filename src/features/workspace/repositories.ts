/**
 * The repositories of a workspace as one question finds them: opened lazily, with what leads from one to another. The
 * project itself is one of them.
 */
import { join, relative } from "node:path";
import { LIMITS } from "../../base/settings/limits.ts";
import { getOrInsert } from "../../base/once.ts";
import { formatCount } from "../../base/text/plain_text.ts";
import { readEntry, REPOSITORY_REASON } from "../../index/scan/scanner.ts";
import type { PackageLinks as Links } from "../../resolve/packages/package_links.ts";
import { FactStore } from "../../resolve/fact_store.ts";
import { CombinedRepositories } from "../../resolve/packages/joint.ts";
import { PackageLinks } from "../../resolve/packages/package_links.ts";
import type { AmbiguousName, MemberState, MemberStatus } from "./member.ts";
import { Member, snapshotAll } from "./member.ts";
import type { Behind, Keeper } from "./keeper.ts";
import type { Membership } from "./membership.ts";
import { chooseName } from "./membership.ts";

/** What the repositories are found with. */
export interface RepositoriesOptions {
  readonly projectRoot: string;
  readonly membership: Membership;
  /** Folders in which the index of a repository may lie. */
  readonly toFolders: (root: string) => readonly string[];
  /** Why a folder may be no member any more. */
  readonly findLoss: (root: string) => string | null;
  /** Brings indexes up to date. */
  readonly keeper: Keeper;
  /** True in a process that ends with its answer: it looks before the answer, and not behind it. */
  readonly isBrief: boolean;
}

/** Combined repositories with the store that follows names over it. */
export interface JointFacts {
  readonly joint: CombinedRepositories<Member>;
  readonly facts: FactStore;
}

/** The repositories that one question can ask. */
export interface Opened {
  /** The project; null where its own index cannot be read. */
  readonly own: Member | null;
  /** The others, in the order of the list. */
  readonly members: readonly Member[];
  readonly notices: readonly string[];
  /** The folder of a member from the project. */
  toRoot(member: Member): string;
  /** Whether a repository imports packages of another one, itself or through others. */
  leadsTo(asker: Member, target: Member): boolean;
  /** A repository with all that it leads to. */
  toJoint(asker: Member, targets: readonly Member[]): JointFacts;
}

/** The repositories of one project. */
export class Repositories {
  readonly #options: RepositoriesOptions;
  readonly #own: Member;
  readonly #members = new Map<string, Member>();
  readonly #joints = new Map<string, JointFacts>();
  #nested: { readonly stamp: string; readonly roots: readonly string[] } | null = null;
  #linked: { readonly key: string; readonly links: Links<Member> } | null = null;
  readonly #leading = new Map<Member, ReadonlyMap<Member, readonly string[]>>();
  #asking = 0;

  constructor(options: RepositoriesOptions) {
    this.#options = options;
    const { projectRoot: root, toFolders } = options;
    this.#own = new Member({ name: "", root, isNested: false, toFolders });
  }

  /** Answers a question from the repositories that can be asked; null where the project has no workspace. */
  async ask<T>(work: (opened: Opened) => Promise<T>): Promise<T | null> {
    return await this.#withAll(work, { isQuestion: true });
  }

  /** @param options a question is about the files as they are now, and not about what the indexes have. */
  async #withAll<T>(
    work: (opened: Opened) => Promise<T>,
    { isQuestion }: { readonly isQuestion: boolean },
  ): Promise<T | null> {
    const { membership, isBrief } = this.#options;
    if (membership.read() === null) return null;
    this.#asking++;
    try {
      const behind = isQuestion && isBrief ? await this.#freshen() : NOBODY;
      return await work(this.#openAll(behind));
    } finally {
      this.#asking--;
      this.#trim();
    }
  }

  /** What is known of each member, the project excepted; null where the project has no workspace. */
  async describe(): Promise<readonly MemberStatus[] | null> {
    return await this.#withAll((opened) => {
      const { own, members } = opened;
      const all = own === null ? members : [own, ...members];
      return Promise.resolve(
        this.#list().map((member): MemberStatus => {
          const { name, root, isNested } = member;
          const state = chooseShownState(member, member.open());
          const plain = { name, root, isNested, state, files: 0, packages: [], imports: [] };
          if (!member.isOpen) return plain;
          const packages = member.packages.given.map((one) => one.name);
          const direct = this.#lead(all, member);
          const imports = all.filter((one) => one !== member && direct.has(one));
          const { files } = member.view.count();
          return { ...plain, files, packages, imports: imports.map((one) => one.name) };
        }),
      );
    }, { isQuestion: false });
  }

  /** Names of packages that two repositories give, so that they lead nowhere. */
  async listAmbiguous(): Promise<readonly AmbiguousName[]> {
    return await this.#withAll(
      ({ own, members }) =>
        Promise.resolve(this.#link(own === null ? members : [own, ...members]).listAmbiguous()),
      { isQuestion: false },
    ) ?? [];
  }

  /** Closes every index. */
  close(): void {
    for (const member of [this.#own, ...this.#members.values()]) member.close();
  }

  /** The members of the list, and repositories inside of the project. */
  #list(): readonly Member[] {
    const { membership, projectRoot, toFolders, findLoss } = this.#options;
    const listed = membership.read() ?? [];
    const roots = listed.map(({ root }) => root);
    const names = listed.map(({ name }) => name);
    const nested = this.#listNested().filter((root) => !roots.includes(root)).map((root) => {
      const name = chooseName(root, names);
      names.push(name);
      return { name, root };
    });
    return [...listed, ...nested].filter(({ root }) => root !== projectRoot)
      .map(({ name, root }) => {
        const isNested = !roots.includes(root);
        const known = this.#members.get(root);
        if (known?.name === name && known.isNested === isNested) return known;
        known?.close();
        const member = new Member({ name, root, isNested, toFolders, findLoss });
        this.#members.set(root, member);
        return member;
      });
  }

  #listNested(): readonly string[] {
    if (this.#own.open() !== "ready") return [];
    const { view } = this.#own;
    const stamp = view.stamp();
    if (this.#nested?.stamp !== stamp) {
      const { projectRoot } = this.#options;
      const roots = view.listSkipped().filter(({ reason }) => reason === REPOSITORY_REASON)
        .map(({ path }) => join(projectRoot, path));
      this.#nested = { stamp, roots };
    }
    // A submodule that is not checked out has nothing that could be asked.
    return this.#nested.roots.filter((root) => readEntry(join(root, ".git")).kind !== "gone");
  }

  /** A process that ends with its answer has nothing behind it that could see what changed. */
  async #freshen(): Promise<ReadonlyMap<string, Behind>> {
    const roots = this.#list().filter((one) => one.open() === "ready").map(({ root }) => root);
    return await this.#options.keeper.freshen(roots);
  }

  #openAll(behind: ReadonlyMap<string, Behind>): Opened {
    const { projectRoot, keeper, isBrief } = this.#options;
    const own = this.#own.open() === "ready" ? this.#own : null;
    const members: Member[] = [];
    const notices: string[] = [];
    for (const member of this.#list()) {
      const state = member.open();
      if (state === "ready") members.push(member);
      if (!isBrief && state !== "gone" && state !== "newer") keeper.want(member.root);
      const notice = formatNotice(member, chooseShownState(member, state), {
        at: relativePath(projectRoot, member.root),
        isBuilt: keeper.isBusy(member.root),
        behind: behind.get(member.root),
      });
      if (notice !== null) notices.push(notice);
    }
    notices.push(...listUnseenNotices(members, behind));
    const all = own === null ? members : [own, ...members];
    const reach = new Map<Member, ReadonlySet<Member>>();
    const toReach = (asker: Member) => getOrInsert(reach, asker, () => this.#reach(all, asker));
    const leadsTo = (asker: Member, target: Member) => toReach(asker).has(target);
    return {
      own,
      members,
      notices,
      toRoot: (member) => relativePath(projectRoot, member.root),
      leadsTo,
      toJoint: (asker, targets) => {
        const others = [...toReach(asker)].filter((one) => one !== asker);
        const passing = others.filter((one) =>
          targets.some((target) => target === one || leadsTo(one, target))
        );
        return this.#toJoint(all, { asker, others, passing: new Set(passing) });
      },
    };
  }

  #toJoint(all: readonly Member[], { asker, others, passing }: {
    readonly asker: Member;
    readonly others: readonly Member[];
    readonly passing: ReadonlySet<Member>;
  }): JointFacts {
    const links = this.#link(all);
    const key = [asker, ...others].map((one) => `${one.root}${passing.has(one) ? "+" : ""}`);
    return getOrInsert(this.#joints, key.join("\n"), () => {
      const joint = new CombinedRepositories<Member>({
        asker,
        others,
        passing,
        find: (...question) => links.find(...question),
        leading: (part) => [...this.#lead(all, part).values()].flat(),
      });
      const members = [asker, ...others];
      const read = <T>(query: (view: CombinedRepositories<Member>["view"]) => T) =>
        Promise.try(() => snapshotAll(members, () => query(joint.view)));
      const facts = new FactStore({
        projectRoot: asker.root,
        listFiles: () => Promise.resolve([]),
        index: { read },
        modules: () => joint.modules,
        toPlace: (path) => {
          const { part, path: inner } = joint.toPlace(path);
          return { root: part.root, path: inner };
        },
      });
      return { joint, facts };
    });
  }

  /** The links of one state of all indexes. */
  #link(all: readonly Member[]): Links<Member> {
    const key = all.map(({ root, view }) => `${root} ${view.stamp()}`).join("\n");
    if (this.#linked?.key !== key) {
      this.#linked = { key, links: new PackageLinks(all) };
      this.#leading.clear();
      this.#joints.clear();
    }
    return this.#linked.links;
  }

  #lead(all: readonly Member[], asker: Member): ReadonlyMap<Member, readonly string[]> {
    const links = this.#link(all);
    return getOrInsert(this.#leading, asker, () => links.listLeading(asker, asker));
  }

  #reach(all: readonly Member[], asker: Member): ReadonlySet<Member> {
    const seen = new Set<Member>();
    for (let level = [asker]; level.length > 0;) {
      level = level.flatMap((one) => [...this.#lead(all, one).keys()])
        .filter((one) => one !== asker && !seen.has(one));
      for (const one of level) seen.add(one);
    }
    return seen;
  }

  /** Closes indexes beyond the bound, those first that were opened first; only while no question is asked. */
  #trim(): void {
    if (this.#asking > 0) return;
    const open = [...this.#members.values()].filter(({ isOpen }) => isOpen);
    for (const member of open.slice(0, -LIMITS.workspaceReadersOpen.value)) member.close();
  }
}

/** What stands in an index of older analyses can be asked, and is made again. */
function chooseShownState({ isOld }: Member, state: MemberState): MemberState {
  return state === "ready" && isOld ? "older" : state;
}

function formatNotice(
  { name, loss }: Member,
  state: MemberState,
  { at, isBuilt, behind }: {
    readonly at: string;
    readonly isBuilt: boolean;
    readonly behind: Behind | undefined;
  },
): string | null {
  const way = isBuilt
    ? "it is being built"
    : `\`code-intel workspace add ${at}\` brings it up to date`;
  switch (state) {
    case "ready":
      return formatBehindNotice(name, behind, way);
    case "gone":
      return `The member "${name}" of the workspace ${
        loss === null ? `is not at ${at} any more` : `at ${at} is not asked, since ${loss}`
      }: \`code-intel workspace remove ${name}\` takes it out.`;
    case "newer":
      return `The index of "${name}" is of a newer version of code-intel, and was not asked.`;
    case "older":
      return `The index of "${name}" is of an older version of code-intel: ${way}.`;
    case "unusable":
      return `The index of "${name}" cannot be read: ${way}.`;
    case "no_index":
      return `"${name}" has no index yet: ${way}.`;
  }
}

function formatBehindNotice(name: string, behind: Behind | undefined, way: string): string | null {
  switch (behind?.kind) {
    case "pending":
      return `The index of "${name}" has no present state of ${
        formatCount(behind.files, "file")
      }, so that places in them may be missing: ${way}.`;
    case "failed":
      return `Whether "${name}" changed since its index was built is not known (${behind.reason}): ${way}.`;
    default:
      return null;
  }
}

/** Members that nobody looked at are reported in one sentence, however many they are. */
function listUnseenNotices(
  members: readonly Member[],
  behind: ReadonlyMap<string, Behind>,
): readonly string[] {
  const names = members.filter(({ root }) => behind.get(root)?.kind === "unseen")
    .map(({ name }) => `"${name}"`);
  if (names.length === 0) return [];
  const more = names.length - MAX_NAMED;
  const shown = `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    `There was no time to look for changes in ${shown}: \`code-intel workspace add\` brings all members up to date.`,
  ];
}

const MAX_NAMED = 5;
const NOBODY: ReadonlyMap<string, Behind> = new Map();

function relativePath(from: string, to: string): string {
  return relative(from, to).replaceAll("\\", "/");
}
