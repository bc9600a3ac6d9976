/**
 * Payloads as agents send them, and wrong ones, tried at every step of real sessions. `deno task payloads [STEP…]` prints what
 * became of each; `--docs` writes docs/payloads.md, `--kept`
 * keeps the rows of each step in a folder. Ends with 1 where a right one is refused or a wrong one taken.
 */
import { join } from "node:path";
import type { Session } from "../../tests/support/session/session_driver.ts";
import type { WalkedProject } from "../../tests/support/session/walked_project.ts";
import { createProjectAt, resume } from "../../tests/support/session/walked_project.ts";
import { parseWords } from "../../tools/task.ts";
import { keep, print, REPOSITORY } from "../harness/run.ts";
import type { TriedPayload } from "./page.ts";
import { formatShares, formatTried, isAnswered, renderPayloads } from "./page.ts";
import type { Payload, TriedStep } from "./steps.ts";
import { rightPayload, TRIED_STEPS } from "./steps.ts";
import { FORMS, sayOtherwise } from "./variations.ts";
import { listWrong } from "./wrong.ts";

const USAGE = "deno task payloads [--docs] [--each=PAYLOADS] [--kept=FOLDER] [STEP...]";
const { values, positionals } = parseWords(USAGE, {
  allowPositionals: true,
  options: {
    docs: { type: "boolean" },
    each: { type: "string", default: "24" },
    kept: { type: "string" },
  },
});

/** Forms in which wrong payloads are sent too. */
const WRONG_FORMS = ["as it is", "fields in camelCase", "JSON in a text", "ranges behind files"];

/** Stands for the project, whose copies lie each somewhere else. */
const ROOT = "/the-project";

/** A session that stands at the step, in a copy of its own. */
class Place implements AsyncDisposable {
  readonly session: Session;
  readonly #project: WalkedProject;

  constructor(project: WalkedProject, session: Session) {
    this.#project = project;
    this.session = session;
  }

  static async open({ step, way }: TriedStep): Promise<Place> {
    const project = await createProjectAt(step, way);
    return new Place(project, await resume(project));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    await this.#project[Symbol.asyncDispose]();
  }
}

const rows: TriedPayload[] = [];
for (const tried of TRIED_STEPS) {
  if (positionals.length > 0 && !positionals.includes(`${tried.step}`)) continue;
  const kept = values.kept && join(values.kept, `${tried.step}.json`);
  for (const row of await keep(kept, () => tryStep(tried))) {
    rows.push(row);
    if (!isAnswered(row) || positionals.length > 0) print(formatTried(row));
  }
  print(
    `${tried.step} ${tried.name}: ${
      rows.filter(({ step }) => step === tried.step).length
    } payloads`,
  );
}
for (const line of formatShares(rows)) print(line);
if (values.docs === true) {
  const template = await Deno.readTextFile(new URL("page.md", import.meta.url));
  await Deno.writeTextFile(join(REPOSITORY, "docs", "payloads.md"), renderPayloads(template, rows));
}
if (!rows.every(isAnswered)) Deno.exitCode = 1;

async function tryStep(tried: TriedStep): Promise<readonly TriedPayload[]> {
  const found: TriedPayload[] = [];
  let place = await Place.open(tried);
  const send = async (kinds: readonly string[], isRight: boolean, sent: Payload) => {
    const data = JSON.parse(JSON.stringify(sent).replaceAll(ROOT, place.session.dir));
    const reply = await place.session.call("submit_phase", { data });
    const codes = ((reply.problems ?? []) as readonly { readonly code: string }[]).map(({ code }) =>
      code
    );
    const isTaken = reply.ok === true;
    found.push({
      step: tried.step,
      name: tried.name,
      kinds,
      isRight,
      isTaken,
      codes: isTaken ? [] : codes,
    });
    // What was taken changed the session: the next one is tried in a new copy.
    if (!isTaken) return;
    await place[Symbol.asyncDispose]();
    place = await Place.open(tried);
  };
  const right = rightPayload(tried);
  const at = { step: tried.step, dir: ROOT };
  for (const { what, spoil } of listWrong(tried.step)) {
    for (const { kind, say } of FORMS.filter((form) => WRONG_FORMS.includes(form.kind))) {
      const data = say(spoil(right), at);
      if (data !== null) await send([what, kind], false, data);
    }
  }
  for (const { kinds, data } of sayOtherwise(right, at, Number(values.each))) {
    await send(kinds, true, data);
  }
  await place[Symbol.asyncDispose]();
  return found;
}
