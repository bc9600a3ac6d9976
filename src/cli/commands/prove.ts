/** The command `prove`: says of a change, without a session, whether the tests prove it, and what speaks against it. */
import { omitUndefined } from "../../base/text/json_record.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal } from "../../base/reply.ts";
import { VERSION } from "../../base/version.ts";
import {
  buildProofFields,
  formatProofMarkdown,
  formatProofSarif,
  formatProofText,
} from "../../prove/format_proof.ts";
import type { ProveAnswer } from "../../services/prove_api.ts";
import type { ChangeRequest } from "../../prove/read_change.ts";
import { chooseChange } from "../../prove/read_change.ts";
import { VERDICT_EXITS } from "../../prove/verdict.ts";
import { closeServices, createTerminalAsker, openServices, printReply } from "../answer.ts";
import type { Command, Invocation } from "../command.ts";

/** Proves what would be committed, the index, a commit or a range. */
export const PROVE: Command = {
  usage: "[RANGE]",
  positionals: [0, 1],
  example: "code-intel prove --within 60",
  options: [
    {
      name: "base",
      kind: "text",
      value: "REF",
      summary: "Compare with this commit; default: where the branch left its upstream, else HEAD",
    },
    { name: "staged", kind: "flag", summary: "Prove what the index holds" },
    { name: "commit", kind: "text", value: "REV", summary: "Prove a commit against its parent" },
    { name: "within", kind: "number", value: "SECONDS", summary: "Start nothing after this time" },
    { name: "anew", kind: "flag", summary: "Run all again, though the same trees were proven" },
    {
      name: "answer",
      kind: "list",
      value: "TEXT",
      summary: "Say why a finding is right: 'PLACE: reason', or 'cannot prove because reason'",
    },
    {
      name: "note",
      kind: "flag",
      summary: "Write what is proven of a commit as a git note, signed where git has a key",
    },
    {
      name: "ci",
      kind: "flag",
      summary: "In a job: do not run what a note covers that an allowed signer of the base signed",
    },
    {
      name: "allow-commands",
      kind: "list",
      value: "HASH",
      summary: "With --ci: the commands with this hash may run here, or all of them",
    },
    { name: "markdown", kind: "flag", summary: "Print a comment for a pull request" },
    { name: "sarif", kind: "flag", summary: "Print the findings for code scanners" },
  ],
  async run(invocation) {
    const { options, isJson, terminal, signal } = invocation;
    const services = openServices(invocation);
    try {
      const answer = await (await services).proveChange({
        change: readRequest(invocation),
        withinMs: typeof options["within"] === "number" ? options["within"] * 1_000 : Infinity,
        signal,
        isAnew: options["anew"] === true,
        answers: (options["answer"] ?? []) as readonly string[],
        isNoted: options["note"] === true,
        ...(options["ci"] === true
          ? { job: { allowed: (options["allow-commands"] ?? []) as readonly string[] } }
          : {}),
        asker: createTerminalAsker(terminal),
        onProgress: (check, command, lastLine) =>
          void terminal.progress(`${check.replaceAll("_", " ")}: ${command}: ${lastLine}`),
        onVerdict: (line) => void terminal.progress("").then(() => terminal.err(line)),
      });
      await terminal.progress("");
      if (answer.kind === "refused") {
        const exit = await printReply("prove", buildRefusal([...answer.problems]), invocation);
        return exit === 1 ? 3 : exit;
      }
      const { proof, change } = answer;
      const head = { label: change.label, proof, keptAt: answer.keptAt };
      if (isJson) {
        const { note, saved } = answer;
        const more = omitUndefined({ note, saved });
        const reply: Reply = { ok: true, ...buildProofFields(answer), ...more };
        await terminal.data(`${JSON.stringify(reply)}\n`);
      } else if (options["sarif"] === true) await terminal.data(formatProofSarif(head, VERSION));
      else if (options["markdown"] === true) await terminal.data(formatProofMarkdown(head));
      else await terminal.out(...formatProofText(head), ...formatStated(answer));
      return VERDICT_EXITS[proof.verdict];
    } finally {
      await closeServices(services);
    }
  },
};

function readRequest({ options, positionals: [range] }: Invocation): ChangeRequest {
  const { base, commit } = options as { readonly base?: string; readonly commit?: string };
  return chooseChange({ range, commit, isStaged: options["staged"] === true, base });
}

/** What became of the statement, and what statements of others saved. */
function formatStated(
  { note, saved }: Extract<ProveAnswer, { readonly kind: "proof" }>,
): readonly string[] {
  const lines: string[] = [];
  if (note?.kind === "refused") lines.push(`no note was written: ${note.why}`);
  if (note?.kind === "written") {
    const { unsignedBecause: why, platform, ref } = note;
    const signed = why === null ? "signed note" : `unsigned note, which no job counts (${why})`;
    lines.push(`${signed} for ${platform}; others get it with: git push origin ${ref}`);
  }
  if (saved === undefined) return lines;
  const { seconds, commands, signer, refused } = saved;
  if (commands.length > 0) {
    lines.push(`saved: ${seconds} s, not run: ${commands.join(", ")} (proven by ${signer})`);
  } else lines.push("saved: nothing, all checks ran here");
  return [...lines, ...refused.map((why) => `  a statement does not count: ${why}`)];
}
