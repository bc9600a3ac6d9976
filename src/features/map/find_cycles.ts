/** Finds circles in a graph. Pure. */

/**
 * Groups of nodes that lead to one another (strongly connected components of two or more), by Tarjan's algorithm without
 * recursion, so that a long chain of imports costs no stack.
 *
 * @param targets for each node, the nodes that it leads to.
 * @returns the groups, the largest first; the nodes of a group rise.
 *
 * @example
 * ```ts
 * import { deepStrictEqual as equal } from "node:assert/strict";
 * import { findCycles } from "./find_cycles.ts";
 * equal(findCycles([[1], [2], [1], []]), [[1, 2]]);
 * ```
 */
export function findCycles(targets: readonly (readonly number[])[]): readonly number[][] {
  const order = new Int32Array(targets.length).fill(-1);
  const low = new Int32Array(targets.length);
  const isOpen = new Uint8Array(targets.length);
  const open: number[] = [];
  const groups: number[][] = [];
  let next = 0;
  const enter = (node: number) => {
    order[node] = low[node] = next++;
    isOpen[node] = 1;
    open.push(node);
    return { node, at: 0 };
  };
  const lower = (node: number, value: number) => low[node] = Math.min(low[node] ?? 0, value);
  for (let root = 0; root < targets.length; root++) {
    if (order[root] !== -1) continue;
    const walk = [enter(root)];
    for (let step = walk.at(-1); step !== undefined; step = walk.at(-1)) {
      const { node } = step;
      const target = targets[node]?.[step.at++];
      if (target !== undefined) {
        if (order[target] === -1) walk.push(enter(target));
        else if (isOpen[target] === 1) lower(node, order[target] ?? 0);
        continue;
      }
      walk.pop();
      const before = walk.at(-1);
      if (before !== undefined) lower(before.node, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      const group = open.splice(open.lastIndexOf(node));
      for (const one of group) isOpen[one] = 0;
      if (group.length > 1) groups.push(group.toSorted((a, b) => a - b));
    }
  }
  return groups.toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}
