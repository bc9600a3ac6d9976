/** Where one repository of a workspace uses definitions of another one, by the rules of impact. */
import type { Edge, Seeds } from "../../impact/affected.ts";
import { findDependents } from "../../impact/dependents.ts";
import type { Member } from "./member.ts";
import type { Opened } from "./repositories.ts";

/** What is looked for. */
export interface UsersQuestion {
  /** The repository that may use it. */
  readonly asker: Member;
  /** The repository that defines it. */
  readonly target: Member;
  /** The definitions, with paths of that repository. */
  readonly seeds: Seeds;
  readonly signal?: AbortSignal;
}

/** The places of the asking repository that depend on the seeds, proven ones first, then in the order of their places. */
export async function findUsers(
  opened: Opened,
  { asker, target, seeds, signal }: UsersQuestion,
): Promise<readonly Edge[]> {
  const { joint, facts: store } = opened.toJoint(asker, [target]);
  const isOwn = asker === target;
  const placed: Seeds = isOwn ? seeds : {
    symbols: seeds.symbols.map((hit) => ({ ...hit, path: joint.toPath(target, hit.path) })),
    files: seeds.files.map((path) => joint.toPath(target, path)),
  };
  const end = signal === undefined ? {} : { signal };
  const found = await store.ask((view, open) => {
    // Who still names what is gone is found where it is known as it was.
    const removed = placed.symbols.filter(({ path, qualifiedName }) =>
      !view.listSymbols(path).some((hit) => hit.qualifiedName === qualifiedName)
    );
    const facts = open(removed);
    const { edges } = findDependents(facts, placed, { depth: 1, ...end });
    return edges.filter((edge) => joint.toPlace(edge.path).part === asker);
  }, end);
  const own = found.map((edge) => ({ ...edge, symbol: joint.toPlace(edge.symbol).path }));
  // An import that names what it takes from a file says more than that it takes something.
  const isFile = ({ symbol }: Edge) => seeds.files.includes(symbol);
  const naming = new Set(own.filter((edge) => !isFile(edge)).map(toPlaceKey));
  return own.filter((edge) => !isFile(edge) || !naming.has(toPlaceKey(edge))).sort(byProof);
}

function toPlaceKey({ path, line }: Edge): string {
  return `${line} ${path}`;
}

function byProof(a: Edge, b: Edge): number {
  if (a.confidence !== b.confidence) return a.confidence === "resolved" ? -1 : 1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line;
}
