/**
 * Asks the person through the client's form, in both eras of the protocol: pushed as a request of the
 * server (`initialize`), or as the result of the call, which the client repeats with the answer
 * (2026-07-28).
 */
import type {
  ElicitRequestFormParams,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from "@modelcontextprotocol/server";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
} from "@modelcontextprotocol/server";
import type { Answer, Asker, FormField, Question } from "../base/asker.ts";
import { checkQuestion, FORM_TEXT_CHARS, NO_ASKER, readFormValues } from "../base/asker.ts";
import { toCanonicalJson } from "../base/canonical_json.ts";

/** The asker of one call. */
export interface CallAsker extends Asker {
  /** What the call has to answer instead of its reply; null while no form is open. */
  readonly open: InputRequiredResult | null;
}

/** The call that asks. */
export interface AskingCall {
  readonly era: "legacy" | "modern";
  readonly tool: string;
  readonly args: unknown;
  /** The `elicitation` that the client declared with `initialize`; later clients declare it by call. */
  readonly elicitation: unknown;
  readonly mcpReq: ServerContext["mcpReq"];
  readonly rounds: Rounds;
}

/** What a request state holds: which question of which call is open, and what was answered before it. */
interface RoundState {
  readonly nonce: string;
  /** Hash of the tool and its arguments. */
  readonly call: string;
  /** Hash of the open question with its text and fields. */
  readonly asked: string;
  /** Former answers of the same call, by the hash of their question. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/** A form may stay open over a weekend; the state itself is worth nothing to anybody else. */
const STATE_TTL_S = 72 * 60 * 60;
/** Longest delay that a timer takes: the client decides how long it waits, not the server. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The open questions of one connection. The key lives as long as the process, so a state of another
 * connection or of a former process is not taken; each state counts once.
 */
export class Rounds {
  readonly #codec: RequestStateCodec<RoundState> = createRequestStateCodec<RoundState>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: STATE_TTL_S,
  });
  readonly #used = new Set<string>();

  /** Seals a state for the client to hold. */
  seal(state: Omit<RoundState, "nonce">): Promise<string> {
    return this.#codec.mint({ ...state, nonce: crypto.randomUUID() });
  }

  /** The state that a repeated call brought, once; null when it is forged, used, or of another call. */
  async take(call: string, { mcpReq }: Pick<AskingCall, "mcpReq">): Promise<RoundState | null> {
    const sealed = mcpReq.requestState<unknown>();
    if (typeof sealed !== "string") return null;
    const state = await this.#codec.verify(sealed, { mcpReq } as ServerContext).catch(() => null);
    if (state === null || state.call !== call || this.#used.has(state.nonce)) return null;
    this.#used.add(state.nonce);
    return state;
  }
}

/** Makes the asker of a call; `unavailable` where the client declared no forms. */
export async function createCallAsker(call: AskingCall): Promise<CallAsker> {
  const isModern = call.era === "modern";
  const declared = isModern ? toDeclared(call.mcpReq.envelope) : call.elicitation;
  if (!hasForms(declared)) return { ...NO_ASKER, open: null };
  return isModern ? await RoundAsker.create(call) : new PushAsker(call);
}

function toDeclared(envelope: object | undefined): unknown {
  const capabilities = (envelope as Readonly<Record<string, unknown>> | undefined)
    ?.[CLIENT_CAPABILITIES_META_KEY];
  return (capabilities as { readonly elicitation?: unknown } | undefined)?.elicitation;
}

/** A capability without a mode means forms; one that names only other modes does not. */
function hasForms(capability: unknown): boolean {
  if (typeof capability !== "object" || capability === null) return false;
  return "form" in capability || !("url" in capability);
}

/** Sends the form as a request of the server and waits as long as the client does. */
class PushAsker implements CallAsker {
  readonly open = null;
  readonly #call: AskingCall;

  constructor(call: AskingCall) {
    this.#call = call;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    checkQuestion(question);
    const request = { method: "elicitation/create", params: toForm(question) } as const;
    const options = { signal, timeout: NO_TIMEOUT_MS };
    try {
      return toAnswer(question, await this.#call.mcpReq.send(request, options));
    } catch (failure) {
      // The client answered with an error: it cannot ask. All else is a form that was left.
      return { kind: failure instanceof ProtocolError ? "unavailable" : "unanswered" };
    }
  }
}

/** Ends the first call with the form; finds the answer in the repeated one. */
class RoundAsker implements CallAsker {
  readonly #call: AskingCall;
  readonly #hash: string;
  readonly #state: RoundState | null;
  /** Answers that later rounds of this call must carry on. */
  readonly #answers: Record<string, Answer>;
  #open: InputRequiredResult | null = null;

  private constructor(call: AskingCall, hash: string, state: RoundState | null) {
    this.#call = call;
    this.#hash = hash;
    this.#state = state;
    this.#answers = { ...state?.answers };
  }

  static async create(call: AskingCall): Promise<RoundAsker> {
    const hash = await toHash([call.tool, call.args ?? {}]);
    return new RoundAsker(call, hash, await call.rounds.take(hash, call));
  }

  get open(): InputRequiredResult | null {
    return this.#open;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    checkQuestion(question);
    if (signal.aborted) return { kind: "unanswered" };
    if (this.#open !== null) return { kind: "input_required" };
    const asked = await toHash(question);
    const known = this.#answers[asked] ?? this.#read(question, asked);
    if (known !== null) {
      this.#answers[asked] = known;
      return known;
    }
    const { key } = question;
    this.#open = inputRequired({
      inputRequests: { [key]: inputRequired.elicit(toForm(question)) },
      requestState: await this.#call.rounds.seal({
        call: this.#hash,
        asked,
        answers: this.#answers,
      }),
    });
    return { kind: "input_required" };
  }

  /** The answer that the repeated call brought to exactly this question. */
  #read(question: Question, asked: string): Answer | null {
    if (this.#state?.asked !== asked) return null;
    const response = inputResponse(this.#call.mcpReq.inputResponses, question.key);
    return response.kind === "elicit" ? toAnswer(question, response) : null;
  }
}

const ANSWERS = {
  accept: "unanswered",
  decline: "declined",
  cancel: "unanswered",
} as const;

function toAnswer(
  question: Question,
  { action, content }: { readonly action: keyof typeof ANSWERS; readonly content?: unknown },
): Answer {
  const values = action === "accept" ? readFormValues(question.fields, content) : null;
  if (values !== null) return { kind: "answered", values };
  // A value from outside may be none of the three.
  return { kind: ANSWERS[action] ?? "unanswered" };
}

type FormSchema = ElicitRequestFormParams["requestedSchema"];

function toForm({ message, fields }: Question) {
  const requestedSchema: FormSchema = {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  return { mode: "form" as const, message, requestedSchema };
}

function toProperty({ type, title, choices = [] }: FormField): FormSchema["properties"][string] {
  switch (type) {
    case "boolean":
      return { type: "boolean", title };
    case "choice":
      return { type: "string", title, enum: [...choices] };
    case "text":
      return { type: "string", title, maxLength: FORM_TEXT_CHARS };
  }
}

async function toHash(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(toCanonicalJson(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
