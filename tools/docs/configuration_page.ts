/** `docs/configuration.md`: every key of the two configuration files, from the schemas that check them. */
import {
  buildConfigSchema,
  buildContextSchema,
  OVERRIDABLE,
} from "../../src/base/settings/config.ts";
import { toPage, toTable, toWord } from "./markdown.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** The page. */
export function renderConfiguration(): string {
  const variables: readonly string[] = OVERRIDABLE;
  const config = toRows(
    "",
    buildConfigSchema(),
    (key) => variables.includes(key) ? toWord(`CODE_INTEL_${key.toUpperCase()}`) : "",
  );
  const context = toRows("", buildContextSchema(), () => "").map((row) => row.slice(0, -1));
  return toPage("Configuration", "src/base/settings/config_keys.ts", [
    "`init` writes both files below `.code-intel/`; each key may be left out. A key that nothing reads is named with the one that was\n" +
    "probably meant, a wrong value with its line; the built-in value holds meanwhile. `code-intel doctor` shows both, and every variable that is set.",
    "## config.json",
    "JSON with comments. `.code-intel/config.schema.json` lies beside it for editors, which complete and check the keys. Changes hold from the\n" +
    "next session on; made during one they are a finding, because the rules of a session do not change under it.",
    toTable(["key", "type", "built in", "meaning", "variable"], config),
    "## context.yml",
    "What the project says about its own rules and documents.",
    toTable(["key", "type", "built in", "meaning"], context),
    "## Variables",
    toTable(["variable", "does"], [
      ["`CODE_INTEL_STATE_DIR`", "folder for keys and trust, in place of the one in your home"],
      [
        "`CODE_INTEL_CACHE_DIR`",
        "folder for what the executable unpacks, such as its SQLite extension, in place of the one in your home",
      ],
      [
        "`XDG_CACHE_HOME`",
        "the folder above that one, on Linux. `XDG_STATE_HOME` is not read: clients clear the environment of servers but not of hooks, and all have to find the same keys",
      ],
      ["`CODE_INTEL_RG`", "path of ripgrep; `none` uses the built-in way"],
      [
        "`CODE_INTEL_<KEY>`",
        "stands in for a key of config.json where the table names it; the enforcement mode is never among them",
      ],
      ["`NO_COLOR`", "no colour at a terminal"],
    ]),
  ]);
}

function toRows(
  prefix: string,
  schema: Schema,
  toVariable: (key: string) => string,
): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).filter(([key]) => key !== "$schema").flatMap(
    ([key, field]) => {
      const name = `${prefix}${key}`;
      const inside = field.items?.properties === undefined ? field : field.items;
      const dots = field.items?.properties === undefined ? "." : "[].";
      const inner = inside.properties === undefined
        ? []
        : toRows(`${name}${dots}`, inside, () => "");
      const isHolder = inside.properties !== undefined && field.description === undefined;
      const value = field.default === undefined ? "" : toWord(JSON.stringify(field.default));
      const own = [toWord(name), toType(field), value, field.description ?? "", toVariable(name)];
      return [...(isHolder ? [] : [own]), ...inner];
    },
  );
}

function toType(field: Schema): string {
  if (field.enum !== undefined) return field.enum.map((value) => JSON.stringify(value)).join(", ");
  if (field.anyOf !== undefined) {
    return field.anyOf.map(toType).filter((type) => type !== "null").join(" or ");
  }
  if (field.type === "array") return `list of ${toType(field.items ?? {})}`;
  if (field.type === "number" || field.type === "integer") return toRange(field);
  return field.type ?? "any";
}

function toRange({ type = "number", minimum, exclusiveMinimum, maximum }: Schema): string {
  const least = minimum ??
    (exclusiveMinimum === undefined ? undefined : `over ${exclusiveMinimum}`);
  return least === undefined || maximum === undefined ? type : `${type}, ${least} to ${maximum}`;
}
