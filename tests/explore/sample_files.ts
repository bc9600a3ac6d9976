/** The files of a small repository of several languages. */

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
