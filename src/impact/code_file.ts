/** Which files hold code that changes together with other code. It depends on its arguments alone. */
import { languageOfPath } from "../language/languages.ts";

/** Languages of documents and data. */
const OTHER: ReadonlySet<string> = new Set(["Markdown", "JSON", "YAML", "TOML"]);

/** Whether a file is of a language of code. */
export function isCode(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && !OTHER.has(language.name);
}
