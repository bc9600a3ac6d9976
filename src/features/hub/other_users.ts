/**
 * Which other repositories of a hub use definitions of one: by the names of packages in imports, and by names behind them.
 * All of them are asked together, whatever their number.
 */
import { decodeText } from "../../base/files/source_text.ts";
import { LIMITS } from "../../base/settings/limits.ts";
import { clip } from "../../base/text/clip.ts";
import { toJsonBytes } from "../../base/text/json_record.ts";
import type { Seeds } from "../../impact/affected.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { toFamily } from "../../language/languages.ts";
import type { PackageFacts } from "../../resolve/packages/package_links.ts";
import { isManifest, readPackageFacts } from "../../resolve/packages/package_facts.ts";
import type { HubRepository, HubStore } from "./hub_store.ts";
import { toModules } from "./package_imports.ts";
import type { UserPlace } from "./user_places.ts";
import { findUserPlaces, isGiven, toNames } from "./user_places.ts";
import type { ContentRows, OtherImport } from "./user_rows.ts";
import { listOtherImports, readContentLines, readContents } from "./user_rows.ts";

/** What one repository says. */
export interface UsingRepository {
  readonly repository: string;
  readonly total: number;
  /** The first places: `src/a.ts:12 call Cart.add (name): cart.add(1)`. */
  readonly places: readonly string[];
}

/** What all of them say. */
export interface UsersAnswer {
  readonly others: readonly UsingRepository[];
  readonly notices: readonly string[];
}

/** Definitions that are looked for; a file that is changed as a whole seldom has more. */
const MAX_SEEDS = 200;
const MAX_IMPORTS = 20_000;
const MAX_MANIFESTS = 400;
const MAX_REPOSITORIES = 20;
const MAX_PLACES = 10;
const MAX_TEXT_CHARS = 100;
const FAMILIES: ReadonlySet<string> = new Set(["script", "go", "python", "jvm", "rust"]);

interface Found {
  readonly file: OtherImport;
  readonly place: UserPlace;
}

/** Finds the users of one repository's definitions; what its manifests say is remembered for each state of it. */
export class OtherUsers {
  readonly #store: HubStore;
  readonly #repository: () => HubRepository;
  readonly #listFiles: () => Promise<readonly string[]>;
  #packages: { readonly revision: number; readonly facts: PackageFacts } | null = null;

  constructor(store: HubStore, parts: {
    readonly repository: () => HubRepository;
    readonly listFiles: () => Promise<readonly string[]>;
  }) {
    [this.#store, this.#repository, this.#listFiles] = [store, parts.repository, parts.listFiles];
  }

  /** Users of the definitions in other repositories, those with the most places first. */
  async find({ symbols }: Seeds): Promise<UsersAnswer> {
    const given = symbols.filter((hit) =>
      isGiven(hit) && FAMILIES.has(toFamily(hit.language) ?? "")
    );
    if (given.length === 0) return { others: [], notices: [] };
    const seeds = given.slice(0, MAX_SEEDS);
    const repository = this.#repository();
    const facts = await this.#loadPackages(repository);
    const modules = toModules(seeds, facts.given);
    if (modules.length === 0) {
      return {
        others: [],
        notices: [
          "No manifest of this repository names a package that others could import: who uses it elsewhere is not known.",
        ],
      };
    }
    const { link } = this.#store;
    const imports = listOtherImports(link, repository, { modules, limit: MAX_IMPORTS });
    const others = imports.length === 0 ? [] : this.#match(imports, seeds, facts);
    return {
      others,
      notices: [
        ...(imports.length < MAX_IMPORTS ? [] : [
          `Only the first ${MAX_IMPORTS} imports in other repositories were followed.`,
        ]),
        ...(given.length <= MAX_SEEDS ? [] : [
          `Users in other repositories were looked for of the first ${MAX_SEEDS} of ${given.length} definitions.`,
        ]),
      ],
    };
  }

  #match(
    imports: readonly OtherImport[],
    seeds: readonly SymbolHit[],
    facts: PackageFacts,
  ): readonly UsingRepository[] {
    const names = toNames(seeds, imports);
    const contents = [...new Set(imports.map(({ content }) => content))];
    const worktrees = [...new Set(imports.map(({ worktree }) => worktree))];
    const { link } = this.#store;
    const manifests = this.#manifestsOf(facts);
    const rows = readContents(link, { names, contents, worktrees, manifests });
    const copies = findCopies(rows, facts);
    const files = Map.groupBy(
      imports.filter(({ worktree }) => !copies.has(worktree)),
      ({ worktree, path }) => `${worktree} ${path}`,
    );
    const found = [...files.values()].flatMap((own): Found[] => {
      const [file] = own;
      if (file === undefined) return [];
      const all = rows.imports.get(file.content) ?? [];
      const places = rows.places.get(file.content) ?? new Map();
      return findUserPlaces({ own, all, places }, seeds).map((place) => ({ file, place }));
    });
    return this.#tell(found);
  }

