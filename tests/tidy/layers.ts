/**
 * The table of layers: which folder of `src` may import which. The layer test holds the sources against it, and
 * `deno task docs` draws it (`tools/docs/layers_picture.ts`).
 */

/** In place of folders: all of the layers below. */
const BELOW = "*";

/** The layers, the uppermost first: each folder with what it may import beside itself. */
const TABLE: readonly (readonly [
  layer: string,
  folders: Readonly<Record<string, readonly string[]>>,
])[] = [
  ["doors", {
    "main.ts": ["base", "services", "cli", "features"],
    cli: [BELOW, "mcp", "hooks"],
    mcp: [BELOW],
    // A hook is a process of its own: it answers without the index, the searches and the protocol.
    hooks: ["base", "clients", "session", "ledger", "workflow"],
  }],
  ["tools", { tools: [BELOW] }],
  ["root", { services: [BELOW] }],
  ["work", {
    workflow: [BELOW],
    // A set-up writes the files of the clients, as `clients` describes them.
    project: ["base", "git", "language", "runners", "backends", "session", "ledger", "clients"],
    clients: ["base"],
    // What pages are made of knows nothing of what they tell.
    pages: ["base"],
  }],
  ["answers", {
    explore: [
      "base",
      "language",
      "syntax",
      "analysis",
      "backends",
      // Past requests vote for the files that they took.
      "history",
      "index",
      "resolve",
      "ranking",
    ],
    question: ["base", "language", "explore"],
    // What an agent sends is read by what the session knows.
    request: ["base", "analysis", "ranking", "phase"],
    // What is likely to change too is a question of the graph, of the past and of words.
    impact: [
      "base",
      "language",
      "runners",
      "analysis",
      "backends",
      "git",
      "history",
      "index",
      "resolve",
      "ranking",
      "explore",
    ],
    // Where a name leads, and which files are near to a question, do not know of each other.
    ranking: ["base", "language", "analysis", "index", "word_vectors"],
    resolve: ["base", "language", "analysis", "backends", "index"],
  }],
  ["proof", {
    // What is proven of a change is asked by sessions and by who has none.
    prove: ["base", "language", "runners", "syntax", "git", "ledger", "phase", "evidence"],
    // Evidence may know `phase`, because what it judges are the tasks of a plan.
    evidence: ["base", "language", "runners", "syntax", "git", "ledger", "phase"],
    ledger: ["base", "git", "phase"],
  }],
  ["knowledge", {
    index: ["base", "language", "analysis", "backends", "embedding"],
    analysis: ["base", "language", "syntax", "word_vectors"],
    syntax: ["base", "language"],
    // A text is turned into facts by its language alone: neither the project nor a program is asked.
    language: ["base"],
    // Which runner a command starts, and what it says, is told by words alone: impact, set-up and evidence ask the same rows.
    runners: ["base", "language"],
    history: ["base", "git"],
    embedding: ["base"],
    word_vectors: ["base"],
    backends: ["base", "language"],
  }],
  ["records", { session: ["base", "phase"], context: ["base", "phase"] }],
  ["rules", { phase: ["base"] }],
  ["ground", {
    git: ["base", "place"],
    // Which folder is meant is asked before anything else is loaded.
    place: ["base"],
    base: [],
  }],
];

/** The layers with their folders, the uppermost first. */
export const FLOORS: readonly { readonly layer: string; readonly folders: readonly string[] }[] =
  TABLE.map(([layer, folders]) => ({ layer, folders: Object.keys(folders) }));

/** What each folder of the core may import beside itself. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  TABLE.flatMap(([, folders], at) => {
    const below = FLOORS.slice(at + 1).flatMap((floor) => floor.folders);
    return Object.entries(folders).map(([folder, allowed]) =>
      [folder, allowed.flatMap((name) => name === BELOW ? below : [name])] as const
    );
  }),
);

/** All of the core that a feature may use. */
export const CORE: readonly string[] = Object.keys(LAYERS).filter((name) => name !== "main.ts");
