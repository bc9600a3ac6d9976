/** Maps for tests and pictures: a small library, one with hostile names, and a very large one. */
import type { CodeMap, MapFile, MapLink } from "../../../src/features/map/code_map.ts";
import { MAP_FORMAT } from "../../../src/features/map/code_map.ts";
import { createRandom } from "../../support/random.ts";

function toFile(path: string, lines: number, more: Partial<MapFile> = {}): MapFile {
  return {
    ...{ path, lines, language: "TypeScript", changes: 0, in_session: false },
    ...{ symbols: [], symbols_total: 0, ...more },
  };
}

function toMap(patch: Partial<CodeMap>): CodeMap {
  return {
    ...{ format: MAP_FORMAT, project: "sample", path: ".", files: [], links: [], cycles: [] },
    past: { since: "2025-06-01T00:00:00.000Z", commits: 120 },
    ...{ session: null, notices: [], ...patch },
  };
}

/** Four files, two of which import each other. */
export function smallMap(): CodeMap {
  const link = (from: string, to: string, calls: number): MapLink => ({
    ...{ from, to, by: "import", calls, uses: 0 },
  });
  return toMap({
    files: [
      toFile("README.md", 20, { language: "Markdown", changes: 2 }),
      toFile("src/auth.ts", 400, {
        changes: 9,
        in_session: true,
        symbols: [{ name: "login", kind: "function", line: 3 }],
        symbols_total: 1,
      }),
      toFile("src/hash.ts", 200, { changes: 1 }),
      toFile("src/view.ts", 100),
    ],
    links: [
      link("src/auth.ts", "src/hash.ts", 1),
      link("src/hash.ts", "src/auth.ts", 0),
      link("src/view.ts", "src/auth.ts", 1),
    ],
    cycles: [["src/auth.ts", "src/hash.ts"]],
    session: "session_20260101_000000_0000",
  });
}

/** The same with what recorded tests ran. */
export function recordedMap(): CodeMap {
  const counts = [null, [4, 4], [3, 1], [2, 0]] as const;
  const map = smallMap();
  return {
    ...map,
    recorded: "recorded for 3 of 4 tests, 2 commits ago",
    files: map.files.map((file, at) => {
      const [functions, not_run] = counts[at] ?? [];
      if (functions === undefined || not_run === undefined) return file;
      return { ...file, seen: { functions, not_run } };
    }),
  };
}

/** Names that try to be markup, to turn the writing, and to leave the script's data. */
export function hostileMap(): CodeMap {
  const names = [
    "</script><script>alert(1)</script>.ts",
    "<img src=x onerror=alert(1)>.ts",
    "\u202Eexe.txt",
    "👩‍👩‍👧‍👦 שלום.py",
    "__proto__",
    "constructor",
    "<!--.ts",
    "a\u2028b.ts",
  ];
  const files = ["__proto__/", "<b>/", ""].flatMap((folder) =>
    names.map((name) =>
      toFile(`${folder}${name}`, 50, {
        symbols: [{ name, kind: "function", line: 1 }],
        symbols_total: 1,
      })
    )
  );
  return toMap({
    project: "<i>project</i>",
    files,
    cycles: [[files[0]?.path ?? "", files[1]?.path ?? ""]],
    notices: ["</p><script>alert(2)</script>\u202Eexe.txt"],
  });
}

/** A map of `count` files in folders of folders, with three links a file. */
export function largeMap(count: number): CodeMap {
  const random = createRandom(7);
  const whole = (below: number) => Math.floor(random() * below);
  const files = Array.from({ length: count }, (_, at) => {
    const path = `part_${at % 23}/area_${at % 131}/group_${at % 17}/file_${at}.ts`;
    return toFile(path, Math.round(20 + 600 * random() ** 4 * (1 + at % 5)), {
      changes: Math.max(0, Math.round(20 * random() ** 6) - 1),
      in_session: at % 400 === 0,
      symbols: [{ name: `make${at}`, kind: "function", line: 1 }],
      symbols_total: 1,
    });
  }).toSorted((a, b) => a.path < b.path ? -1 : 1);
  const links = files.flatMap(({ path: from }) =>
    Array.from({ length: 3 }, (): MapLink => {
      const to = files[whole(files.length)]?.path ?? from;
      return { ...{ from, to, by: "import", calls: whole(4), uses: whole(3) } };
    })
  );
  const cycles = [files.slice(0, 40).map(({ path }) => path)];
  return toMap({ files, links, cycles, session: "session_20260101_000000_0000" });
}
