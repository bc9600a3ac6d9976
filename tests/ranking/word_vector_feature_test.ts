/** Nearness of files by word vectors, with the table of the program. */
import { ok, strictEqual as equal } from "node:assert/strict";
import { splitParts } from "../../src/analysis/tokens.ts";
import { computeWordNearness } from "../../src/ranking/vector_feature.ts";
import { loadWordTable } from "../../src/word_vectors/load_table.ts";
import { packWindows } from "../../src/word_vectors/window_vectors.ts";

const TEXTS = {
  "src/access.ts": "function signIn(user, password) { return session.authenticate(user) }",
  "src/billing.ts": "function toInvoice(order) { return order.total * taxRate }",
  "src/pictures.ts": "function shrink(photo, width) { return photo.scale(width) }",
};

Deno.test("computeWordNearness() puts the file first whose words mean what is asked, and says where", async () => {
  const table = await loadWordTable();
  ok(table !== null);
  const files = Object.entries(TEXTS).map(([path, text]) => ({
    path,
    windows: packWindows([splitParts(text)], table),
  }));
  const ask = (question: string) => {
    const near = computeWordNearness(
      [question],
      [...files, { path: "a.bin", windows: null }],
      table,
    );
    const best = near?.toSorted((a, b) => b.value - a.value)[0];
    return { near, first: files[near?.findIndex((one) => one === best) ?? -1]?.path, best };
  };
  const { near, first, best } = ask("credentials of the account for login");
  equal(first, "src/access.ts");
  equal(best?.windows[0]?.startLine, 1);
  equal(ask("resize an image").first, "src/pictures.ts");
  equal(near?.[3]?.value, 0, "nothing is known of it");
  equal(near?.[3]?.windows.length, 0);
  const told = near?.slice(0, 3).map(({ value, windows: [window] }) => ({
    value,
    deviations: window?.deviations ?? 0,
  })) ?? [];
  ok(told.some(({ deviations }) => deviations < 0) && told.some(({ value }) => value > 0));
  for (const { value, deviations } of told) {
    equal(value, Math.max(0, deviations) / 4, "it counts from the mean on, up to four deviations");
  }
  equal(computeWordNearness(["確認"], files, table), null, "no word of it is known");
});
