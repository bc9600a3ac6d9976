/**
 * Replays the recorded side of an agent against a server: its calls in their order, and its edits between them. What
 * the server answers is measured, and held against the steps that the recording names.
 */
import type { Edit } from "../demo/session.ts";
import { applyEdit } from "../demo/session.ts";

/** A reply as the replay reads it. */
export type Reply = Readonly<Record<string, unknown>>;

/** Calls a tool and gives its reply, with the bytes of its text and the time that it took. */
export type Caller = (tool: string, args: Reply) => Promise<{
  readonly reply: Reply;
  readonly sizeBytes: number;
  readonly durationMs: number;
}>;

/** A call of the agent, as it was sent. */
export interface RecordedCall {
  readonly tool: string;
  readonly arguments: Reply;
  /** The step that the reply must name, where the call moves the session. */
  readonly step?: number;
  /** True for a payload that can be sent together with the one before, in its `then`. */
  readonly joined?: boolean;
}

/** What the agent did, in order. */
export type Recording = readonly (RecordedCall | { readonly edit: Edit })[];

/** One call of a replay. */
export interface ReplayedCall {
  /** The step that the session was at before the call. */
  readonly step: number;
  readonly tool: string;
  /** Bytes of the reply. */
  readonly sizeBytes: number;
  readonly durationMs: number;
}

/** The straight way from the request to the merged commit on the project of the demo, as a careful agent sends it. */
export async function loadDefaultSession(): Promise<Recording> {
  const file = new URL("default_session.json", import.meta.url);
  return JSON.parse(await Deno.readTextFile(file)) as Recording;
}

/** Calls that a small request does without: one question finds what they do. */
const SEARCHES = ["find_definitions", "find_references", "get_symbols"];
const QUESTION: RecordedCall = {
  tool: "query",
  arguments: { question: "lend makes a Loan, renderLine prints it", "max_results": 8 },
};

/** The default session as that of a small request: explored by one question. */
export function toSmall(recording: Recording): Recording {
  return recording.flatMap((row): Recording => {
    if ("edit" in row) return [row];
    if (SEARCHES.includes(row.tool)) return [];
    const { data } = row.arguments;
    if (row.tool !== "submit_phase") return [row];
    const sent = { ...row, arguments: { data: { ...data as Reply, tools_used: [] } } };
    return "explored_files" in sent.arguments.data ? [QUESTION, sent] : [sent];
  });
}

const FILES = ["src/loans.ts", "src/report.ts"];

/** What an agent asks before its edits on the default way, by the size of the request. */
const LOOKS = {
  small: [],
  usual: [QUESTION, { tool: "get_symbols", arguments: { path: "src/loans.ts" } }],
  large: [
    QUESTION,
    { tool: "find_references", arguments: { symbol: "Loan" } },
    { tool: "get_symbols", arguments: { path: "src/loans.ts" } },
    { tool: "analyze_impact", arguments: { target_files: FILES } },
  ],
} as const satisfies Readonly<Record<string, readonly RecordedCall[]>>;

/** The size of a request on the default way. */
export type WholeSize = keyof typeof LOOKS;

/** The sizes that {@link toWhole} knows. */
export const WHOLE_SIZES = Object.keys(LOOKS) as readonly WholeSize[];

const SECOND_CLAUSE = " The days of a first loan stay as they are.";

/**
 * The same work on the default way: looks, the edits of the recording, and one payload. A large request has a clause
 * more, which is asked about. With `clears` the agent asks the write guard itself, since no hook does.
 */
export function toWhole(
  recording: Recording,
  size: WholeSize,
  { clears = true }: { readonly clears?: boolean } = {},
): Recording {
  const [start] = recording;
  const edits = recording.filter((row) => "edit" in row);
  const clear = { tool: "check_write_target", arguments: { file_paths: FILES } };
  const data = {
    done: { "1": FILES },
    observed: { "1": "renewal_test.ts passes: a third renewal is refused" },
    commit_message: "Let members renew a loan",
  };
  const answer = { done: { "2": "LOAN_DAYS is untouched" } };
  const sent = size === "large" ? [data, answer] : [data];
  const payloads = sent.map((one) => ({ tool: "submit_phase", arguments: { data: one } }));
  if (start === undefined || "edit" in start) return [];
  const query = `${start.arguments.query}${size === "large" ? SECOND_CLAUSE : ""}`;
  const begin = { ...start, arguments: { ...start.arguments, query } };
  return [begin, ...LOOKS[size], ...(clears ? [clear] : []), ...edits, ...payloads];
}

