/**
 * Ends programs that would outlive a server which is killed by force. One helper process of a few lines of shell reads
 * from a pipe whose other end this process alone holds: however the server ends, the system closes that
 * end, and the helper kills the programs that are still on its list. Windows has no such helper.
 */

/** Starts a program with a pipe as its input and no output, in a process group of its own. */
export type ChildStart = (command: string, args: readonly string[]) => Deno.ChildProcess;

/** Keeps the list of programs that must not outlive this process. */
export interface Reaper {
  /** Puts a process on the list; a negative number stands for a whole process group. */
  add(pid: number): void;
  /** Takes it off the list, once it has ended. */
  remove(pid: number): void;
}

/**
 * Reads lines `+ PID` and `- PID`; at the end of its input it kills what is left. A name of another form would
 * be an error of ours, and is passed over rather than given to `kill`.
 */
const SCRIPT = `
list=" "
while read -r sign pid; do
  case $pid in -[0-9]*|[0-9]*) ;; *) continue ;; esac
  case $sign in
    +) list="$list$pid " ;;
    -) case $list in *" $pid "*) list="\${list%% $pid *} \${list#* $pid }" ;; esac ;;
  esac
done
for pid in $list; do kill -9 "$pid" 2>/dev/null; done
`;

/**
 * Makes the list; its helper is started with the first program, and again where somebody ended it.
 *
 * @param start Starts a program with a pipe as its input, in a process group of its own.
 */
export function createReaper(start: ChildStart): Reaper {
  let helper: Helper | null = null;
  const living = new Set<number>();
  const tell = (line: string) => {
    helper ??= startHelper(start, living, (ended) => {
      if (helper === ended) helper = null;
    });
    helper.write(line);
  };
  return {
    add: (pid) => {
      tell(`+ ${pid}\n`);
      living.add(pid);
    },
    remove: (pid) => {
      if (living.delete(pid)) tell(`- ${pid}\n`);
    },
  };
}

interface Helper {
  write(line: string): void;
}

function startHelper(
  start: ChildStart,
  living: ReadonlySet<number>,
  onEnd: (helper: Helper) => void,
): Helper {
  const child = start("sh", ["-c", SCRIPT]);
  // It must not keep a process alive that has nothing else to do.
  child.unref();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const helper: Helper = {
    write: (line) => void writer.write(encoder.encode(line)).catch(() => onEnd(helper)),
  };
  child.status.then(() => onEnd(helper), () => onEnd(helper));
  for (const pid of living) helper.write(`+ ${pid}\n`);
  return helper;
}
