/**
 * The tools by name, command, marks and summary. Made from `src/tools/rows` by `deno task docs`: change the row of the tool
 * instead.
 */

/** One tool a line, in the order in which clients are shown them. */
export const TOOL_TABLE = `
start_session|session start|session|Begin a piece of work: step 1 of 19
submit_phase|session submit|session|Hand in the payload of the present step, or in a list those of the next ones too (\`then\`)
get_session_status|session status|session|Show where the work is and what comes next
check_write_target|check-write||Ask whether files may be written now
add_explored_files|session explore||Look at files or folders of any kind, so that they may be written
review_changes|review||Show the changes of the session (step 17)
cleanup_stale_branches|clean|more|Remove what earlier sessions left behind
update_context|session rules||Store a summary of the project's rules where a reply asks for it
search_text|text|files1|Search for text or a regular expression
search_files|files||Find files by glob or by name
find_definitions|def|symbols1 files3|Find where a symbol is defined
find_references|refs||Find where a symbol is used
get_symbols|symbols|symbols2 files2|List the symbols of a file or folder
analyze_structure|structure|symbols3|Show what a file or folder is made of
get_function_at_line|function||Show the function that a line is in
query|query||Ask about the code in any words
sync_index|index||Build the code index, or bring it up to date
semantic_search|search||Find code by what it does
fetch_chunk_detail|chunk||Show whole chunks of a search
analyze_impact|impact||Show what a change can break, and the tests to run
prove|prove||Say whether the tests prove a change, and what speaks against it; no session needed
`;
