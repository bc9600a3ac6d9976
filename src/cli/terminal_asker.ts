/** Asks the person at the terminal, field by field, where a client would show a form. */
import type { Answer, Asker, FormField, Question } from "../base/asker.ts";
import { checkQuestion, readFormValues } from "../base/asker.ts";
import type { Terminal } from "./terminal.ts";
import { isYes } from "./terminal.ts";

/** Makes the asker of a command; it cannot ask where input or questions are redirected. */
export function createTerminalAsker(
  terminal: Pick<Terminal, "isInteractive" | "ask" | "err">,
): Asker {
  return {
    source: "terminal",
    isTyped: terminal.isInteractive,
    ask: async (question, signal) => {
      checkQuestion(question);
      if (!terminal.isInteractive) return { kind: "unavailable" };
      return await Promise.race([askFields(question, terminal), toUnanswered(signal)]);
    },
  };
}

async function askFields(
  { message, fields }: Question,
  terminal: Pick<Terminal, "ask" | "err">,
): Promise<Answer> {
  await terminal.err(...message.split("\n"));
  const content: Record<string, string | boolean> = {};
  for (const field of fields) {
    const line = await terminal.ask(toPrompt(field));
    if (line === null) return { kind: "unanswered" };
    content[field.name] = field.type === "boolean" ? isYes(line) : line;
  }
  const values = readFormValues(fields, content);
  return values === null ? { kind: "unanswered" } : { kind: "answered", values };
}

function toPrompt({ title, type, choices = [], required }: FormField): string {
  switch (type) {
    case "boolean":
      return `${title} [y/N] `;
    case "choice":
      return `${title} (${choices.join(", ")}): `;
    case "text":
      return `${title}${required ? "" : " (may be empty)"}: `;
  }
}

function toUnanswered(signal: AbortSignal): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const onAbort = () => resolve({ kind: "unanswered" });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return promise;
}
