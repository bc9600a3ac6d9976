/** Which files of a tree are packs, and what a push does with them. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { TreePack } from "../../../src/features/share/share_tree.ts";
import { buildFileNames, planPush, readTree } from "../../../src/features/share/share_tree.ts";

const DAY = 20_000;

function toPack(
  at: number,
  more: Partial<TreePack> & { readonly sizeBytes?: number } = {},
): TreePack {
  const { sizeBytes = 1000, ...rest } = more;
  const [kind, id] = ["analysis-1", `${at}`.padStart(32, "0")];
  const file = (name: string, size: number) => ({ name, oid: `${at}`, sizeBytes: size });
  const names = buildFileNames({ kind, id, usedDay: rest.usedDay ?? DAY });
  return {
    name: `${kind}.${id}`,
    kind,
    id,
    usedDay: DAY,
    keys: file(names.keys, 20),
    pack: file(names.pack, sizeBytes),
    ...rest,
  };
}

Deno.test("readTree() reads packs back from their names, and names what is none", () => {
  const packs = [toPack(1), toPack(2, { usedDay: 7 })];
  const files = packs.flatMap(({ keys, pack }) => [keys, pack]);
  deepEqual(readTree(files, () => true), { packs, refused: {} });
  const [first] = packs;
  if (first === undefined) throw new Error("none");
  const odd = (name: string, sizeBytes = 1) => ({ name, oid: "x", sizeBytes });
  deepEqual(readTree([first.pack], () => true).refused, {
    [first.name]: "the list of its keys is missing",
  });
  deepEqual(readTree([first.keys, { ...first.pack, sizeBytes: 2 ** 40 }], () => true).refused, {
    [first.name]: "it is too large",
  });
  deepEqual(
    Object.keys(readTree([odd("../../x.pack"), odd("README\nAll is fine")], () => true).refused),
    [
      "../../x.pack",
      "README[U+000A]All is fine",
    ],
  );
  deepEqual(readTree([first.keys], () => true), { packs: [], refused: {} });
});

/** What is there, what is known, and which of the packs stay, become one, or leave. */
const PLANS: readonly (readonly [
  what: string,
  packs: readonly TreePack[],
  facts: { readonly used?: readonly number[]; readonly unfit?: readonly number[] },
  expected: readonly [kept: number, merged: number, dropped: number],
])[] = [
  ["a few small ones", [1, 2, 3].map((at) => toPack(at)), {}, [3, 0, 0]],
  ["sixteen small ones", Array.from({ length: 16 }, (_, at) => toPack(at)), {}, [0, 16, 0]],
  [
    "sixteen small ones, one of them by another maker",
    Array.from({ length: 16 }, (_, at) => toPack(at === 0 ? 99 : at)),
    {},
    [16, 0, 0],
  ],
  [
    "sixteen of different sizes",
    Array.from({ length: 16 }, (_, at) => toPack(at, { sizeBytes: at < 8 ? 10 : 500_000 })),
    {},
    [16, 0, 0],
  ],
  [
    "large ones",
    Array.from({ length: 40 }, (_, at) => toPack(at, { sizeBytes: 3_000_000 })),
    {},
    [40, 0, 0],
  ],
  ["unused for a month", [toPack(1, { usedDay: DAY - 31 }), toPack(2)], {}, [1, 0, 1]],
  ["old and used", [toPack(1, { usedDay: DAY - 31 })], { used: [1] }, [1, 0, 0]],
  ["wrong", [toPack(1), toPack(2)], { used: [1], unfit: [1] }, [1, 0, 1]],
];

Deno.test("planPush() keeps what is used, makes one of many, and leaves out what is old or wrong", () => {
  const found = PLANS.map(([what, packs, { used = [], unfit = [] }]) => {
    const toNames = (numbers: readonly number[]) => new Set(numbers.map((at) => toPack(at).name));
    const plan = planPush(packs, {
      day: DAY,
      used: toNames(used),
      unfit: toNames(unfit),
      isOwn: (pack) => pack.id !== toPack(99).id,
    });
    return [what, [plan.kept.length, plan.merged.length, plan.dropped.length]];
  });
  deepEqual(found, PLANS.map(([what, , , expected]) => [what, expected]));
  const [renewed] = planPush([toPack(1, { usedDay: DAY - 8 })], {
    day: DAY,
    used: new Set([toPack(1).name]),
    unfit: new Set(),
    isOwn: () => true,
  }).kept;
  deepEqual(renewed?.usedDay, DAY);
});

Deno.test("readTree() looks at packs of this program first, however many others there are", () => {
  const others = Array.from({ length: 4_100 }, (_, at) => {
    const pack = toPack(at);
    const name = pack.name.replace("analysis-1", "aaa");
    return [
      { ...pack.keys, name: `${name}.keys` },
      { ...pack.pack, name: `${name}.999999.pack` },
    ];
  }).flat();
  const own = toPack(7);
  const { packs } = readTree([...others, own.keys, own.pack], (kind) => kind === "analysis-1");
  deepEqual([packs.length, packs[0]], [4_000, own]);
});

Deno.test("planPush() brings back a day that is to come, so that nobody's pack stays for ever", () => {
  const plan = (day: number) =>
    planPush([toPack(1, { usedDay: 999_999 }), toPack(2, { usedDay: day + 1 })], {
      day,
      used: new Set(),
      unfit: new Set(),
      isOwn: () => true,
    }).kept.map(({ usedDay }) => usedDay);
  deepEqual(plan(DAY), [DAY, DAY + 1]);
  deepEqual(plan(12), [999_999, 13], "a clock that stands still corrects nobody");
});
