/** The command `completions`: the script of a shell, and the words that the script asks for. */
import { resolve } from "node:path";
import { escapeText } from "../../base/text/plain_text.ts";
import { loadOnce } from "../../base/lazy.ts";
import { openServices } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";
import type { ProjectNames, Shell, WordCandidate } from "../completion/complete.ts";
import { complete, findShellScript, SHELL_PLACES, SHELLS } from "../completion/complete.ts";

/** Prints the script of a shell. */
export const COMPLETIONS: Command = {
  usage: "SHELL",
  positionals: [0, Infinity],
  example: "code-intel completions fish > ~/.config/fish/completions/code-intel.fish",
  options: [
    {
      name: "words",
      kind: "flag",
      summary: "Print what can end the words behind --, one a line (the scripts ask so)",
    },
    { name: "next", kind: "flag", summary: "With --words: a new word begins" },
  ],
  async run({ options, positionals, isJson, projectDir, isNamed, features, commands, terminal }) {
    if (options["words"] === true) {
      const words = options["next"] === true ? [...positionals, ""] : positionals;
      // A failure must not stand in the line that a person is typing.
      const at = words.indexOf("--project");
      const project = at < 0
        ? { projectDir, isNamed, features }
        : { projectDir: resolve(projectDir, words[at + 1] ?? "."), isNamed: true, features };
      const found = await complete(words, { ...readNames(project), commands }).catch(() => []);
      const lines = isJson
        ? `${JSON.stringify({ ok: true, words: found })}\n`
        : found.map(formatCandidate).join("");
      await terminal.data(lines);
      return 0;
    }
    const [shell] = positionals;
    if (!isShell(shell) || positionals.length > 1) {
      const known = SHELLS.join(", ");
      const message = shell === undefined
        ? `Name a shell: ${known}`
        : isShell(shell)
        ? `Name one shell, not ${positionals.length}`
        : `There are no completions for "${shell}": they exist for ${known}`;
      const error = { ok: false, error: "bad_usage", message };
      if (isJson) await terminal.data(`${JSON.stringify(error)}\n`);
      else {
        const places = SHELLS.map((name) => `  ${SHELL_PLACES[name]}`);
        await terminal.err(`${message}.`, "Where each goes:", ...places);
      }
      return 64;
    }
    const script = findShellScript(shell);
    await terminal.data(isJson ? `${JSON.stringify({ ok: true, shell, script })}\n` : script);
    return 0;
  },
};

function isShell(name: string | undefined): name is Shell {
  return SHELLS.some((shell) => shell === name);
}

/** A name of others could hold what a terminal obeys. */
function formatCandidate({ word, about }: WordCandidate): string {
  const shown = about === undefined ? word : `${word}\t${about}`;
  return `${escapeText(shown.replaceAll("\n", " "))}\n`;
}

const MOST = 200;

/** Names of the project as they are on record: nothing is built or brought up to date while a person types. */
function readNames(project: Pick<Invocation, "projectDir" | "isNamed" | "features">): ProjectNames {
  const open = loadOnce(() => openServices(project));
  return {
    symbols: async (prefix) => {
      const { readIndexStatus, index } = await open();
      if (await readIndexStatus() === null) return [];
      const { hits } = await index.read((view) =>
        view.findSymbols({ name: prefix, match: "prefix", limit: MOST })
      );
      const found = new Map(
        hits.map(({ name, kind, path }) => [name, { word: name, about: `${kind} in ${path}` }]),
      );
      return [...found.values()];
    },
    sessions: async () => {
      const { sessions } = await open();
      const [kept, archived] = await Promise.all([sessions.loadAll(), sessions.listArchived()]);
      const told = kept.map((one) =>
        one.kind === "loaded"
          ? { word: one.id, about: formatAbout(one.checkpoint.state.query) }
          : { word: one.id }
      );
      return [...told, ...archived.map((id) => ({ word: id }))]
        .toSorted((a, b) => a.word < b.word ? 1 : -1).slice(0, MOST);
    },
  };
}

const ABOUT_CHARS = 60;

function formatAbout(query: string): string {
  return query.length <= ABOUT_CHARS ? query : `${query.slice(0, ABOUT_CHARS - 1)}…`;
}
