/** Says of an answer that has nothing which repositories inside the project were not looked into. */
import type { Reply } from "../base/reply.ts";
import { toShellWord } from "../base/text/plain_text.ts";
import { parseRepoPath } from "../base/repo_path.ts";
import { isRecord } from "../base/text/json_record.ts";
import type { Services } from "../services/services_api.ts";

/** Names that one notice lists. */
const MAX_NAMED = 5;

/** The notice about repositories below the folder that was asked about; none where they were asked too. */
export async function findNestedNotices(
  reply: Reply,
  input: unknown,
  { projectRoot, listNested, openOthers }: Pick<
    Services,
    "projectRoot" | "listNested" | "openOthers"
  >,
): Promise<readonly string[]> {
  const asked = isRecord(input) ? input : {};
  if (reply["total"] !== 0 || asked["include_ignored"] === true) return [];
  const path = asked["path"];
  const parsed = parseRepoPath(projectRoot, typeof path === "string" ? path : ".", "path");
  if (parsed.kind === "refused") return [];
  const below = parsed.path === "." ? "" : `${parsed.path}/`;
  const names = listNested().filter((name) => name.startsWith(below)).toSorted(compareShown);
  if (names.length === 0) return [];
  const hint = (await openOthers()).toNestedHint();
  // The members of a workspace are asked with the whole project.
  if (path === undefined && hint === null) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [
    `Repositories inside the project were not searched: ${names.slice(0, MAX_NAMED).join(", ")}` +
    `${more}. ${hint ?? ""}\`--project ${toShellWord(names[0] ?? ".")}\` asks one.`,
  ];
}

/** Hidden folders come last: a home folder that git keeps has many of them. */
function compareShown(a: string, b: string): number {
  const [hiddenA, hiddenB] = [a, b].map((path) => Number(/(?:^|\/)\./.test(path)));
  return (hiddenA ?? 0) - (hiddenB ?? 0) || (a < b ? -1 : 1);
}
