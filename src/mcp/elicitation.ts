/**
 * Asks the user through the client's form, in both generations of the protocol. After
 * `initialize`, the form is a request that the server pushes; from 2026-07-28 on, the form is the
 * result of the call, and the client repeats the call with the answer.
 */
import type {
  ElicitRequestFormParams,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from "@modelcontextprotocol/server";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
} from "@modelcontextprotocol/server";
import type { Answer, FormField, Question, UserPrompt } from "../base/asker.ts";
import { checkQuestion, FORM_TEXT_CHARS, NO_ASKER, readFormValues } from "../base/asker.ts";
import { formatCanonicalJson } from "../base/text/json_record.ts";
import { ASKED_AGAIN, isHeadless } from "./presence.ts";
import type { ClientSigns, Presence } from "./presence.ts";

/** Asks the questions of one call. */
export interface CallAsker extends UserPrompt {
  /** The form that the call has to return in place of its reply; null while no form is open. */
  readonly open: InputRequiredResult | null;
}

/** What the asker needs to know of the call that asks. */
export interface AskingCall extends Omit<ClientSigns, "meta"> {
  readonly era: "legacy" | "modern";
  readonly tool: string;
  readonly args: unknown;
  /**
   * The `elicitation` capability that the client declared with `initialize`. Later clients declare
   * it, and their name, with each call.
   */
  readonly elicitation: unknown;
  readonly mcpReq: ServerContext["mcpReq"];
  readonly rounds: Rounds;
  /** Judges the answers of this connection. */
  readonly presence: Presence;
}

/**
 * What a sealed request state holds: the open question, the call it belongs to, and the answers
 * given before.
 */
interface RoundState {
  readonly nonce: string;
  /** Hash of the tool and its arguments. */
  readonly call: string;
  /** Hash of the open question with its text and fields. */
  readonly asked: string;
  /** When the form was sent, and whether it was sent before. */
  readonly askedAt: number;
  readonly isRepeat: boolean;
  /** Former answers of the same call, by the hash of their question. */
  readonly answers: Readonly<Record<string, Answer>>;
}

/**
 * How long a client may hold a state before it repeats the call. Long, because a form may stay open
 * over a weekend, and harmless, because the state is useless to anybody else.
 */
const STATE_TTL_S = 72 * 60 * 60;
/**
 * The longest delay that a timer takes: the client decides how long a form stays open, not the
 * server.
 */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Seals and opens the request states of one process. The key is made with the process, so that a
 * state of another process is refused; each state is accepted once.
 */
export class Rounds {
  readonly #codec: RequestStateCodec<RoundState> = createRequestStateCodec<RoundState>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: STATE_TTL_S,
  });
  readonly #used = new Set<string>();

  /** Seals a state, so that the client can hold it but not read or change it. */
  seal(state: Omit<RoundState, "nonce">): Promise<string> {
    return this.#codec.mint({ ...state, nonce: crypto.randomUUID() });
  }

  /**
   * Opens the state that a repeated call brought. Null when it is forged, was used before, or
   * belongs to another call.
   */
  async take(call: string, { mcpReq }: Pick<AskingCall, "mcpReq">): Promise<RoundState | null> {
    const sealed = mcpReq.requestState<unknown>();
    if (typeof sealed !== "string") return null;
    const state = await this.#codec.verify(sealed, { mcpReq } as ServerContext).catch(() => null);
    if (state === null || state.call !== call || this.#used.has(state.nonce)) return null;
    this.#used.add(state.nonce);
    return state;
  }
}

/**
 * Makes the asker of a call; `unavailable` where the client declared no forms or says that nobody
 * sits at it.
 */
export async function createCallAsker(call: AskingCall): Promise<CallAsker> {
  const isModern = call.era === "modern";
  const { elicitation, clientName } = isModern ? readEnvelope(call.mcpReq.envelope) : call;
  if (!hasForms(elicitation) || isHeadless({ ...call, clientName, meta: call.mcpReq._meta })) {
    return { ...NO_ASKER, open: null };
  }
  return isModern ? await RoundAsker.create(call) : new PushAsker(call);
}

/** What a later client declares with each call. */
function readEnvelope(
  envelope: object | undefined,
): Pick<AskingCall, "elicitation" | "clientName"> {
  const sent = (envelope ?? {}) as Readonly<Record<string, unknown>>;
  const capabilities = sent[CLIENT_CAPABILITIES_META_KEY] as
    | { readonly elicitation?: unknown }
    | undefined;
  const client = sent[CLIENT_INFO_META_KEY] as { readonly name?: string } | undefined;
  return { elicitation: capabilities?.elicitation, clientName: client?.name };
}

