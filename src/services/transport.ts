/** What carries the protocol to clients, and pages to people: the types that a feature with a transport of its own is given. */
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { Services } from "./services_api.ts";

/** What the server runs with. */
export interface ServeOptions {
  /** Builds the services with the first tool call; after a failure the next call tries again. */
  readonly loadServices: () => Promise<Services>;
  readonly logger: Logger;
  /** Told after each call of a tool. */
  readonly onAnswered?: () => void;
  /** Ends the server from outside. */
  readonly signal?: AbortSignal;
  /** Measures how fast a form is answered; default the clock of the machine. */
  readonly clock?: Clock;
}

/** What the server over HTTP runs with. */
export interface ServeHttpOptions extends ServeOptions {
  /** The port to listen on; 0 takes any free one. */
  readonly port: number;
  /** The user's state folder, where the token is kept; null without a home folder. */
  readonly stateDir: string | null;
  /** The pages of all features. */
  readonly pages: readonly FeaturePage[];
  /** Called once clients can connect; `path` is the file of the token. */
  readonly onReady?: (
    ready: { readonly url: string; readonly token: string; readonly path: string | null },
  ) => void;
}

/** A page that a feature shows to a person in a browser. */
export type FeaturePage = OpenPage | GuardedPage;

/** A page that holds nothing of the project, so that anybody on this machine may open it. */
export interface OpenPage {
  readonly kind: "open";
  /** Its path, such as `/`. */
  readonly path: string;
  /** What the server says of its address when it starts. */
  readonly announcement: string;
  readonly draw: () => Promise<{ readonly text: string; readonly policy: string }>;
}

/** A page of the project, which is shown to a request with the token. */
export interface GuardedPage {
  readonly kind: "guarded";
  /** Its path, such as `/report`. */
  readonly path: string;
  /** Called once by a server. */
  readonly open: (services: Services) => Promise<LivePage>;
}

/** A page without a script that is drawn anew only where something happened. */
export interface LivePage {
  /** Tells one state of what is shown from another. */
  readMark(): Promise<string>;
  draw(): Promise<string>;
}
