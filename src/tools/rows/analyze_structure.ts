/** The tool `analyze_structure`. */
import * as z from "zod";
import type { OkReply } from "../../base/reply.ts";
import type { FileNode, FileStructure, FolderStructure } from "../../explore/explorer.ts";
import { buildOutcome, languageField, lineField, listPageFields } from "../explore_fields.ts";
import type { ToolContext, ToolOutcome, ToolRow } from "../tool.ts";

const MAX_CODE_CHARS = 500_000;

function buildSchema() {
  const { max_results, offset, max_bytes } = listPageFields();
  return z.strictObject({
    "file_path": lineField(4096).optional().describe("File, or folder for the tree of its files"),
    code: z.string().max(MAX_CODE_CHARS).optional().describe("Text instead of a file"),
    language: languageField(),
    max_results,
    offset,
    max_bytes,
  }).refine(({ file_path, code }) => (file_path === undefined) !== (code === undefined), {
    message: "Give either `file_path` or `code`",
    params: { code: "missing_field" },
    path: ["file_path"],
    when: ({ value }) => typeof value === "object" && value !== null,
  });
}

type Input = z.output<ReturnType<typeof buildSchema>>;
type Item = FileStructure["symbols"][number];

/** What a file, a text or a folder is made of. */
export const analyzeStructureTool: ToolRow<Input> = {
  name: "analyze_structure",
  title: "Analyze structure",
  description:
    "Shows what a file is made of: nested symbols, imports, exports; of a folder, its files with their top-level symbols.",
  needs: "structure",
  hints: { readOnly: true, destructive: false, idempotent: true },
  buildSchema,
  command: {
    name: "structure",
    summary: "Show what a file or folder is made of",
    usage: "PATH",
    parameters: ["file_path"],
    example: "code-intel structure src/auth.ts",
  },
  shows: { symbols: 3 },
  example: { "file_path": "src/users/service.ts" },
  async run(input, context) {
    const answer = await context.services.explorer.analyzeStructure({
      maxResults: input.max_results,
      offset: input.offset,
      ...(input.file_path === undefined ? {} : { path: input.file_path }),
      ...(input.code === undefined ? {} : { code: input.code }),
      ...(input.language === undefined ? {} : { language: input.language }),
    }, { signal: context.signal });
    if (answer.kind === "found" && answer.of === "folder") {
      return buildFolderOutcome(answer, input, context);
    }
    return buildFileOutcome(answer, input, context);
  },
};

function buildFolderOutcome(
  answer: FolderStructure,
  input: Input,
  context: ToolContext,
): ToolOutcome {
  return buildOutcome<FolderStructure, FileNode>(answer, context, {
    tool: "analyze_structure",
    input,
    listKey: "files",
    items: (found) => found.files,
    fields: ({ path }) => ({ filePath: path }),
    shrink: (file) => ({ ...file, symbols: [] }),
    files: (file) => file.symbols.length > 0 ? file.path : undefined,
  });
}

function buildFileOutcome(
  answer: Parameters<typeof buildOutcome<FileStructure, Item>>[0],
  input: Input,
  context: ToolContext,
): ToolOutcome {
  // The next call cannot repeat `code`, because the reply would have to hold that whole text.
  const { code, ...repeated } = input;
  const path = answer.kind === "found" ? (answer as FileStructure).path : undefined;
  const outcome = buildOutcome<FileStructure, Item>(answer, context, {
    tool: "analyze_structure",
    input: code === undefined ? input : repeated,
    listKey: "symbols",
    items: (found) => found.symbols.map(dropRepeated),
    fields: ({ language, lines, imports, exports, summary }) => ({
      ...(path === undefined ? {} : { filePath: path }),
      language,
      summary: { ...summary, lines },
      imports,
      exports,
    }),
    shrink: ({ signature: _signature, doc: _doc, ...symbol }) => symbol,
    files: () => path,
    symbols: ({ name }) => name,
    defines: ({ name }) => name,
  });
  const { reply } = outcome;
  if (!reply.ok) return outcome;
  const symbols = nest(reply["symbols"] as readonly Node[]);
  return { ...outcome, reply: { ...reply, symbols } as OkReply };
}

/** Takes the file out of a symbol, because the reply names it once. */
function dropRepeated({ path: _path, language: _language, scope, ...symbol }: Item): Item {
  // A nested symbol stands below its scope and need not name it; one whose scope is on an earlier
  // page does.
  return { ...symbol, ...(symbol.depth === 0 || scope === undefined ? {} : { scope }) } as Item;
}

interface Node {
  readonly depth: number;
  readonly scope?: string;
  readonly children?: Node[];
}

/**
 * Puts each symbol below the one that holds it; a symbol whose holder is on an earlier page stands
 * at the top.
 */
function nest(flat: readonly Node[]): readonly unknown[] {
  const top: unknown[] = [];
  const open: {
    readonly depth: number;
    readonly children: unknown[];
    readonly node: Record<string, unknown>;
  }[] = [];
  for (const { depth, scope, ...rest } of flat) {
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const holder = open.at(-1);
    const isHeld = holder !== undefined && holder.depth === depth - 1;
    const node: Record<string, unknown> = {
      ...rest,
      ...(isHeld || scope === undefined ? {} : { scope }),
    };
    if (isHeld) {
      holder.children.push(node);
      holder.node["children"] = holder.children;
    } else top.push(node);
    open.push({ depth, children: [], node });
  }
  return top;
}
