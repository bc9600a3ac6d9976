/** Each key of the configuration is read by something, or belongs to a part that is named here. */
import { strictEqual as equal } from "node:assert/strict";
import * as z from "zod";
import { buildObject, CONFIG_SHAPE, CONTEXT_SHAPE } from "../../src/base/settings/config_keys.ts";
import { expectNone, readSourceFiles, toCode } from "./source_files.ts";

/** Files that only name the keys: the schema, and the first text of a configuration. */
const NAMING = [
  "src/base/settings/config_keys.ts",
  "src/base/settings/config.ts",
  "src/project/setup/config_text.ts",
];

Deno.test("every key of config.json and context.yml is read in src, nested ones too", async () => {
  const files = (await readSourceFiles("src")).filter(({ path }) => !NAMING.includes(path));
  const texts = files.map(({ text }) => toCode(text, { keepStrings: true }));
  const isRead = (key: string) => {
    const access = new RegExp(`[.{,]\\s*${key}\\b|\\["${key}"\\]`);
    return texts.some((text) => access.test(text));
  };
  const keys = [...toKeys(buildObject(CONFIG_SHAPE)), ...toKeys(buildObject(CONTEXT_SHAPE))];
  expectNone(
    keys.filter((key) => !isRead(key)),
    "Read the key where it takes effect, or take it out of src/base/settings/config_keys.ts.",
  );
  // The test can fail: a key that nothing reads is found.
  equal(isRead("no_such_key"), false);
});

/** Names of all members of a schema, to the leaves. */
function toKeys(schema: unknown): string[] {
  const json = z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" });
  return [...new Set(collect(json))];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

function collect(schema: object): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Schema;
  return [
    ...Object.entries(properties).flatMap(([key, member]) => [key, ...collect(member)]),
    ...(items === undefined ? [] : collect(items)),
    ...anyOf.flatMap(collect),
  ];
}