/**
 * Whether forms can be shown. A capability that names no mode means forms; one that names only
 * other modes does not.
 */
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
    try {
      const first = await this.#send(question, { signal, isRepeat: false });
      if (first !== "again") return first;
      const second = await this.#send(question, { signal, isRepeat: true });
      return second === "again" ? { kind: "unavailable" } : second;
    } catch (failure) {
      // An error of the protocol means that the client cannot ask; any other failure means that the
      // user left the form.
      return { kind: failure instanceof ProtocolError ? "unavailable" : "unanswered" };
    }
  }

  async #send(
    question: Question,
    { signal, isRepeat }: { readonly signal: AbortSignal; readonly isRepeat: boolean },
  ): Promise<Answer | "again"> {
    const { mcpReq, presence } = this.#call;
    const params = buildForm(question, { isRepeat });
    const askedAt = presence.now();
    const response = await mcpReq.send(
      { method: "elicitation/create", params },
      { signal, timeout: NO_TIMEOUT_MS },
    );
    return presence.judge(readAnswer(question, response), { askedAt, isRepeat });
  }
}

/** Ends the first call with the form as its result, and reads the answer from the repeated call. */
class RoundAsker implements CallAsker {
  readonly #call: AskingCall;
  readonly #hash: string;
  readonly #state: RoundState | null;
  /** Answers of earlier rounds, which the next state of this call has to carry on. */
  readonly #answers: Record<string, Answer>;
  #open: InputRequiredResult | null = null;

  private constructor(call: AskingCall, hash: string, state: RoundState | null) {
    this.#call = call;
    this.#hash = hash;
    this.#state = state;
    this.#answers = { ...state?.answers };
  }

  static async create(call: AskingCall): Promise<RoundAsker> {
    const hash = await hashValue([call.tool, call.args ?? {}]);
    return new RoundAsker(call, hash, await call.rounds.take(hash, call));
  }

  get open(): InputRequiredResult | null {
    return this.#open;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    checkQuestion(question);
    if (signal.aborted) return { kind: "unanswered" };
    if (this.#open !== null) return { kind: "input_required" };
    const asked = await hashValue(question);
    const known = this.#answers[asked] ?? this.#read(question, asked);
    if (known !== null && known !== "again") {
      this.#answers[asked] = known;
      return known;
    }
    const { key } = question;
    const isRepeat = known === "again";
    this.#open = inputRequired({
      inputRequests: { [key]: inputRequired.elicit(buildForm(question, { isRepeat })) },
      requestState: await this.#call.rounds.seal({
        call: this.#hash,
        asked,
        askedAt: this.#call.presence.now(),
        isRepeat,
        answers: this.#answers,
      }),
    });
    return { kind: "input_required" };
  }

  /**
   * What the answer counts as that the repeated call brought to exactly this question; null where it
   * brought none.
   */
  #read(question: Question, asked: string): Answer | "again" | null {
    const { mcpReq, presence } = this.#call;
    if (this.#state?.asked !== asked) return null;
    const response = inputResponse(mcpReq.inputResponses, question.key);
    return response.kind === "elicit"
      ? presence.judge(readAnswer(question, response), this.#state)
      : null;
  }
}

const ANSWERS = {
  accept: "unanswered",
  decline: "declined",
  cancel: "unanswered",
} as const;

function readAnswer(
  question: Question,
  { action, content }: { readonly action: keyof typeof ANSWERS; readonly content?: unknown },
): Answer {
  const values = action === "accept" ? readFormValues(question.fields, content) : null;
  if (values !== null) return { kind: "answered", values };
  // The client may send an action that is none of the three.
  return { kind: ANSWERS[action] ?? "unanswered" };
}

type FormSchema = ElicitRequestFormParams["requestedSchema"];

function buildForm(
  { message, fields }: Question,
  { isRepeat }: { readonly isRepeat: boolean },
) {
  const requestedSchema: FormSchema = {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, buildProperty(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  const shown = isRepeat ? `${ASKED_AGAIN}${message}` : message;
  return { mode: "form" as const, message: shown, requestedSchema };
}

function buildProperty({ type, title, choices = [] }: FormField): FormSchema["properties"][string] {
  switch (type) {
    case "boolean":
      return { type: "boolean", title };
    case "choice":
      return { type: "string", title, enum: [...choices] };
    case "text":
      return { type: "string", title, maxLength: FORM_TEXT_CHARS };
  }
}

async function hashValue(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(formatCanonicalJson(value));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
