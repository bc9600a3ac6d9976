/** What is known of the members of a workspace. Pure types. */

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
