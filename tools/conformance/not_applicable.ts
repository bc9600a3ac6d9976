/**
 * Scenarios and checks of the suite that ask for what only a server made for the suite has, each with what
 * it asks for and what shows the same here. An entry that the server passes after all is a fault of this table.
 */

/** Why something of the suite does not apply. */
export interface Exception {
  /** Name of the scenario. */
  readonly scenario: string;
  /** One check of it; absent where the whole scenario does not apply. */
  readonly check?: string;
  readonly reason: string;
  /** The test of this repository that shows the behaviour; absent where the server has none of it. */
  readonly shownBy?: string;
}

const tool = (name: string, what: string) => `calls the tool \`${name}\` of the suite: ${what}`;
const prompt = (name: string) => `gets the prompt \`${name}\` of the suite`;
const resource = (uri: string) => `reads the resource \`${uri}\` of the suite`;

const PROMPTS = "tests/mcp/protocol_test.ts";
const RESOURCES = "tests/mcp/protocol_test.ts";
const FORMS = "tests/mcp/elicitation_slow.ts";
const NO_CONTENT = "replies are text only, because clients drop the text beside other content";

/** Every exception, in the order of the suite. */
export const EXCEPTIONS: readonly Exception[] = [
  { scenario: "tools-call-image", reason: tool("test_image_content", NO_CONTENT) },
  { scenario: "tools-call-audio", reason: tool("test_audio_content", NO_CONTENT) },
  { scenario: "tools-call-embedded-resource", reason: tool("test_embedded_resource", NO_CONTENT) },
  { scenario: "tools-call-mixed-content", reason: tool("test_multiple_content_types", NO_CONTENT) },
  {
    scenario: "tools-call-with-logging",
    reason: tool("test_tool_with_logging", "messages at given times"),
    shownBy: "tests/mcp/step_log_test.ts",
  },
  {
    scenario: "tools-call-with-progress",
    reason: tool("test_tool_with_progress", "three given values"),
    shownBy: "tests/mcp/progress_test.ts",
  },
  { scenario: "tools-call-sampling", reason: tool("test_sampling", "no model is ever asked") },
  {
    scenario: "tools-call-elicitation",
    reason: tool("test_elicitation", "a given form"),
    shownBy: FORMS,
  },
  {
    scenario: "elicitation-sep1034-defaults",
    reason: tool("test_elicitation_sep1034_defaults", "forms have no defaults: a person decides"),
  },
  {
    scenario: "elicitation-sep1330-enums",
    reason: tool("test_elicitation_sep1330_enums", "forms have plain choices only"),
    shownBy: FORMS,
  },
  {
    scenario: "json-schema-2020-12",
    reason: "looks for the tool `json_schema_2020_12_tool` of the suite in the listing",
    shownBy: "tests/mcp/surface_test.ts",
  },
  {
    scenario: "server-sse-polling",
    reason: tool(
      "test_reconnection",
      "streams cannot be resumed; a lost answer is in `get_session_status`",
    ),
  },
  { scenario: "resources-read-text", reason: resource("test://static-text"), shownBy: RESOURCES },
  {
    scenario: "resources-read-binary",
    reason: `${resource("test://static-binary")}; all resources are text`,
  },
  {
    scenario: "resources-templates-read",
    reason: resource("test://template/123/data"),
    shownBy: RESOURCES,
  },
  {
    scenario: "resources-subscribe",
    reason:
      "subscribes to `test://watched-resource`; subscriptions are not offered (no capability)",
  },
  { scenario: "resources-unsubscribe", reason: "as above" },
  { scenario: "prompts-get-simple", reason: prompt("test_simple_prompt"), shownBy: PROMPTS },
  {
    scenario: "prompts-get-with-args",
    reason: prompt("test_prompt_with_arguments"),
    shownBy: PROMPTS,
  },
  {
    scenario: "prompts-get-embedded-resource",
    reason: prompt("test_prompt_with_embedded_resource"),
  },
  { scenario: "prompts-get-with-image", reason: prompt("test_prompt_with_image") },
  {
    scenario: "server-stateless",
    check: "sep-2575-server-rejects-undeclared-capability",
    reason: tool(
      "test_missing_capability",
      "no tool needs sampling; a client without forms is served without them",
    ),
    shownBy: FORMS,
  },
  {
    scenario: "server-stateless",
    check: "sep-2575-missing-capability-http-400",
    reason: "as above",
    shownBy: FORMS,
  },
  {
    scenario: "http-custom-header-server-validation",
    reason: "needs a tool with `x-mcp-header` in its schema; none of ours has one",
  },
  ...[
    ["basic-elicitation", "test_input_required_result_elicitation"],
    ["request-state", "test_input_required_result_request_state"],
    ["multi-round", "test_input_required_result_multi_round"],
    ["result-type", "test_input_required_result_elicitation"],
    ["tampered-state", "test_input_required_result_tampered_state"],
  ].map(([name, called]) => ({
    scenario: `input-required-result-${name}`,
    reason: tool(`${called}`, "a given form"),
    shownBy: FORMS,
  })),
  ...[
    ["basic-sampling", "sampling is never asked for"],
    ["basic-list-roots", "roots are never asked for"],
    ["multiple-input-requests", "one question at a time, because each may depend on the last"],
    ["capability-check", "only forms are ever asked for"],
  ].map(([name, why]) => ({
    scenario: `input-required-result-${name}`,
    reason: `calls a tool of the suite: ${why}`,
  })),
  {
    scenario: "input-required-result-non-tool-request",
    reason: `${prompt("test_input_required_result_prompt")}; prompts ask nothing`,
  },
];
