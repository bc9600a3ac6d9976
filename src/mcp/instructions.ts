/** What clients put before the model about this server: short, and whole in its first 512 characters. */

/** The server's instructions; clients cut them at 2 KB, some show only the beginning. */
export const INSTRUCTIONS =
  `code-intel answers questions about this repository and leads code changes through 19 checked steps.
Start a piece of work with start_session (intent, query). Every reply says where you are (phase, step), what to do (instruction) and the next call (call): do that, then send expected_payload with submit_phase. After a loss of memory, or when unsure, call get_session_status: it gives everything back.
Where a reply shows \`then\`, send those payloads in the same call if you can answer them now: submit_phase {data, then: [ … ]}; the first that is refused ends the row.
Searching (search_text, search_files, find_definitions, find_references, get_symbols) works without a session too.

Rules the server checks: write only in step 13 and only files that check_write_target allows; claims are compared with recorded calls, the disk and git. A refusal lists every problem with a hint, so correct all of them and send the call again. Nothing found is a valid answer. Paths are relative to the project root. A reply keeps to 16 KB: follow truncated.next, or raise max_bytes. Questions marked for the person are theirs to answer: ask them.`;
