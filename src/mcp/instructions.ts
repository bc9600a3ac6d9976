/** What clients put before the model about this server: short, and whole in its first 512 characters. */

/** The server's instructions; clients cut them at 2 KB, some show only the beginning. */
export const INSTRUCTIONS =
  `code-intel answers questions about this repository and leads code changes through 19 checked steps. The first call for each request:
- change, repair or investigate: start_session (intent, query). Each reply names the step, what to do and the next call; submit_phase sends expected_payload.
- after a loss of memory, or when unsure: get_session_status.
- a question in words: query. Who changed it, and why: query {past: true}. Text: search_text. A name: find_definitions, its users: find_references.
- what a file defines: get_symbols. What a change can break: analyze_impact.
Questions need no session. Where a reply shows \`then\`, send those payloads in the same call if you can answer them now: submit_phase {data, then: [ … ]}; the first that is refused ends the row.

Rules the server checks: write only in step 13 and only files that check_write_target allows; claims are compared with recorded calls, the disk and git. A refusal lists every problem with a hint, so correct all of them and send the call again. Nothing found is a valid answer. Paths are relative to the project root. A reply keeps to 16 KB: follow truncated.next, or raise max_bytes. Questions marked for the person are theirs to answer: ask them.`;