/** The recording with `gate_level: full`: steps 7, 9 and 11 are gone too. */
export function toFull(recording: Recording): Recording {
  return recording.flatMap((row): Recording => {
    if ("edit" in row) return [row];
    const { joined: _joined, ...own } = row;
    if (row.tool === "start_session") {
      return [{ ...own, arguments: { ...row.arguments, gate_level: "full" } }];
    }
    const { compaction_count: _count, ...data } = (row.arguments.data ?? {}) as Reply;
    const sent = row.tool === "submit_phase" ? { ...own, arguments: { data } } : own;
    const [tool, step, payload] = FULL_STEPS.find(({ field }) => field in data)?.more ?? [];
    if (tool === undefined || row.step === undefined) return [sent];
    return [
      { ...sent, step: step ?? row.step },
      ...tool,
      { tool: "submit_phase", arguments: { data: payload ?? {} }, step: row.step },
    ];
  });
}

/** Behind which payload a step comes that only `full` goes, with its calls, its number and its payload. */
const FULL_STEPS: readonly {
  readonly field: string;
  readonly more: readonly [calls: readonly RecordedCall[], step: number, payload: Reply];
}[] = [
  {
    field: "needs_more_information",
    more: [
      [{ tool: "semantic_search", arguments: { query: "where a loan is made and printed" } }],
      7,
      {
        search_query: "where a loan is made and printed",
        search_results: [],
        summary: "nothing more",
      },
    ],
  },
  {
    field: "has_unverified_hypotheses",
    more: [[], 9, { hypotheses_verified: [], summary: "no hypothesis is open" }],
  },
  {
    field: "needs_impact_analysis",
    more: [
      [{ tool: "analyze_impact", arguments: { target_files: FILES } }],
      11,
      {
        impact_summary: {
          decisions: [
            ...FILES.map((path) => ({ path, status: "will_modify" })),
            { path: "**", status: "not_affected", reason: "the new field has a default" },
          ],
        },
        summary: "two files change",
      },
    ],
  },
];

/**
 * Replays a recording in the project at `root`.
 *
 * @throws {Error} The server refused a call, or came to another step.
 */
export async function replay(
  recording: Recording,
  { call, root, isJoined = true, edit = (one) => applyEdit(root, one) }: {
    readonly call: Caller;
    readonly root: string;
    /** False sends each payload by a call of its own; default true. */
    readonly isJoined?: boolean;
    /** Does an edit of the recording; default: it is written. */
    readonly edit?: (one: Edit) => Promise<void>;
  },
): Promise<readonly ReplayedCall[]> {
  const replayed: ReplayedCall[] = [];
  let step = 1;
  for (const row of isJoined ? joinCalls(recording) : recording) {
    if ("edit" in row) {
      await edit(row.edit);
      continue;
    }
    const { tool, step: wanted } = row;
    const { reply, sizeBytes, durationMs } = await call(tool, row.arguments);
    replayed.push({ step, tool, sizeBytes, durationMs });
    if (reply.ok !== true || (wanted !== undefined && reply.step !== wanted)) {
      throw new Error(`${tool} at step ${step}: ${JSON.stringify(reply)}`);
    }
    step = wanted ?? step;
  }
  return replayed;
}

/** Puts the payloads that can be joined into `then` of the call before them. */
function joinCalls(recording: Recording): Recording {
  const rows: (Recording[number])[] = [];
  for (const each of recording) {
    const before = rows.at(-1);
    if ("edit" in each || each.joined !== true || before === undefined || "edit" in before) {
      rows.push(each);
      continue;
    }
    const { summary: _summary, tools_used: _tools, compaction_count: _count, ...data } = each
      .arguments.data as Reply;
    const then = [...(before.arguments.then as readonly Reply[] | undefined ?? []), data];
    rows[rows.length - 1] = {
      ...before,
      arguments: { ...before.arguments, then },
      ...(each.step === undefined ? {} : { step: each.step }),
    };
  }
  return rows;
}
