/** The command `prove`: says of a change, without a session, whether the tests prove it, and what speaks against it. */
import type { Problem } from "../../base/problem.ts";
import { makeProblem } from "../../base/problem.ts";
import { omitUndefined } from "../../base/text/json_record.ts";
import type { Reply } from "../../base/reply.ts";
import { buildRefusal, refuse } from "../../base/reply.ts";
import { VERSION } from "../../base/version.ts";
import {
  buildProofFields,
  formatProofMarkdown,
  formatProofSarif,
  formatProofText,
} from "../../prove/format_proof.ts";
import type { ProveAnswer } from "../../services/prove_api.ts";
import type { ChangeRequest } from "../../prove/read_change.ts";
import { listPushedRanges } from "../../git/remote/pushed_ranges.ts";
import { nameChange } from "../../services/named_change.ts";
import { VERDICT_EXITS } from "../../prove/verdict.ts";
import { closeServices, createTerminalAsker, openServices, printReply } from "../answer.ts";
import type { Services } from "../../services/services_api.ts";
import type { Command, ExitCode, Invocation } from "../command.ts";

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
    {
      name: "pushed",
      kind: "flag",
      summary: "In a pre-push hook: prove each ref that git names on standard input",
    },
    { name: "within", kind: "number", value: "SECONDS", summary: "End what runs after this time" },
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
  exits:
    "0 proven, 1 not proven, 2 broken, 3 unknown; no verdict: 64 refused or bad usage, 70 failed",
  async run(invocation) {
    const forms = ["json", "markdown", "sarif"].filter((name) => invocation.options[name] === true);
    if (forms.length > 1) {
      const message = `One form is printed, not several: --${forms.join(" and --")}`;
      return await giveRefusal(
        refuse("one_of_both", message, { at: `--${forms[0]}`, hint: "Leave out all but one." }),
        invocation,
      );
    }
    const opening = openServices(invocation);
    try {
      const services = await opening;
      const changes = await listChanges(services, invocation);
      let worst: ExitCode = 0;
      for (const change of changes) {
        const exit = "code" in change
          ? await giveRefusal(buildRefusal([change]), invocation)
          : await proveOne(services, change, invocation);
        if (SEVERITY.indexOf(exit) > SEVERITY.indexOf(worst)) worst = exit;
      }
      return worst;
    } finally {
      await closeServices(opening);
    }
  },
};

/** Of several changes the worst answer counts: an open one is better than none, and none than a bad one. */
const SEVERITY: readonly ExitCode[] = [0, 3, 64, 1, 2];

/** What is refused is no verdict, so its exit code is none of theirs. */
async function giveRefusal(reply: Reply, invocation: Invocation): Promise<ExitCode> {
  await printReply("prove", reply, invocation);
  return 64;
}

/** What is to be proven: one change, or what a push brings. */
async function listChanges(
  { parts }: Services,
  { options, positionals: [range], terminal }: Invocation,
): Promise<readonly (ChangeRequest | Problem)[]> {
  const { base, commit } = options as { readonly base?: string; readonly commit?: string };
  const isStaged = options["staged"] === true;
  const named = nameChange({ range, commit, isStaged, base });
  const repo = options["pushed"] === true ? await parts.openRepo() : null;
  if ("code" in named || repo === null) return [named];
  if (named.kind !== "worktree" || named.base !== null) {
    return [
      makeProblem("one_of_both", "A push names what it brings: no other change goes with it", {
        at: "--pushed",
        hint: "Leave --pushed out, or the other name.",
      }),
    ];
  }
  const ranges = await listPushedRanges(repo, await terminal.readInput());
  return ranges.map((range) => ({ kind: "range", range }));
}

async function proveOne(
  services: Services,
  change: ChangeRequest,
  invocation: Invocation,
): Promise<ExitCode> {
  const { options, isJson, terminal, signal } = invocation;
  const answer = await services.proveChange({
    change,
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
    return await giveRefusal(buildRefusal([...answer.problems]), invocation);
  }
  const { proof } = answer;
  const head = { label: answer.change.label, proof, keptAt: answer.keptAt };
  if (isJson) {
    const { note, saved } = answer;
    const more = omitUndefined({ note, saved });
    const reply: Reply = { ok: true, ...buildProofFields(answer), ...more };
    await terminal.data(`${JSON.stringify(reply)}\n`);
  } else if (options["sarif"] === true) await terminal.data(formatProofSarif(head, VERSION));
  else if (options["markdown"] === true) await terminal.data(formatProofMarkdown(head));
  else await terminal.out(...formatProofText(head), ...formatStated(answer));
  return VERDICT_EXITS[proof.verdict];
}

/** What became of the statement, and what statements of others saved. */
function formatStated(
  { note, saved, proof: { verdict } }: Extract<ProveAnswer, { readonly kind: "proof" }>,
): readonly string[] {
  const lines: string[] = [];
  if (note?.kind === "refused") lines.push(`no note was written: ${note.why}`);
  if (note?.kind === "written") {
    const { unsignedBecause: why, platform, ref } = note;
    const signed = why === null ? "signed note" : `unsigned note, which no job counts (${why})`;
    lines.push(`${signed} for ${platform}: ${verdict}; others get it with: git push origin ${ref}`);
  }
  if (saved === undefined) return lines;
  const { seconds, commands, signer, refused } = saved;
  if (commands.length > 0) {
    lines.push(`saved: ${seconds} s, not run: ${commands.join(", ")} (proven by ${signer})`);
  } else lines.push("saved: nothing, all checks ran here");
  return [...lines, ...refused.map((why) => `  a statement does not count: ${why}`)];
}
