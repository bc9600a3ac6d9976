/** The person of the demo: reads the forms that the server asks, and agrees to the one that must come. */
import type { Form, Person } from "./client.ts";

/** A form that must come, told by how its text begins, and what the person answers. */
interface ExpectedForm {
  readonly about: string;
  readonly begins: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const FORMS: readonly ExpectedForm[] = [
  { about: "allow commands", begins: "test: deno test", values: { allow: true } },
];

/** The person, and which forms they were shown so far. */
export interface DemoPerson {
  readonly answer: Person;
  readonly asked: readonly string[];
}

/** @param note Takes a line for each form. */
export function createUser(note: (text: string) => void): DemoPerson {
  const asked: string[] = [];
  const answer = ({ message, fields }: Form) => {
    const lines = message.split("\n").filter((line) => line !== "");
    const text = lines.slice(0, 2).join(" / ");
    const form = FORMS.find(({ begins }) => message.startsWith(begins));
    asked.push(form?.about ?? `unexpected: ${text}`);
    const said = form === undefined ? "nothing" : JSON.stringify(form.values);
    note(`the server asks the person (${fields.join(", ")}): ${text}`);
    note(`the person answers ${said}`);
    return form?.values ?? null;
  };
  return { answer, asked };
}

/** What {@link DemoPerson.asked} must hold at the end of the walk. */
export const EXPECTED_FORMS: readonly string[] = FORMS.map(({ about }) => about);
