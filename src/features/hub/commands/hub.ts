/** The commands `hub …`: an organisation's repositories in one store, indexed by jobs and served over HTTP. */
import { join } from "node:path";
import { AnalysisPool } from "../../../analysis/analysis_pool.ts";
import { CodeIntelError } from "../../../base/errors.ts";
import { findCacheDir } from "../../../base/files/user_folders.ts";
import { STDERR_LOGGER } from "../../../base/logger.ts";
import type { OkReply } from "../../../base/reply.ts";
import { formatCount } from "../../../base/text/plain_text.ts";
import type { HubRepository, HubStore } from "../hub_store.ts";
import { findFailure, toAnalysisState } from "../hub_store.ts";
import type { DoneJob } from "../indexer.ts";
import { doJobs } from "../indexer.ts";
import { printReply } from "../../../cli/answer.ts";
import type { Command, ExitCode, Invocation } from "../../../cli/command.ts";
import { readOrigin } from "./hub_origin.ts";
import { readText, STORE_OPTION, withStore } from "./with_store.ts";

/** A worker without a job looks for one so often. */
const LOOK_MS = 2_000;

/** Adds a branch of a repository. */
export const HUB_ADD: Command = {
  usage: "URL",
  positionals: [1, 1],
  example: "code-intel hub add https://git.example.com/shop.git --branch main",
  options: [
    STORE_OPTION,
    { name: "branch", kind: "text", value: "NAME", summary: "Branch (default: the remote's HEAD)" },
    { name: "name", kind: "text", value: "NAME", summary: "Its name (default: from the URL)" },
  ],
  run: (invocation) =>
    answer(invocation, (store) => {
      const [given = ""] = invocation.positionals;
      const { warnings, ...origin } = readOrigin({
        given,
        // An empty word is no branch, and not the remote's HEAD: it may be a variable of a script that was not set.
        branch: invocation.options["branch"] === "" ? "" : readText(invocation, "branch"),
        name: readText(invocation, "name"),
        base: invocation.projectDir,
      });
      store.add(origin);
      const { name, url } = origin;
      return {
        reply: { ok: true, name, url, ...(warnings.length === 0 ? {} : { warnings }) },
        lines: [`${name} waits for an indexer.`, ...warnings],
      };
    }),
};

/** Forgets a repository. */
export const HUB_REMOVE: Command = {
  usage: "NAME",
  positionals: [1, 1],
  example: "code-intel hub remove shop",
  options: [STORE_OPTION],
  run: (invocation) =>
    answer(invocation, (store) => {
      const [name = ""] = invocation.positionals;
      if (!store.remove(name)) throw makeUnknownRepositoryError(name);
      return { reply: { ok: true, name }, lines: [`${name} is forgotten.`] };
    }),
};

/** Says what the hub has. */
export const HUB_LIST: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel hub list",
  options: [STORE_OPTION],
  run: (invocation) =>
    answer(invocation, (store) => {
      const repositories = store.list();
      return {
        reply: {
          ok: true,
          total: repositories.length,
          repositories: repositories.map((one) => ({ ...one, analysis: toAnalysisState(one) })),
        },
        lines: repositories.length === 0
          ? ["The hub has no repository yet: `code-intel hub add URL` adds one."]
          : repositories.map(formatRepository),
      };
    }),
};

/** Asks for the present state of repositories, and does the jobs that wait. */
export const HUB_REFRESH: Command = {
  usage: "[NAME]",
  positionals: [0, 1],
  example: "code-intel hub refresh shop",
  options: [
    STORE_OPTION,
    { name: "ask", kind: "flag", summary: "Only ask for it: another indexer does the job" },
  ],
  run: (invocation) =>
    answer(invocation, async (store) => {
      const [name] = invocation.positionals;
      const asked = store.askRefresh(name ?? null);
      if (asked === 0 && name !== undefined) throw makeUnknownRepositoryError(name);
      const jobs = invocation.options["ask"] === true ? [] : await work(store, invocation.signal);
      const own = store.list().filter((one) => name === undefined || one.name === name);
      const elsewhere = own.filter(({ job }) => job?.isLeased === true).map((one) => one.name);
      // Whoever names a repository asks for that one, whatever became of the others of its remote.
      const isWhole = name === undefined
        ? jobs.every(({ report }) => report !== null && report.failed.length === 0)
        : jobs.length === 0 || elsewhere.length > 0 || own.every((one) => !findFailure(one));
      return {
        reply: { ok: true, asked, jobs, ...(elsewhere.length === 0 ? {} : { elsewhere }) },
        lines: [
          `${asked} asked for`,
          ...jobs.flatMap(formatJob),
          ...elsewhere.map((one) =>
            `${one}: another indexer has its job; if that one was killed, it is free within 60 s`
          ),
        ],
        exitCode: isWhole ? 0 : 1,
      };
    }),
};

