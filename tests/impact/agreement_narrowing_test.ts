/** References, impact and definitions on members of types that are one of several, as tests and type parameters tell them. */
import { check } from "./agreement.ts";

const EVENTS = [
  "interface Base { readonly kind?: string; readonly at: number }",
  'export interface Opened extends Base { readonly kind: "opened"; readonly place: string }',
  'export interface Moved extends Base { readonly kind: "moved"; readonly place: string; readonly by: number }',
  "export interface Closed extends Base { readonly kind: 'closed'; readonly reason: string }",
  "export type Event = Opened | Moved | Closed;",
  "type Same<T> = { [K in keyof T]: T[K] };",
  "type Part<T> = { [P in keyof T]?: T[P] | undefined };",
  "type Raw<T extends Base> = T extends any ? Same<Part<T> & { readonly input: unknown }> : never;",
  "export interface Teller<T extends Base = Event> { (event: Raw<T>): string | undefined }",
  "type Circle<T> = T extends any ? Circle<T> | T : never;",
  "export const round = (one: Circle<Closed>) => one.reason;",
].join("\n");

const TOLD = [
  'import type { Closed, Event, Moved, Opened, Teller } from "./events";',
  "const teller: () => Teller = () => {",
  "  return (event) => {",
  "    switch (event.kind) {",
  '      case "opened":',
  "        return event.place;",
  '      case "moved": {',
  "        return event.place + event.by;",
  "      }",
  '      case "closed":',
  "        return event.reason;",
  "    }",
  "  };",
  "};",
  "export function tell(event: Event, other: Teller<Moved>) {",
  '  if (event.kind === "opened") return event.place;',
  "  other(event);",
  "  switch (event.kind) {",
  '    case "opened":',
  "    case 'moved':",
  "      console.log(event.place);",
  '    case "closed":',
  "      return event.place ?? event.at;",
  "    default:",
  "      return event.kind;",
  "  }",
  "}",
  "export const of = (told: Teller<Opened | Closed>) => told;",
  "of((event) => event.place);",
  "of((event) => event.kind);",
].join("\n");

check("members of one of several types", { "events.ts": EVENTS, "told.ts": TOLD }, [
  // Line 23 is reached from the case before it too: nobody knows which one it is, and one of them has no such member.
  ["events.ts", "Opened.place", ["told.ts:16", "told.ts:21", "told.ts:6"]],
  ["events.ts", "Moved.place", ["told.ts:21", "told.ts:8"]],
  ["events.ts", "Moved.by", ["told.ts:8"]],
  ["events.ts", "Closed.reason", ["told.ts:11"]],
  ["events.ts", "Moved.kind", ["told.ts:16", "told.ts:18", "told.ts:25", "told.ts:4"]],
  ["events.ts", "Closed.kind", [
    "told.ts:16",
    "told.ts:18",
    "told.ts:25",
    "told.ts:30",
    "told.ts:4",
  ]],
]);
