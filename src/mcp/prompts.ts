/** The skills as prompts, for clients that have none of their own: `/code`, `/exp`, `/outcome`. */
import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { loadSkills } from "../project/setup/templates.ts";

/** The one argument of each prompt. */
const ARGUMENT = "request";

/** The prompts as `prompts/list` answers them. */
export async function listPrompts(): Promise<ListPromptsResult> {
  const skills = await loadSkills();
  return {
    prompts: skills.map(({ name, description, argumentHint }) => ({
      name,
      title: `/${name}`,
      description,
      arguments: [{ name: ARGUMENT, description: argumentHint, required: true }],
    })),
  };
}

/**
 * The text of a prompt with the user's request in it.
 *
 * @throws {ProtocolError} invalid parameters: no such prompt, or no request.
 */
export async function getPrompt(
  { name, arguments: args = {} }: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  },
): Promise<GetPromptResult> {
  const skills = await loadSkills();
  const skill = skills.find((row) => row.name === name);
  if (skill === undefined) {
    const known = skills.map((row) => row.name).join(", ");
    throw makeInvalidError(`There is no prompt "${name.slice(0, 80)}"; the prompts are ${known}`);
  }
  const request = args[ARGUMENT]?.trim() ?? "";
  if (request === "") {
    throw makeInvalidError(`The prompt "${name}" needs the argument "${ARGUMENT}"`);
  }
  // The replacement is a function, because a request may hold `$&` and the like, which a
  // replacement text would interpret.
  const text = skill.body.replaceAll("{{request}}", () => request);
  const { description } = skill;
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function makeInvalidError(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
