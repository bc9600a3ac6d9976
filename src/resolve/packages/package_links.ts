/**
 * Which repository an import leads to by the name of a package: one that gives the package, where the importing one declares
 * it. What two repositories give under one name leads nowhere. Pure.
 */
import type { Family } from "../../language/families.ts";
import { join } from "node:path/posix";
import { getOrInsert } from "../../base/once.ts";
import { isNodeModule } from "../modules/module_paths.ts";
import type { ModuleMap } from "../modules/module_map.ts";

/** Families whose packages have names that hold everywhere. */
export type PackageFamily = Extract<Family, "script" | "go" | "python" | "jvm" | "rust">;

/** A package that a repository gives to others. */
export interface ProvidedPackage {
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
  readonly given: readonly ProvidedPackage[];
  readonly used: readonly UsedPackage[];
  /** Families of which the repository has a manifest, so that what is not declared is not used. */
  readonly declaring: ReadonlySet<PackageFamily>;
}

/** A part of what one manifest says. */
export interface ManifestFacts {
  readonly given?: readonly string[];
  readonly used?: readonly Omit<UsedPackage, "family">[];
}

/** A repository whose packages are known. */
export interface PackagePart {
  /** Unique among the parts. */
  readonly name: string;
  /** Absolute path. */
  readonly root: string;
  readonly packages: PackageFacts;
  readonly modules: ModuleMap;
}

/** Where a module leads. */
export interface PackageLink<Part> {
  readonly part: Part;
  /** The module as that repository calls it. */
  readonly module: string;
}

/** Where modules are looked for in a repository from outside of it. */
export const OUTSIDE = "";

const FAMILIES: readonly PackageFamily[] = ["script", "go", "python", "jvm", "rust"];
const RUST_WORDS = new Set(["crate", "self", "super", "std", "core", "alloc"]);

interface Given<Part> extends ProvidedPackage {
  readonly part: Part;
}

/** A way to read the beginning of a module as a package. */
interface Reading<Part> {
  readonly given: readonly Given<Part>[];
  readonly used: UsedPackage | undefined;
  readonly module: string;
  /** Whether it needs no declaration: the name alone says which repository is meant. */
  readonly isGlobal?: boolean;
}

