/** Which folder is the project: each row is where somebody starts, what lies around it, and the project. */
import { deepStrictEqual as deepEqual } from "node:assert/strict";
import type { FolderFacts, ProjectChoice } from "../../src/place/project_rule.ts";
import { chooseProject } from "../../src/place/project_rule.ts";

type Mark = "used" | "foreign" | NonNullable<FolderFacts["shared"]>;

interface Row {
  readonly what: string;
  readonly start: string;
  /** Folders that are not ordinary. */
  readonly marks?: Readonly<Record<string, readonly Mark[]>>;
  readonly repository?: string;
  readonly below?: readonly string[];
  readonly expected: ProjectChoice | string;
}

const SYSTEM = { "/": ["top"], "/home": ["homes"], "/home/ann": ["home"], "/tmp": ["temporary"] };

function choose(
  { start, marks = {}, repository, below = [] }: Row,
) {
  const all: Readonly<Record<string, readonly string[]>> = { ...SYSTEM, ...marks };
  const toFacts = (path: string): FolderFacts => {
    const own = [...(SYSTEM as Record<string, string[]>)[path] ?? [], ...all[path] ?? []];
    const shared = own.find((mark) => mark !== "used" && mark !== "foreign") ?? null;
    return {
      path,
      shared: shared as FolderFacts["shared"],
      isUsed: own.includes("used"),
      isOwn: !own.includes("foreign"),
    };
  };
  const parts = start.split("/").filter((part) => part !== "");
  const paths = parts.map((_, at) => `/${parts.slice(0, parts.length - at).join("/")}`);
  const [first = "/", ...above] = [...paths, "/"];
  return chooseProject({
    start: toFacts(first),
    above: above.map(toFacts),
    repository: repository ?? null,
    listRepositories: () => below,
  });
}

const APP = "/home/ann/work/app";

const ROWS: readonly Row[] = [
  { what: "the top of the repository", start: `${APP}/src`, repository: APP, expected: APP },
  {
    what: "the top, whatever lies above it: once a stray folder took over every repository below",
    start: `${APP}/src`,
    repository: APP,
    marks: { "/home/ann": ["used"], "/home/ann/work": ["used"], "/": ["used"] },
    expected: APP,
  },
  {
    what: "a package that was set up in the repository",
    start: `${APP}/packages/a/src`,
    repository: APP,
    marks: { [`${APP}/packages/a`]: ["used"], [APP]: ["used"] },
    expected: `${APP}/packages/a`,
  },
  {
    what: "the top for a folder beside that package",
    start: `${APP}/packages/b`,
    repository: APP,
    marks: { [`${APP}/packages/a`]: ["used"] },
    expected: APP,
  },
  {
    what: "a folder above that was set up, without a repository between",
    start: "/srv/notes/deep/er",
    marks: { "/srv/notes": ["used"] },
    expected: "/srv/notes",
  },
  {
    what: "the folder itself where the one above belongs to another account",
    start: "/srv/notes/deep",
    marks: { "/srv/notes": ["used", "foreign"] },
    expected: "/srv/notes/deep",
  },
  {
    what: "the folder itself where a colleague set it up",
    start: "/srv/notes",
    marks: { "/srv/notes": ["used", "foreign"] },
    expected: "/srv/notes",
  },
  {
    what: "the folder itself: neither home, temporary folder nor top count as above",
    start: "/home/ann/notes",
    marks: { "/home/ann": ["used"], "/home": ["used"], "/": ["used"] },
    expected: "/home/ann/notes",
  },
  {
    what: "the folder itself: what lies above a shared folder does not count either",
    start: "/tmp/a/notes",
    marks: { "/tmp/a": ["temporary"], "/": ["used"], "/tmp": ["used"] },
    expected: "/tmp/a/notes",
  },
  { what: "none in the top", start: "/", expected: { kind: "shared", path: "/", shared: "top" } },
  {
    what: "none in a home folder",
    start: "/home/ann",
    expected: { kind: "shared", path: "/home/ann", shared: "home" },
  },
  {
    what: "none where homes lie",
    start: "/home",
    expected: { kind: "shared", path: "/home", shared: "homes" },
  },
  {
    what: "none in /tmp, whatever lies there",
    start: "/tmp",
    marks: { "/tmp": ["used"] },
    expected: { kind: "shared", path: "/tmp", shared: "temporary" },
  },
  {
    what: "a home folder that its owner set up",
    start: "/home/ann",
    marks: { "/home/ann": ["used"] },
    expected: "/home/ann",
  },
  {
    what: "a home folder that git keeps",
    start: "/home/ann/notes",
    repository: "/home/ann",
    expected: "/home/ann",
  },
  {
    what: "none where the repository is /tmp itself",
    start: "/tmp/x",
    repository: "/tmp",
    expected: { kind: "shared", path: "/tmp", shared: "temporary" },
  },
  {
    what: "none above several repositories",
    start: "/home/ann/work",
    below: ["app", "lib"],
    expected: { kind: "several", path: "/home/ann/work", repositories: ["app", "lib"] },
  },
  {
    what: "the folder above several repositories that was set up",
    start: "/home/ann/work",
    marks: { "/home/ann/work": ["used"] },
    below: ["app", "lib"],
    expected: "/home/ann/work",
  },
  {
    what: "the folder above one repository",
    start: "/home/ann/work",
    below: ["app"],
    expected: "/home/ann/work",
  },
];

for (const row of ROWS) {
  Deno.test(`chooseProject() takes ${row.what}`, () => {
    const { expected } = row;
    deepEqual(
      choose(row),
      typeof expected === "string" ? { kind: "project", root: expected } : expected,
    );
  });
}
