/** What manifests say of packages: those that a repository gives to others, and those of others that it uses. Pure types. */
import type { Family } from "../../language/families.ts";

/** Families whose packages have names that hold everywhere. */
export type PackageFamily = Extract<Family, "script" | "go" | "python" | "jvm" | "rust">;

/** A package that a repository gives to others. */
export interface GivenPackage {
  readonly family: PackageFamily;
  /** As others declare it: of npm, of a Go module, of a distribution, `group:artifact`, of a crate. */
  readonly name: string;
  /** Folder of its manifest, relative to the repository. */
  readonly folder: string;
  /** Of Python: the modules by which it is imported. */
  readonly imports?: readonly string[];
}

/** A package of others that a repository declares. */
export interface UsedPackage {
  readonly family: PackageFamily;
  /** The name that the code imports it by, where the manifest gives it one of its own; else its name. */
  readonly alias: string;
  readonly name: string;
  /** Folder that the manifest takes it from, relative to the repository (`../util`); absent where it comes from elsewhere. */
  readonly local?: string;
}

/** What manifests say. */
export interface PackageFacts {
  readonly given: readonly GivenPackage[];
  readonly used: readonly UsedPackage[];
  /** Families of which the repository has a manifest, so that what is not declared is not used. */
  readonly declaring: ReadonlySet<PackageFamily>;
}

/** A part of what one manifest says. */
export interface ManifestFacts {
  readonly given?: readonly string[];
  readonly used?: readonly Omit<UsedPackage, "family">[];
}
