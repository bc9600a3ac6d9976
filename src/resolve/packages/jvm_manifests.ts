/** What build files of Maven and Gradle say of artifacts, each as `group:artifact`. Pure. */
import type { ManifestFacts } from "./package_types.ts";

/** Parts of a `pom.xml` that name other artifacts than its own. */
const ASIDE = ["dependencies", "dependencyManagement", "build", "profiles", "reporting", "modules"];

/** What a `pom.xml` says. */
export function readPom(text: string): ManifestFacts {
  const plain = text.replace(/<!--[^]*?-->/g, "");
  const used = [...plain.matchAll(/<dependency>([^]*?)<\/dependency>/g)].flatMap(
    ([, body = ""]) => {
      const [group, artifact] = [readTag(body, "groupId"), readTag(body, "artifactId")];
      return group === undefined || artifact === undefined ? [] : [`${group}:${artifact}`];
    },
  );
  const head = ASIDE.reduce(
    (rest, tag) => splitBetween(rest, `<${tag}>`, `</${tag}>`).outside,
    plain,
  );
  const { inside: [parent = ""], outside: own } = splitBetween(head, "<parent>", "</parent>");
  const artifact = readTag(own, "artifactId");
  const group = readTag(own, "groupId") ?? readTag(parent, "groupId");
  // The group of the project itself stands for the one that is written in full.
  const full = used.map((name) =>
    name.replace(/^\$\{(?:project|pom)\.groupId\}:/, `${group ?? ""}:`)
  );
  return {
    given: artifact === undefined || group === undefined ? [] : [`${group}:${artifact}`],
    used: toUsed(full),
  };
}

/** What a build file or a catalogue of versions of Gradle says. */
export function readGradle(text: string): ManifestFacts {
  const plain = splitBetween(text, "/*", "*/").outside.replace(/(^|\s)\/\/.*$/gm, "$1");
  const pairs = [
    ...plain.matchAll(/["']([\w.-]+):([\w.-]+)(?::[^"']*)?["']/g),
    ...plain.matchAll(/\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']/g),
  ];
  return { used: toUsed(pairs.map(([, group, artifact]) => `${group}:${artifact}`)) };
}

/** The parts of a text between two marks, and all the rest; what is never closed is passed over to the end. */
function splitBetween(
  text: string,
  open: string,
  close: string,
): { readonly inside: readonly string[]; readonly outside: string } {
  const inside: string[] = [];
  let outside = "";
  let at = 0;
  for (let from = text.indexOf(open); from >= 0; from = text.indexOf(open, at)) {
    const end = text.indexOf(close, from + open.length);
    outside += text.slice(at, from);
    at = end < 0 ? text.length : end + close.length;
    inside.push(text.slice(from + open.length, end < 0 ? text.length : end));
  }
  return { inside, outside: outside + text.slice(at) };
}

function toUsed(names: readonly string[]): NonNullable<ManifestFacts["used"]> {
  return [...new Set(names)].map((name) => ({ alias: name, name }));
}

function readTag(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>\\s*([^<\\s]+)\\s*</${tag}>`).exec(text)?.[1];
}
