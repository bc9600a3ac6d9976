/** What a hub's server and the threads that answer for it say to each other. */
import type { StorePlace } from "../postgres/store_place.ts";

/** A reply as it is sent: some of its texts are made where they are written down. */
export interface HubAnswer {
  readonly isOk: boolean;
  /** The reply as JSON. */
  readonly text: string;
}

/** What a thread is told: first which store, then call after call, each when the one before is answered. */
export type ThreadAsk =
  | { readonly kind: "start"; readonly place: StorePlace }
  | { readonly kind: "call"; readonly name: string; readonly raw: unknown };

/** What a thread says. */
export type ThreadSays =
  | { readonly kind: "ready" }
  /** A line for the person who runs the server. */
  | { readonly kind: "note"; readonly message: string }
  | {
    readonly kind: "answer";
    readonly answer: HubAnswer;
    /** What the thread's engine holds after the call. */
    readonly heapBytes: number;
  };