  #tell(found: readonly Found[]): readonly UsingRepository[] {
    const grouped = [...Map.groupBy(found, ({ file }) => file.repository)]
      .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
      .slice(0, MAX_REPOSITORIES);
    const shown = grouped.flatMap(([, own]) => own.slice(0, MAX_PLACES));
    const texts = shown.length === 0 ? new Map<number, readonly string[]>() : readContentLines(
      this.#store.link,
      [...new Set(shown.map(({ file }) => file.content))],
    );
    let left = LIMITS.workspaceReplyBytes.value;
    return grouped.map(([repository, own]) => {
      const places: string[] = [];
      for (const { file: { path, content }, place: { line, kind, symbol } } of own) {
        const text = texts.get(content)?.[line - 1]?.trim() ?? "";
        const told = `${path}:${line} ${kind} ${symbol} (name): ${clip(text, MAX_TEXT_CHARS)}`;
        left -= toJsonBytes(told) + 1;
        if (places.length === MAX_PLACES || left < 0) break;
        places.push(told);
      }
      return { repository, total: own.length, places };
    });
  }

  async #loadPackages(repository: HubRepository): Promise<PackageFacts> {
    const { revision } = repository;
    if (this.#packages?.revision === revision) return this.#packages.facts;
    const paths = await this.#listFiles();
    const manifests = paths.filter(isManifest)
      .sort((a, b) => a.split("/").length - b.split("/").length).slice(0, MAX_MANIFESTS);
    const texts = new Map<string, string>();
    if (manifests.length > 0) {
      for (const [path, bytes] of this.#store.sources.read(repository, manifests)) {
        texts.set(path, decodeText(bytes) ?? "");
      }
    }
    const facts = readPackageFacts(texts, paths);
    this.#packages = { revision, facts };
    return facts;
  }

  /** Where a copy of this repository would name the same packages. */
  #manifestsOf({ given }: PackageFacts): readonly string[] {
    return given.flatMap(({ family, folder }) =>
      (MANIFESTS[family] ?? []).map((name) => folder === "." ? name : `${folder}/${name}`)
    );
  }
}

const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
  script: ["package.json", "deno.json", "deno.jsonc"],
  go: ["go.mod"],
  python: ["pyproject.toml", "setup.py", "setup.cfg"],
  rust: ["Cargo.toml"],
  jvm: ["pom.xml", "build.gradle", "build.gradle.kts"],
};

/** Repositories that give a package of the same name, and so mean their own by it: a fork, or a second copy. */
function findCopies({ manifests }: ContentRows, facts: PackageFacts): ReadonlySet<number> {
  const own = new Set(facts.given.map(({ family, name }) => `${family} ${name}`));
  const copies = [...manifests].filter(([, texts]) =>
    readPackageFacts(texts, [...texts.keys()]).given
      .some(({ family, name }) => own.has(`${family} ${name}`))
  );
  return new Set(copies.map(([worktree]) => worktree));
}
