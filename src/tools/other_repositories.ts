/** How replies tell what other repositories of the workspace say; a project without a workspace has nothing of it. */
import type { Found } from "../explore/explorer.ts";
import type { OtherAnswer } from "../services/other_repositories.ts";

/** Whether other repositories are asked too: only for the first page of a question that names no folder of the project. */
export function isForAll(
  input: { readonly path?: string | undefined; readonly offset: number },
): boolean {
  return input.path === undefined && input.offset === 0;
}

/** The field of a reply, on the wire; none where they say nothing. */
export function toOtherFields({ others }: OtherAnswer): Readonly<Record<string, unknown>> {
  if (others.length === 0) return {};
  const rows = others.map(({ places, ...row }) => places.length === 0 ? row : { ...row, places });
  return { "other_repositories": rows };
}

/** An answer with what has to be said about the repositories that were asked. */
export function withOtherNotices<Answer extends Pick<Found, "notices">>(
  answer: Answer,
  { notices }: OtherAnswer,
): Answer {
  return notices.length === 0
    ? answer
    : { ...answer, notices: [...answer.notices ?? [], ...notices] };
}
