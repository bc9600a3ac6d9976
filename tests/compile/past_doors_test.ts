/** Imports of a bundle: past the doors, to what is named. */
import { deepStrictEqual as deepEqual, throws } from "node:assert/strict";
import { leadPastDoors } from "../../tools/compile/past_doors.ts";

const DOOR = `/** A folder. */
export type { Shape } from "./shape.ts";
export { area, size as sizeOf } from "./area.ts";
export {
  draw,
  fill,
} from "./draw/mod.ts";
`;

/** A source in which one file asks two doors, and a door has what came through another one. */
function lead(text: string, path = "src/app/page.ts"): string | undefined {
  const texts = new Map([
    ["src/shapes/mod.ts", DOOR],
    [
      "src/shapes/draw/mod.ts",
      `export { draw } from "./pen.ts";\nexport { fill } from "./pot.ts";`,
    ],
    [path, text],
  ]);
  return leadPastDoors(texts).get(path);
}

Deno.test("an import through a door names the files that define what it names", () => {
  deepEqual(
    lead(`import { area, draw, fill as paint, sizeOf } from "../shapes/mod.ts";`),
    [
      `import { area, size as sizeOf } from "../shapes/area.ts";`,
      `import { draw } from "../shapes/draw/pen.ts";`,
      `import { fill as paint } from "../shapes/draw/pot.ts";`,
    ].join(" "),
  );
});

Deno.test("an import of several lines, and one within the folder, are led too", () => {
  deepEqual(
    lead(`import {\n  area,\n  draw,\n} from "../shapes/mod.ts";\nrun();`),
    `import { area } from "../shapes/area.ts"; import { draw } from "../shapes/draw/pen.ts";\nrun();`,
  );
  deepEqual(
    lead(`import { draw } from "./draw/mod.ts";`, "src/shapes/page.ts"),
    `import { draw } from "./draw/pen.ts";`,
  );
});

Deno.test("a door leads past the doors that it exports from, so that it can still be loaded as a whole", () => {
  const texts = new Map([
    ["src/a/mod.ts", `export { b as c } from "./b/mod.ts";`],
    ["src/a/b/mod.ts", `export { b } from "./b.ts";`],
  ]);
  deepEqual(
    leadPastDoors(texts).get("src/a/mod.ts"),
    `export { b as c } from "./b/b.ts";`,
  );
});

Deno.test("types, late imports and files that are no doors stay as they are", () => {
  for (
    const text of [
      `import type { Shape } from "../shapes/mod.ts";`,
      `const { area } = await import("../shapes/mod.ts");`,
      `import { area } from "../shapes/area.ts";`,
      `import { z } from "zod";`,
      `import * as shapes from "../shapes/mod.ts";`,
    ]
  ) deepEqual(lead(text), text);
});

Deno.test("what a door does not export is refused, since the bundle would lack it", () => {
  throws(
    () => lead(`import { volume } from "../shapes/mod.ts";`),
    /src\/shapes\/mod\.ts does not export volume/,
  );
});
