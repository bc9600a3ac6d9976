/** Whether symbols of agreements still exist. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { checkHits } from "../../../src/features/learning/check_symbols.ts";
import { buildDocument } from "../../../src/features/learning/map.ts";
import { sampleAgreement } from "./samples.ts";

function hit(name: string, symbols: readonly string[], files: readonly string[] = ["src/auth.ts"]) {
  return { document: buildDocument(sampleAgreement({ name, symbols, files })), score: 1 };
}

Deno.test("checkHits() returns what exists, names what is gone, and follows a symbol to its new file", async () => {
  const places: Readonly<Record<string, readonly string[]>> = {
    login: ["src/auth.ts", "src/test.ts"],
    moved: ["src/new.ts"],
  };
  const asked: string[] = [];
  const find = (symbol: string) => {
    asked.push(symbol);
    return Promise.resolve(places[symbol] ?? []);
  };
  const checked = await checkHits([
    hit("whole", ["login"]),
    hit("half", ["gone", "login"]),
    hit("moved", ["moved"]),
    hit("stale", ["gone"]),
  ], find);
  deepEqual(checked.hits.map(({ document, symbols, files }) => [document.id, symbols, files]), [
    ["whole", ["login"], ["src/auth.ts"]],
    ["half", ["login"], ["src/auth.ts"]],
    ["moved", ["moved"], ["src/new.ts"]],
  ]);
  deepEqual(checked.stale, ["stale"]);
  deepEqual(asked, ["login", "gone", "moved"], "each symbol is looked up once");
});

Deno.test("checkHits() returns what could not be looked up, and says so", async () => {
  const never = () => new Promise<never>(() => {});
  const broken = () => Promise.reject(new Error("no rg"));
  for (const find of [never, broken]) {
    const { hits, stale } = await checkHits([hit("a", ["login"])], find, 10);
    deepEqual([hits[0]?.isChecked, hits[0]?.symbols, stale], [false, ["login"], []]);
  }
});
