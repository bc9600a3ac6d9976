/** A small repository of several languages, asked with the real programs and without them. */
import { createBackends, walkFiles } from "../../src/backends/mod.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { listProjectFiles } from "../../src/git/mod.ts";
import type { LiveExplorer } from "../../src/explore/mod.ts";
import { createLiveExplorer } from "../../src/explore/mod.ts";
import type { LiveExplorerOptions } from "../../src/backends/mod.ts";
import { testNeeding } from "../support/needs.ts";
import type { Need } from "../support/needs.ts";
import { createTempRepo } from "../support/temp_repo.ts";
import type { TempRepo } from "../support/temp_repo.ts";

/** The two ways in which everything is asked. */
export const WAYS = ["programs", "fallback"] as const;

/** With rg and ctags, or without both. */
export type Way = typeof WAYS[number];

/** The files of the sample. */
export const SAMPLE: Readonly<Record<string, string>> = {
  ".gitignore": "dist/\nsecret.*\n",
  ".github/flow.yml": "name: deploy_user\n",
  "builder.py": "class Builder:\n    def build_user(self, name):\n        return name\n",
  "src/users/service.py":
    '"""save in a doc"""\nfrom builder import Builder\n\n\nclass UserService:\n    def save(self, user):\n' +
    "        # save is here\n        self.last = user\n        return Builder().build_user(user)\n\n\n" +
    'class AdminService:\n    def save(self, user):\n        print("save")\n        return user\n',
  "src/app.ts":
    'import {\n  loadUser,\n  type Options,\n} from "./load.ts";\n\nexport function start(options: Options): void {\n' +
    "  const user = loadUser(options);\n  log(`hello ${loadUser(options)} loadUser`);\n}\n",
  "src/load.ts":
    "export interface Options {\n  readonly name: string;\n}\n\n/** loadUser reads. */\n" +
    "export function loadUser(options: Options): string {\n  let count = 0;\n  count += 1;\n  return options.name;\n}\n",
  "src/style.css": ".btn {\n  color: red;\n}\n.btn-primary {\n  color: blue;\n}\n",
  "src/model.rb":
    "class Model\n  def save!\n    save? && save\n  end\n  def save?\n    x != save\n  end\nend\n",
  "src/dist_build/tool.go": "package tool\n\nfunc Run() error {\n\treturn nil\n}\n",
  "docs/guide.md": "# Guide\n\nCall loadUser first.\n",
  "package.json": '{\n  "name": "sample",\n  "Run": 1\n}\n',
};

/** A project under test. */
export interface Project extends AsyncDisposable {
  readonly temp: TempRepo;
  readonly context: LiveExplorerOptions;
  readonly explorer: LiveExplorer;
}

/** Makes the sample; the ignored files `dist/out.js` and `secret.txt` lie beside its commit. */
export async function createProject(way: Way): Promise<Project> {
  const temp = await createTempRepo({ files: SAMPLE });
  await temp.write({ "dist/out.js": "loadUser()\n", "secret.txt": "loadUser\n" });
  const env = { get: () => way === "fallback" ? "none" : undefined };
  const context: LiveExplorerOptions = {
    projectRoot: temp.dir,
    listFiles: (options) => listProjectFiles(temp.repo, options),
    backends: createBackends({ env }),
    logger: SILENT_LOGGER,
  };
  return {
    temp,
    context,
    explorer: createLiveExplorer(context),
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

/** An explorer over a folder without git. */
export function createPlainExplorer(dir: string): LiveExplorer {
  return createLiveExplorer({
    projectRoot: dir,
    listFiles: (options) => walkFiles(dir, options),
    backends: createBackends({ env: { get: () => undefined } }),
    logger: SILENT_LOGGER,
  });
}

/** What each way needs of the machine. */
const WAY_NEEDS: Readonly<Record<Way, readonly Need[]>> = {
  programs: ["rg", "ctags"],
  fallback: [],
};

/** Registers one test for each way of asking. */
export function eachWay(name: string, run: (project: Project, way: Way) => Promise<void>): void {
  for (const way of WAYS) {
    testNeeding(WAY_NEEDS[way], `${name} (${way})`, async () => {
      await using project = await createProject(way);
      await run(project, way);
    });
  }
}
