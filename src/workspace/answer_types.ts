/** What other repositories of a workspace say to a question. Pure types. */

/** What one of them says. */
export interface OtherRepository {
  /** Its name in the workspace. */
  readonly repository: string;
  /** Its folder, from the project: `../util`; absent where it has none, as in a hub. */
  readonly root?: string;
  /** How many places it has. */
  readonly total: number;
  /** The first of them, each with its path from that folder: `src/a.ts:12 call: load()`. */
  readonly places: readonly string[];
}

/** What all of them say. */
export interface OtherAnswer {
  /** Those that have something to say. */
  readonly others: readonly OtherRepository[];
  /** Members that could not be asked, and answers that may be stale, in sentences. */
  readonly notices: readonly string[];
}

/** The same for references. */
export interface OtherReferences extends OtherAnswer {
  /** Where places of the project itself lead in other repositories: `util:src/load.ts:3`, by `path:line`. */
  readonly leading: ReadonlyMap<string, string>;
}

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
