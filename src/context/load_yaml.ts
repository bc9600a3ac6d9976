/** Loads the YAML parser where a file needs it: hooks have to answer at once. */

/** The parser. */
export type Yaml = typeof import("./yaml.ts");

/** The parser, loaded once a process. */
export async function loadYaml(): Promise<Yaml> {
  return await import("./yaml.ts");
}