/** The links between repositories. */
export class PackageLinks<Part extends PackagePart> {
  readonly #parts: readonly Part[];
  readonly #given = new Map<string, Given<Part>[]>();
  readonly #used = new Map<Part, ReadonlyMap<string, UsedPackage>>();
  readonly #artifacts = new Map<Part, readonly Given<Part>[]>();
  readonly #known = new Map<Part, Map<string, PackageLink<Part> | null>>();

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    for (const part of parts) {
      for (const one of part.packages.given) {
        const names = one.family === "python"
          ? one.imports ?? []
          : [keyOfPackage(one.family, one.name)];
        for (const name of names) {
          const key = `${one.family} ${name}`;
          this.#given.set(key, [...this.#given.get(key) ?? [], { ...one, part }]);
        }
      }
      const used = part.packages.used.map((one) =>
        [`${one.family} ${keyOfPackage(one.family, one.alias)}`, one] as const
      );
      // Of two manifests the one that says where the package lies says more.
      this.#used.set(part, new Map(used.toSorted(([, a], [, b]) => +!!a.local - +!!b.local)));
    }
  }

  /** Names that two repositories give, with the names of these. */
  listAmbiguous(): readonly { readonly name: string; readonly parts: readonly string[] }[] {
    return [...this.#given.values()].flatMap((given) => {
      const parts = [...new Set(given.map(({ part }) => part.name))];
      return parts.length < 2 ? [] : [{ name: given[0]?.name ?? "", parts }];
    });
  }

  /** The repository that a module leads to, other than the one that imports it; null where none does for certain. */
  find(asker: Part, module: string, family: Family): PackageLink<Part> | null {
    const known = getOrInsert(
      this.#known,
      asker,
      () => new Map<string, PackageLink<Part> | null>(),
    );
    return getOrInsert(known, `${family} ${module}`, () => {
      for (const reading of this.#read(asker, module, family)) {
        const [first, ...others] = this.#choose(asker, reading);
        if (first === undefined) continue;
        const isOne = others.every(({ part }) => part === first.part);
        return isOne && first.part !== asker ? { part: first.part, module: reading.module } : null;
      }
      return null;
    });
  }

  /** The modules that lead from a repository to others, of all that it imports. */
  listLeading(
    asker: Part,
    { imported, families }: {
      readonly imported: readonly string[];
      readonly families: ReadonlySet<Family | null>;
    },
  ): ReadonlyMap<Part, readonly string[]> {
    const found = new Map<Part, Set<string>>();
    const spoken = FAMILIES.filter((family) => families.has(family));
    for (const module of imported) {
      for (const family of spoken) {
        const part = this.find(asker, module, family)?.part;
        if (part !== undefined) getOrInsert(found, part, () => new Set<string>()).add(module);
      }
    }
    return new Map([...found].map(([part, own]) => [part, [...own]]));
  }

  #choose(asker: Part, { given, used, isGlobal = false }: Reading<Part>): readonly Given<Part>[] {
    const { local } = used ?? {};
    if (local !== undefined) {
      const folder = local.startsWith("/") ? join(local) : join(asker.root, local);
      return given.filter(({ part, folder: own }) => join(part.root, own) === folder);
    }
    return used !== undefined || isGlobal ? given : [];
  }

  #read(asker: Part, module: string, family: Family): readonly Reading<Part>[] {
    switch (family) {
      case "script":
        return this.#readScript(asker, module);
      case "go":
        return this.#readGo(asker, module);
      case "rust":
        return this.#readRust(asker, module);
      case "python":
        return this.#readPython(asker, module);
      case "jvm":
        return this.#readJvm(asker, module);
      default:
        return [];
    }
  }

  #readScript(asker: Part, module: string): readonly Reading<Part>[] {
    // A program of Deno names the registry and the version in the import itself.
    const [, named, rest = ""] = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/.exec(module) ??
      [];
    const plain = named === undefined ? module : named + rest;
    if (/^(?:[./#~]|$)|:/.test(plain) || isNodeModule(plain)) return [];
    const head = plain.split("/").slice(0, plain.startsWith("@") ? 2 : 1).join("/");
    const used = named === undefined ? this.#usedAs(asker, "script", head) : undefined;
    const name = used?.name ?? head;
    return [{
      given: this.#givenAs("script", name),
      used,
      module: name + plain.slice(head.length),
      isGlobal: named !== undefined || !asker.packages.declaring.has("script"),
    }];
  }

  #readGo(asker: Part, module: string): readonly Reading<Part>[] {
    const parts = module.split("/");
    // The path of a module of Go holds everywhere, whether this manifest repeats it or another one of the workspace.
    return parts.map((_, at) => parts.slice(0, parts.length - at).join("/")).map((head) => {
      const used = this.#usedAs(asker, "go", head);
      const name = used?.name ?? head;
      const given = this.#givenAs("go", name);
      return { given, used, module: name + module.slice(head.length), isGlobal: true };
    });
  }

  #readRust(asker: Part, module: string): readonly Reading<Part>[] {
    const [head = "", ...rest] = module.split("::");
    if (RUST_WORDS.has(head)) return [];
    const used = this.#usedAs(asker, "rust", keyOfPackage("rust", head));
    const name = keyOfPackage("rust", used?.name ?? head);
    return [{
      given: this.#givenAs("rust", name),
      used,
      module: [name, ...rest].join("::"),
      isGlobal: !asker.packages.declaring.has("rust"),
    }];
  }

  #readPython(asker: Part, module: string): readonly Reading<Part>[] {
    const parts = module.split(".").slice(0, 4);
    return parts.map((_, at) => parts.slice(0, parts.length - at).join(".")).map((head) => {
      const given = this.#givenAs("python", head);
      const names = given.map(({ name }) => name);
      const used = names.map((name) => this.#usedAs(asker, "python", name)).find((one) => one);
      const isGlobal = !asker.packages.declaring.has("python");
      // A module with the name of its distribution is known by it; `utils` may be anybody's.
      const meant = given.filter(({ name }) =>
        used === undefined ? name.replaceAll("-", "_") === head : used.name === name
      );
      return { given: meant, used, module, isGlobal };
    });
  }

  /** A package of the virtual machine says nothing of the artifact that brings it: the files do. */
  #readJvm(asker: Part, module: string): readonly Reading<Part>[] {
    if (!/^[\w$]+(?:\.[\w$]+)+$/.test(module)) return [];
    const given = getOrInsert(this.#artifacts, asker, () => this.#listArtifacts(asker))
      .filter(({ part }) => part.modules.find(module, { from: OUTSIDE, family: "jvm" }).length > 0);
    return [{ given, used: undefined, module, isGlobal: true }];
  }

  /** One artifact of each repository that may bring packages to another one. */
  #listArtifacts(asker: Part): readonly Given<Part>[] {
    const isDeclaring = asker.packages.declaring.has("jvm");
    return this.#parts.flatMap((part): Given<Part>[] => {
      const own = part.packages.given.filter(({ family }) => family === "jvm");
      const meant = isDeclaring
        ? own.find(({ name }) => this.#usedAs(asker, "jvm", name) !== undefined)
        : own[0];
      return meant === undefined || part === asker ? [] : [{ ...meant, part }];
    });
  }

  #givenAs(family: PackageFamily, name: string): readonly Given<Part>[] {
    return this.#given.get(`${family} ${name}`) ?? [];
  }

  #usedAs(asker: Part, family: PackageFamily, alias: string): UsedPackage | undefined {
    return this.#used.get(asker)?.get(`${family} ${alias}`);
  }
}

/** A name in the form in which it is compared: code writes the hyphens of crates as underscores. */
function keyOfPackage(family: PackageFamily, name: string): string {
  return family === "rust" ? name.replaceAll("-", "_") : name;
}
