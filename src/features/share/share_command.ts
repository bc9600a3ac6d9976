/** The commands `share pull`, `share push` and `share status`: analyses that are made once for a whole team. */
import { formatCount, formatTime } from "../../base/text/plain_text.ts";
import type { OkReply } from "../../base/reply.ts";
import { openShare } from "./share.ts";
import type { Services } from "../../services/services_api.ts";
import { printReply, withServices } from "../../cli/answer.ts";
import type { Command, ExitCode, Invocation } from "../../cli/command.ts";

const REMOTE_USAGE = "[REMOTE]";

/** Brings what the remote shares; the index takes it when it is built next. */
export const SHARE_PULL: Command = {
  usage: REMOTE_USAGE,
  positionals: [0, 1],
  example: "code-intel share pull origin",
  options: [],
  run: (invocation) => answer(invocation, pull, formatPull),
};

async function pull(
  services: Services,
  { signal, positionals }: Invocation,
): Promise<OkReply> {
  const [remote] = positionals;
  const { ref, tip, isNew, packs, unread, sizeBytes } = await openShare(services).pull({
    remote,
    signal,
  });
  return {
    ok: true,
    ref,
    is_shared: tip !== null,
    is_new: isNew,
    packs,
    ...(unread === 0 ? {} : { of_other_versions: unread }),
    size_bytes: sizeBytes,
  };
}

function formatPull(reply: OkReply): readonly string[] {
  if (reply["is_shared"] !== true) {
    return [`The remote has no ${reply["ref"]} yet: \`code-intel share push\` begins it.`];
  }
  const news = reply["is_new"] === true ? "fetched" : "nothing new";
  const unread = Number(reply["of_other_versions"] ?? 0);
  return [
    `${formatCount(Number(reply["packs"]), "pack")}, ${
      formatMegabytes(reply["size_bytes"])
    }; ${news}`,
    ...(unread === 0
      ? []
      : [`Of these ${formatCount(unread, "pack")} by other versions of code-intel, not used here`]),
  ];
}

/** Brings the index up to date, and gives what it has and the remote lacks. */
export const SHARE_PUSH: Command = {
  usage: REMOTE_USAGE,
  positionals: [0, 1],
  example: "code-intel share push origin",
  options: [],
  run: (invocation) => answer(invocation, push, formatPush),
};

async function push(
  services: Services,
  { signal, positionals }: Invocation,
): Promise<OkReply> {
  const [remote] = positionals;
  const share = openShare(services);
  // What others made already is taken rather than analysed again.
  await share.pull({ remote, signal, command: "push" });
  const { parsed, taken } = await services.index.sync({ signal });
  const report = await share.push({ remote, signal });
  return {
    ok: true,
    analysed: parsed,
    taken,
    contents: report.contents,
    shared: report.shared,
    added: report.added,
    ...(report.uncommitted === 0 ? {} : { uncommitted: report.uncommitted }),
    sent_bytes: report.sentBytes,
    packs: report.packs,
    size_bytes: report.sizeBytes,
    ...(report.dropped.length === 0 ? {} : { dropped: report.dropped }),
  };
}

function formatPush(reply: OkReply): readonly string[] {
  const { dropped = [], uncommitted = 0 } = reply as {
    readonly dropped?: readonly string[];
    readonly uncommitted?: number;
  };
  return [
    `${formatCount(Number(reply["taken"]), "content")} taken, ${reply["analysed"]} analysed here`,
    `${reply["added"]} added in ${formatMegabytes(reply["sent_bytes"])}`,
    `${reply["shared"]} of ${formatCount(Number(reply["contents"]), "content")} shared, in ${
      formatCount(Number(reply["packs"]), "pack")
    } of ${formatMegabytes(reply["size_bytes"])}`,
    ...uncommitted === 0 ? [] : [
      `${
        formatCount(uncommitted, "content")
      } left out, since no commit at HEAD has them: commit, then push again`,
    ],
    ...dropped.map((name) => `Left out, since nobody used it for long or it was wrong: ${name}`),
  ];
}

/** Says what is shared, as this machine last heard; asks no remote. */
export const SHARE_STATUS: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel share status",
  options: [],
  run: (invocation) => answer(invocation, readStatus, formatStatus),
};

async function readStatus(services: Services): Promise<OkReply> {
  const share = openShare(services);
  const { configured, fault, remote, askedAtMs, problem, refused, others, ...status } = await share
    .readStatus();
  const { shared, contents } = await share.countShared();
  return {
    ok: true,
    configured,
    ...(fault === null ? {} : { fault }),
    remote,
    asked_at: askedAtMs === null ? null : new Date(askedAtMs).toISOString(),
    ...(problem === null ? {} : { problem }),
    packs: status.packs,
    records: status.records,
    ...(status.vectors === 0 ? {} : { vectors: status.vectors }),
    ...(status.runs === 0 ? {} : { runs: status.runs }),
    size_bytes: status.sizeBytes,
    ...(others.length === 0 ? {} : {
      of_other_versions: others.map(({ kind, packs, sizeBytes }) => ({
        kind,
        packs,
        size_bytes: sizeBytes,
      })),
    }),
    contents,
    shared,
    ...(Object.keys(refused).length === 0 ? {} : { refused }),
  };
}

function formatStatus(reply: OkReply): readonly string[] {
  const { configured, fault, remote, asked_at: askedAt, problem, refused = {} } = reply;
  const { vectors = 0, runs = 0, of_other_versions: others = [] } = reply as {
    readonly vectors?: number;
    readonly runs?: number;
    readonly of_other_versions?: readonly {
      readonly kind: string;
      readonly packs: number;
      readonly size_bytes: number;
    }[];
  };
  const { message, hint } = (fault ?? {}) as { readonly message?: string; readonly hint?: string };
  return [
    configured === null
      ? "No remote is configured: set share_remote in .code-intel/config.json, or name one."
      : `Configured: ${configured}`,
    ...(message === undefined ? [] : [`It cannot be used: ${message}`, `${hint}`]),
    askedAt === null
      ? "No remote has answered yet."
      : `${formatCount(Number(reply["packs"]), "pack")} with ${
        formatCount(Number(reply["records"]), "analysis", "analyses")
      }${vectors === 0 ? "" : ` and ${formatCount(vectors, "vector")}`}${
        runs === 0 ? "" : ` and ${formatCount(runs, "run")} of the tests`
      }, ${formatMegabytes(reply["size_bytes"])}, of ${remote} at ${formatTime(String(askedAt))}`,
    ...others.map(({ kind, packs, size_bytes: bytes }) =>
      `Not counted, since another version of code-intel made it: ${kind}, ${
        formatCount(packs, "pack")
      } of ${formatMegabytes(bytes)}`
    ),
    `In them, of this worktree's index: ${reply["shared"]} of ${
      formatCount(Number(reply["contents"]), "content")
    }`,
    ...(problem === undefined ? [] : [`The last try did not succeed: ${problem}`]),
    ...Object.entries(refused as object).map(([name, why]) => `Not used: ${name}: ${why}`),
  ];
}

function answer(
  invocation: Invocation,
  act: (services: Services, invocation: Invocation) => Promise<OkReply>,
  tell: (reply: OkReply) => readonly string[],
): Promise<ExitCode> {
  return withServices<ExitCode>(invocation, async (services) => {
    await printReply("share", await act(services, invocation), invocation, tell);
    return 0;
  }, { isServing: true });
}

function formatMegabytes(bytes: unknown): string {
  return `${(Number(bytes) / 1024 / 1024).toFixed(2)} MB`;
}
