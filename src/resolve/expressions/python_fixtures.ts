/**
 * Fixtures of pytest: a parameter of a test is what the fixture of its name gives. The nearest one is meant: of the class
 * and the file, what the file imports, then that of the `conftest.py` of each folder upwards. Pure over the facts.
 */
import type { ImportEntry } from "../../analysis/analysis.ts";
import type { SymbolHit } from "../../index/read/view.ts";
import { toFolder } from "../../base/repo_path.ts";
import type { ProjectFacts } from "../reference_facts.ts";
import { CALLABLES } from "../reference_tables.ts";
import type { NameDoor } from "./typed.ts";

/** What is asked of the rules of scope and imports. */
export interface FixtureDoor extends Pick<NameDoor, "candidates" | "follow"> {
  readonly facts: ProjectFacts;
}

interface Spot {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** The short form of the decorators that make a fixture, after which a call answers. */
const FIXTURE = /^(?:\w+\.)*(?:yield_)?fixture(?:\(\)){1,2}$/;
const GENERATOR = /->\s*["']?(?:\w+\.)*(?:Async)?(?:Iterator|Generator)\s*\[/;

/** The fixture that a parameter at a place gets; null where none of the project is known to be it. */
export function findFixture(spot: Spot, door: FixtureDoor): SymbolHit | null {
  const { name, path } = spot;
  // A fixture that asks for its own name gets the one that it replaces.
  const all = door.candidates(name).filter((hit) =>
    isFixture(hit, door.facts) && !(hit.path === path && isRound(hit, spot))
  );
  if (all.length === 0) return null;
  const own = findOwn(all, path, spot, door.facts) ?? findImported(all, path, spot, door);
  if (own !== null) return own;
  for (let folder = toFolder(path);; folder = toFolder(folder)) {
    const file = folder === "" ? "conftest.py" : `${folder}/conftest.py`;
    const hit = file === path || !door.facts.isFile(file)
      ? null
      : findOwn(all, file, null, door.facts) ?? findImported(all, file, spot, door);
    if (hit !== null || folder === "") return hit;
  }
}

/** The fixture that a parameter gets, where the place is one that the runner of the tests fills. */
export function findInjected(
  { name, path, line, column }: Spot & { readonly column?: number },
  door: FixtureDoor,
): SymbolHit | null {
  const isFilled = (door.facts.types(path).byName.get(name) ?? []).some((fact) =>
    fact.kind === "injected" && fact.line === line && fact.column === column
  );
  return isFilled ? findFixture({ name, path, line }, door) : null;
}

/** Whether a fixture says that it answers with an iterator, of which a test gets what it yields. */
export function givesYielded({ signature = "" }: SymbolHit): boolean {
  return GENERATOR.test(signature);
}

function isFixture({ kind, path, name, line, column }: SymbolHit, facts: ProjectFacts): boolean {
  return CALLABLES.has(kind) &&
    (facts.types(path).byName.get(name) ?? []).some((fact) =>
      fact.kind === "value" && fact.line === line && fact.column === column &&
      FIXTURE.test(fact.text)
    );
}

/** That of the class round the place, else that of the file. */
function findOwn(
  all: readonly SymbolHit[],
  file: string,
  spot: Spot | null,
  facts: ProjectFacts,
): SymbolHit | null {
  const here = all.filter(({ path }) => path === file);
  const inner = here.findLast(({ parent }) => {
    const holder = parent === null ? undefined : facts.symbols(file)[parent];
    return spot !== null && holder !== undefined && isRound(holder, spot);
  });
  return inner ?? here.findLast(({ parent }) => parent === null) ?? null;
}

/** One that a file imports by its name, or with all that a module gives. */
function findImported(
  all: readonly SymbolHit[],
  file: string,
  { name }: Spot,
  { facts, follow }: FixtureDoor,
): SymbolHit | null {
  const isOfName = (entry: ImportEntry) => entry.alias === name && entry.name === name;
  const entries = facts.imports(file);
  for (
    const entry of [
      ...entries.filter(isOfName),
      ...entries.filter(({ name }) => name === "*"),
    ]
  ) {
    const hit = follow(entry, name, file, all);
    if (hit !== null) return hit;
  }
  return null;
}

function isRound({ startLine, endLine }: SymbolHit, { line }: Spot): boolean {
  return startLine <= line && line <= endLine;
}
