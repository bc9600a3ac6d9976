/** What decides about a symbol: what was learned, its words, then meaning, asked for what is left alone. */
import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { MeasureDeps } from "../../src/request/measure_symbols.ts";
import { measureSymbols } from "../../src/request/measure_symbols.ts";

function createDeps(more: Partial<MeasureDeps> = {}) {
  const asked: string[][] = [];
  const deps: MeasureDeps = {
    compare: (text, names) => {
      asked.push([text, ...names]);
      return Promise.resolve(names.map((name) => name.includes("tax") ? -0.2 : 0.1));
    },
    findLearned: () => Promise.resolve([]),
    findNames: () => Promise.resolve([]),
    findPlaces: () => Promise.resolve(null),
    ...more,
  };
  return { deps, asked };
}

const INPUT = { target: ["login form"], request: "Add a captcha to the login form" };

Deno.test("measureSymbols() compares only what words leave open", async () => {
  const { deps, asked } = createDeps();
  const symbols = ["LoginForm", "GateKeeper", "LoginForm"];
  const measured = await measureSymbols({ ...INPUT, symbols }, deps);
  deepEqual(measured.map(({ symbol, source }) => [symbol, source]), [
    ["LoginForm", "FACT"],
    ["GateKeeper", "HYPOTHESIS"],
  ]);
  deepEqual(asked, [
    ["login form", "gate keeper"],
    ["Add a captcha to the login form", "gate keeper"],
  ]);
  deepEqual(await measureSymbols({ ...INPUT, symbols: [] }, deps), []);
});

Deno.test("measureSymbols() rejects what is far away, and names what is nearer", async () => {
  const names: Record<string, readonly string[]> = {
    login: ["LoginThrottle", "LoginForm", "Session.login"],
    form: ["OrderForm", "LoginForm"],
  };
  const { deps } = createDeps({ findNames: (word) => Promise.resolve(names[word] ?? []) });
  const [found] = await measureSymbols({ ...INPUT, symbols: ["TaxRate"] }, deps);
  equal(found?.source, "REJECTED");
  ok((found?.score ?? 1) < 0.3);
  deepEqual(found?.suggestions, ["LoginForm", "Session.login", "LoginThrottle", "OrderForm"]);
});

Deno.test("measureSymbols() takes what earlier work confirmed as a fact", async () => {
  const { deps, asked } = createDeps({ findLearned: () => Promise.resolve(["TaxRate"]) });
  deepEqual(await measureSymbols({ ...INPUT, symbols: ["TaxRate"] }, deps), [
    { symbol: "TaxRate", source: "FACT", score: null, suggestions: [] },
  ]);
  deepEqual(asked, []);
});

Deno.test("measureSymbols() says nothing of what words leave open where there are no vectors", async () => {
  const { deps } = createDeps({
    compare: (_text, names) => Promise.resolve(names.map(() => null)),
  });
  const symbols = ["LoginForm", "TaxRate"];
  const measured = await measureSymbols({ ...INPUT, symbols }, deps);
  deepEqual(measured.map(({ symbol, source }) => [symbol, source]), [["LoginForm", "FACT"]]);
});

Deno.test("measureSymbols() says where symbols are defined, and rejects a strange one that nothing defines", async () => {
  const places: Record<string, readonly string[]> = { LoginForm: ["src/login.ts:1"] };
  const { deps } = createDeps({
    compare: (_text, names) => Promise.resolve(names.map(() => 0)),
    findNames: (word) => Promise.resolve(word === "painter" ? ["WallPainter"] : []),
    findPlaces: (name) => Promise.resolve(places[name] ?? []),
  });
  const symbols = ["LoginForm()", "ChromaVectorPainter", "LoginCaptcha"];
  const found = await measureSymbols({ ...INPUT, symbols }, deps);
  deepEqual(found.map(({ source, defined }) => [source, defined]), [
    ["FACT", { places: ["src/login.ts:1"], near: [] }],
    ["REJECTED", { places: [], near: ["WallPainter"] }],
    ["FACT", { places: [], near: [] }],
  ]);
  const known = { ...deps, findPlaces: () => Promise.resolve(["src/a.ts:1"]) };
  const [kept] = await measureSymbols({ ...INPUT, symbols: ["ChromaVectorPainter"] }, known);
  equal(kept?.source, "HYPOTHESIS");
  // A far name is no stranger where the request names its file.
  const place = async (path: string) => {
    const far = { ...createDeps().deps, findPlaces: () => Promise.resolve([`${path}:1`]) };
    return (await measureSymbols({ ...INPUT, symbols: ["TaxRate"] }, far))[0]?.source;
  };
  deepEqual([await place("src/captcha.ts"), await place("src/vat.ts")], [null, "REJECTED"]);
});
