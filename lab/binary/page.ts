/** The page of the executable: what is in it, how long it takes, what it holds in memory. */
import type { PartSize } from "../../tools/compile/build.ts";
import type { LoadRow } from "./load_figures.ts";
import type { MemoryRow } from "./memory_figures.ts";
import type { TimeRow, Times } from "./time_figures.ts";

/** Everything that the page shows. */
export interface PageFacts {
  readonly commit: string;
  readonly machine: string;
  /** What else it did when the measuring ended: programs that wanted to run. */
  readonly load: number;
  /** Versions of Deno. */
  readonly runtimes: { readonly executable: string; readonly source: string };
  readonly parts: readonly PartSize[];
  readonly loads: readonly LoadRow[];
  readonly times: readonly TimeRow[];
  readonly memory: readonly MemoryRow[];
}

const HEAD = `# The executable

Made by \`deno task binary\`; do not edit. \`deno task compile\` makes one file, below \`dist/\`, with everything inside; \`deno task prove\`
proves it from outside. Nothing is beside it: it can be moved, and needs git alone.`;

const BODY = `## How it is made

The source and its packages are bundled first (\`tools/compile/bundle.ts\`), so that a start reads a few modules and not a folder of packages. Modules that
are loaded late in the source are loaded late here too. Deno's runtime panics in a folder that was removed, before it runs a line of the program: on Linux x64 a few instructions at the entry point say it in one line, and let \`--version\`, \`--help\` and \`--project\` pass (\`tools/compile/gone_folder.ts\`). What goes in is named file by file (\`tools/compile/parts.ts\`; \`tests/compile/\` compares the list
with the folders). The same commit gives the same bytes in every folder and with every home: modules are named by what is in them
(\`tools/compile/stable_names.ts\`), and \`deno task prove\` compiles a clone elsewhere and compares. A bundle in which the minifier lost a \`using\` is
refused, because what it names would stay open.

On Linux the runtime holds whatever it embeds in memory from the start. There the grammars, the templates, the model, its runtime and the
licences lie in a pack between the runtime and the program and are read by their place when they are used, so that the model costs nothing until
then. On macOS and Windows the system maps the embedded part of the file, so they are embedded.

One file has to be a real one: the extension of SQLite that compares vectors, which the system loads by its path. It is unpacked into the cache folder
of the user, into a folder named by its hash, compared by its hash at each start, and written by a rename, so that processes and versions share it.
Where it cannot be unpacked or loaded (a home that is read-only, mounted \`noexec\` or full, or no home at all) \`doctor\` and a line on standard
error say so, and vectors are compared by the program itself, slower. \`CODE_INTEL_CACHE_DIR\` names another folder.

## What it may do

Read, write and start programs, on any path: that is its work. The network is 127.0.0.1 alone (\`serve --http\`), no code comes from elsewhere
(\`--deny-import\`), and nothing is ever asked (\`--no-prompt\`). \`ffi\` is granted as a whole because SQLite asks for it to load an extension; beside it
the C library of Linux is asked to give freed memory back (\`src/base/processes/worker_pool.ts\`), and nothing else uses it.`;

/** The whole page. */
export function renderPage(facts: PageFacts): string {
  const { commit, machine, runtimes } = facts;
  return [
    HEAD,
    `\nMeasured at commit ${commit} on ${machine}; the executable has Deno ${runtimes.executable}, the source ran with ${runtimes.source}.
Load of the machine at the end of it: ${facts.load.toFixed(1)}.`,
    "\n## Size by part\n",
    "| part | files | bytes |\n|---|---:|---:|",
    ...facts.parts.map(({ title, files, sizeBytes }) =>
      `| ${title} | ${files} | ${sizeBytes.toLocaleString("en-US")} |`
    ),
    "\n## What a start loads\n",
    "| start | modules | bytes |\n|---|---:|---:|",
    ...facts.loads.map(({ title, modules, sizeBytes }) =>
      `| ${title} | ${modules} | ${sizeBytes.toLocaleString("en-US")} |`
    ),
    "\n## Time\n",
    "Median and fastest of 11 runs after two, in turn, in milliseconds, from outside. On a busy machine the fastest says more.\n",
    "| what | executable, median | fastest | source, median | fastest |\n|---|---:|---:|---:|---:|",
    ...facts.times.map(({ title, executable, source }) =>
      `| ${title} | ${toCells(executable)} | ${toCells(source)} |`
    ),
    "\n## Memory\n",
    "Resident, of the server process, in MB (10⁶ bytes).\n",
    "| when | executable | source |\n|---|---:|---:|",
    ...facts.memory.map(({ title, executableBytes, sourceBytes }) =>
      `| ${title} | ${toMb(executableBytes)} | ${toMb(sourceBytes)} |`
    ),
    `\n${BODY}\n`,
  ].join("\n");
}

function toCells({ medianMs, fastestMs }: Times): string {
  return `${medianMs.toFixed(0)} | ${fastestMs.toFixed(0)}`;
}

function toMb(bytes: number | null): string {
  return bytes === null ? "–" : (bytes / 1e6).toFixed(0);
}
