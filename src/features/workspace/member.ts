/**
 * One repository of a workspace: its index, open for reading, and what its manifests and build files say. All of it is read
 * once for each state of the index.
 */
import { join } from "node:path";
import { readControlTextIfUsable } from "../../base/files/control_file.ts";
import { invariant } from "../../base/errors.ts";
import type { Family } from "../../language/families.ts";
import { familyOf } from "../../language/languages.ts";
import type { IndexReader } from "../../index/index_reader.ts";
import { openIndexReader } from "../../index/index_reader.ts";
import type { IndexView } from "../../index/read/view.ts";
import { RankingMemory } from "../../ranking/content_facts.ts";
import type { ModuleMap } from "../../resolve/modules/module_map.ts";
import type { CombinedPart } from "../../resolve/packages/joint.ts";
import type { PackageFacts } from "../../resolve/packages/package_links.ts";
import { ProjectModules } from "../../resolve/modules/project_modules.ts";
import { isManifest, readPackageFacts } from "../../resolve/packages/package_facts.ts";

/** What is known of a member. */
export type MemberState =
  /** It can be asked. */
  | "ready"
  /** Its folder is not there, or no longer the repository that was added. */
  | "gone"
  /** It has no index yet. */
  | "no_index"
  /** Its index is of an older version of the program. */
  | "older"
  /** Its index is of a newer version of the program. */
  | "newer"
  /** Its index cannot be read. */
  | "unusable";

/** A name of a package that several members give, so that no import leads to it. */
export interface AmbiguousName {
  readonly name: string;
  /** Names of the members; empty names the project itself. */
  readonly parts: readonly string[];
}

/** A member, for people. */
export interface MemberStatus {
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
  readonly state: MemberState;
  /** Whether it lies in the project, as a submodule does, and is a member for that. */
  readonly isNested: boolean;
  /** Files of its index; 0 without one. */
  readonly files: number;
  /** Packages that it gives to others. */
  readonly packages: readonly string[];
  /** Names of members whose packages it imports; empty names the project itself. */
  readonly imports: readonly string[];
}

/** What a member is made of. */
export interface MemberOptions {
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
  /** Whether it lies in the project. */
  readonly isNested: boolean;
  /** Folders in which the index of a root may lie, the likeliest first. */
  readonly toFolders: (root: string) => readonly string[];
  /** Why the folder may not be asked and indexed, where one is there; default it always may. */
  readonly findLoss?: (root: string) => string | null;
}

/** Manifests of one repository that are read, those nearest to its root. */
const MAX_MANIFESTS = 400;

interface Facts {
  readonly stamp: string;
  readonly packages: PackageFacts;
  readonly modules: ModuleMap;
  /** Every module that it imports. */
  readonly imported: readonly string[];
  /** Families of languages that it is written in. */
  readonly families: ReadonlySet<Family | null>;
}

/** A member. */
export class Member implements CombinedPart {
  readonly name: string;
  readonly root: string;
  readonly isNested: boolean;
  /** What the ranking remembers of its files. */
  readonly memory = new RankingMemory();
  readonly #toFolders: MemberOptions["toFolders"];
  readonly #modules: ProjectModules;
  readonly #findLoss: NonNullable<MemberOptions["findLoss"]>;
  #loss: string | null = null;
  #reader: IndexReader | null = null;
  #view: IndexView | null = null;
  #opened = 0;
  #facts: Facts | null = null;

  constructor({ name, root, isNested, toFolders, findLoss = () => null }: MemberOptions) {
    this.#findLoss = findLoss;
    [this.name, this.root, this.isNested, this.#toFolders] = [name, root, isNested, toFolders];
    this.#modules = new ProjectModules(root);
  }

  /** Opens its index where it is not open, and says whether it can be asked. */
  open(): MemberState {
    const isThere = isFolder(this.root);
    this.#loss = isThere ? this.#findLoss(this.root) : null;
    if (!isThere || this.#loss !== null) {
      this.close();
      return "gone";
    }
    if (this.#reader?.isReplaced() === true) this.close();
    if (this.#reader !== null) return "ready";
    let state: MemberState = "no_index";
    for (const folder of this.#toFolders(this.root)) {
      const opening = openIndexReader(folder, this.root);
      if (opening.kind === "open") {
        const { view } = this.#reader = opening.reader;
        // What the database says of its changes holds for one connection alone.
        const opened = ++this.#opened;
        this.#view = { ...view, stamp: () => `${opened}:${view.stamp()}` };
        return "ready";
      }
      if (opening.kind === "older" || opening.kind === "newer") state = opening.kind;
      else if (opening.kind !== "missing") state = "unusable";
    }
    return state;
  }

  /** Why a folder that is there is not asked, as {@link Member.open} found it last. */
  get loss(): string | null {
    return this.#loss;
  }

  /** Whether another version of the program analysed some of what its index has. */
  get isOld(): boolean {
    return this.#reader?.isOld === true;
  }

  /** Whether its index is open. */
  get isOpen(): boolean {
    return this.#reader !== null;
  }

  /** Its index; only after {@link Member.open} said that it is ready. */
  get view(): IndexView {
    invariant(this.#view !== null, "the member was opened before it is asked");
    return this.#view;
  }

  /** What its manifests say. */
  get packages(): PackageFacts {
    return this.#load().packages;
  }

  /** Where its modules lie. */
  get modules(): ModuleMap {
    return this.#load().modules;
  }

  /** Every module that it imports. */
  get imported(): readonly string[] {
    return this.#load().imported;
  }

  /** Whether a file looks on disk as it did when its index saw it. */
  isAsSeen(path: string): boolean {
    return this.#reader?.isAsSeen(path) === true;
  }

  /** Families of languages that it is written in. */
  get families(): ReadonlySet<Family | null> {
    return this.#load().families;
  }

  /** Runs `read` over one state of its index. */
  snapshot<T>(read: () => T): T {
    invariant(this.#reader !== null, "the member was opened before it is asked");
    return this.#reader.snapshot(read);
  }

  /** Closes its index; the next question opens it again. */
  close(): void {
    this.#reader?.close();
    [this.#reader, this.#view] = [null, null];
  }

  #load(): Facts {
    const { view } = this;
    const stamp = view.stamp();
    if (this.#facts?.stamp === stamp) return this.#facts;
    const files = this.snapshot(() => view.listFiles());
    const paths = files.map(({ path }) => path);
    const languages = new Set(files.map(({ language }) => language));
    const families = new Set([...languages].map(familyOf));
    const texts = new Map<string, string>();
    const manifests = paths.filter(isManifest).sort((a, b) => countDepth(a) - countDepth(b));
    for (const path of manifests.slice(0, MAX_MANIFESTS)) {
      const within = { within: this.root };
      const text = readControlTextIfUsable(join(this.root, path), "manifest", within);
      if (text !== undefined) texts.set(path, text);
    }
    const packages = readPackageFacts(texts, paths);
    const modules = this.#modules.load(paths);
    return this.#facts = { stamp, packages, modules, imported: view.listModules(), families };
  }
}

/** Runs `read` over one state of each of the members. */
export function snapshotAll<T>(members: readonly Member[], read: () => T): T {
  const [first, ...rest] = members;
  return first === undefined ? read() : first.snapshot(() => snapshotAll(rest, read));
}

function countDepth(path: string): number {
  return path.split("/").length;
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}