/** Does jobs as they come. */
export const HUB_WORK: Command = {
  usage: "",
  positionals: [0, 0],
  example: "code-intel hub work --every 300",
  options: [
    STORE_OPTION,
    {
      name: "every",
      kind: "number",
      value: "SECONDS",
      summary: "Ask for all repositories anew so often (default: only what others ask for)",
    },
  ],
  run: (invocation) =>
    withStore(invocation, async (store) => {
      const { signal, options } = invocation;
      const everyMs = readInterval(options["every"]);
      let askedAt = -Infinity;
      while (!signal.aborted) {
        try {
          if (performance.now() - askedAt >= everyMs) {
            store.askRefresh(null);
            askedAt = performance.now();
          }
          await work(store, signal);
        } catch (error) {
          // A store that restarts is waited for; what was under way is taken up by its lease.
          if (!(error instanceof CodeIntelError) || error.code !== "store_unreachable") throw error;
          STDERR_LOGGER.note(`${error.message}; trying again`);
        }
        await rest(signal);
      }
      return 0;
    }),
};

interface Answered {
  readonly reply: OkReply;
  readonly lines: readonly string[];
  readonly exitCode?: ExitCode;
}

async function answer(
  invocation: Invocation,
  act: (store: HubStore) => Answered | Promise<Answered>,
): Promise<ExitCode> {
  return await withStore(invocation, async (store) => {
    const { reply, lines, exitCode = 0 } = await act(store);
    await printReply("hub", reply, invocation, () => lines);
    return exitCode;
  });
}

async function work(store: HubStore, signal: AbortSignal): Promise<readonly DoneJob[]> {
  const cache = findCacheDir({ os: Deno.build.os, get: (name) => Deno.env.get(name) });
  if (cache === null) {
    throw new CodeIntelError("io_failed", "There is no folder for mirrors: HOME is not set", {
      hint: "Set CODE_INTEL_CACHE_DIR to a folder that this program may write.",
    });
  }
  const analyser = new AnalysisPool();
  const jobs: DoneJob[] = [];
  try {
    await doJobs({
      ...{ store, analyser, signal, folder: join(cache, "mirrors") },
      onJob: (job) => {
        jobs.push(job);
        for (const line of formatJob(job)) STDERR_LOGGER.note(line);
      },
    });
  } finally {
    analyser.close();
  }
  return jobs;
}

async function rest(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve: done } = Promise.withResolvers<void>();
  const timer = setTimeout(done, LOOK_MS);
  signal.addEventListener("abort", () => done(), { once: true });
  await promise;
  clearTimeout(timer);
}

function formatJob({ url, report, failure }: DoneJob): readonly string[] {
  if (report === null) return [`${url}: ${failure}`];
  const { read, analysed, removed, failed } = report;
  return [
    `${url}: ${formatCount(read, "file")} read, ${analysed} analysed, ${removed} removed`,
    ...failed.map(({ name, reason }) => `${name}: ${reason}`),
  ];
}

const ANALYSIS_TEXTS = {
  present: "",
  older: "; analysed by an older version: `code-intel hub refresh` reads it anew",
  newer: "; analysed by a newer version than this one, which should be updated",
} as const;

function formatRepository(repository: HubRepository): string {
  const { name, files, commit, indexedAt, job } = repository;
  const state = commit === null
    ? "not indexed yet"
    : `${formatCount(files, "file")} of ${commit.slice(0, 12)} at ${indexedAt}`;
  const waiting = job === null ? "" : job.isLeased ? "; a job is under way" : "; a job waits";
  const failure = findFailure(repository);
  const analysis = ANALYSIS_TEXTS[toAnalysisState(repository)];
  return `${name}: ${state}${analysis}${waiting}${failure === null ? "" : `; failed: ${failure}`}`;
}

/** How often all repositories are asked for; never without the option. */
function readInterval(seconds: Invocation["options"][string] | undefined): number {
  if (seconds === undefined) return Infinity;
  if (typeof seconds === "number" && seconds >= 1) return seconds * 1_000;
  throw new CodeIntelError("bad_usage", `Cannot ask every ${seconds} seconds`, {
    hint: "Name a number from 1 on by --every, or leave it out to do only what others ask for.",
  });
}

function makeUnknownRepositoryError(name: string): CodeIntelError {
  return new CodeIntelError("bad_usage", `The hub has no repository "${name}"`, {
    hint: "`code-intel hub list` shows those that it has.",
  });
}
