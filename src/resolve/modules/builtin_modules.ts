/**
 * Names of modules that come with a language: an import of one leads outside of the project, whatever files of the
 * project bear the name. Pure.
 */

/** What Node has without a prefix, as its documentation lists it. */
const NODE = new Set(
  ("assert async_hooks buffer child_process cluster console constants crypto dgram " +
    "diagnostics_channel dns domain events fs http http2 https inspector module net os path " +
    "perf_hooks process punycode querystring readline repl stream string_decoder sys timers " +
    "tls trace_events tty url util v8 vm wasi worker_threads zlib").split(" "),
);

/** The standard library of Python 3, its recent removals included, as `sys.stdlib_module_names` lists it. */
const PYTHON = new Set(
  ("abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop " +
    "base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code " +
    "codecs codeop collections colorsys compileall compression concurrent configparser " +
    "contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm " +
    "decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler " +
    "fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass " +
    "gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib " +
    "inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma " +
    "mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing " +
    "netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev " +
    "pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath " +
    "pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random re " +
    "readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex " +
    "shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile " +
    "sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau " +
    "symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap " +
    "threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty " +
    "turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref " +
    "webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib " +
    "zoneinfo").split(" "),
);

/** Whether a bare module of a script is Node's own: `fs`, `fs/promises`, `node:fs`. */
export function isNodeModule(module: string): boolean {
  return module.startsWith("node:") || NODE.has(toFirst(module, "/"));
}

/**
 * Whether an absolute module of Python is of the standard library. A file of the project with the name may win where a
 * program starts beside it, which nothing here knows.
 */
export function isPythonLibrary(module: string): boolean {
  return PYTHON.has(toFirst(module, "."));
}

function toFirst(module: string, separator: string): string {
  const at = module.indexOf(separator);
  return at < 0 ? module : module.slice(0, at);
}
