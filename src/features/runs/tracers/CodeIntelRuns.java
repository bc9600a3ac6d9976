/* Watches a JVM that runs tests: which functions of the project each test runs, and who calls them. The woven classes call it. */
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

public final class CodeIntelRuns {
  /** The entry of the agent. Its loader must not know the outer class, which all classes are to see as one. */
  public static final class Agent {
    public static void premain(String args, Instrumentation tool) {
      try {
        if (System.getenv("CODE_INTEL_RUNS") == null || System.getenv("CODE_INTEL_RUNS_ROOT") == null) return;
        tool.appendToBootstrapClassLoaderSearch(new JarFile(args));
        Class.forName("CodeIntelRuns", true, null).getMethod("start", Path.class, Instrumentation.class)
            .invoke(null, Paths.get(args).getParent(), tool);
      } catch (Throwable error) {
        // The run goes on without being watched.
      }
    }
  }

  static final int MOST = 200_000;
  /** Looks at the stack for each function: its callers seldom grow after that (guessed). */
  static final int LOOKS = 64;
  /** Parts of an identity that tell one run of a method from another, as in `[test-template-invocation:#2]`. */
  static final Pattern TURN = Pattern.compile("\\[[\\w-]+:#(\\d+)\\]");
  static final StackWalker WALKER = StackWalker.getInstance();
  static final String ROOT = System.getenv("CODE_INTEL_RUNS_ROOT");

  /** By function: the phase in which it ran last; a phase is a test, or the time between two. */
  static final int[] stamps = new int[MOST];
  static final byte[] looks = new byte[MOST];
  static final String[] files = new String[MOST];
  static final Map<String, String> fileOfClass = new HashMap<>();
  /** Functions, and lines that call one, by their rows. */
  static final Map<String, Integer> ids = new HashMap<>();
  static final Set<String> calls = new LinkedHashSet<>();
  static final BitSet loaded = new BitSet();
  static BitSet ran = new BitSet(), setUp = new BitSet(), prepared = new BitSet();
  static int now = 1, functions;
  static boolean isSetUp, hasPlatform, isBroken;
  static Object open;
  static String openClass, outcome;
  static long startedAt;
  static OutputStream out;
  /** Rows that are not written yet. */
  static StringBuilder text = new StringBuilder();

  public static void start(Path own, Instrumentation tool) throws Exception {
    URL[] urls = {own.resolve("asm.jar").toUri().toURL(), own.resolve("weaver").toUri().toURL()};
    Class<?> weaver = new URLClassLoader(urls, null).loadClass("CodeIntelWeaver");
    tool.addTransformer((ClassFileTransformer) weaver.getConstructor(Path.class).newInstance(Paths.get(ROOT)));
    // Tests that run side by side in one JVM cannot be told apart.
    System.setProperty("junit.jupiter.execution.parallel.enabled", "false");
    Runtime.getRuntime().addShutdownHook(new Thread(CodeIntelRuns::end));
  }

  /** A new function of a class; -1 where there are too many. */
  public static synchronized int add(String type, String file) {
    fileOfClass.put(type, file);
    if (functions >= MOST) isBroken = true;
    return functions < MOST ? functions++ : -1;
  }

  /** The first line of a function, which is known before it can run. One without lines is not told. */
  public static synchronized void place(int id, String file, int line, String type, String method) {
    files[id] = file;
    String name = method.equals("<init>") ? type.replaceAll(".*[.$]", "") : method;
    row("{\"fn\":[%d,%s,%d,%s]}", id, quote(file), line, quote(name));
  }

  static void row(String form, Object... values) {
    text.append(String.format(Locale.ROOT, form, values)).append('\n');
  }

  public static void fail() {
    isBroken = true;
  }

  /** Called at the beginning of every function of the project. */
  public static void hit(int id) {
    if (stamps[id] != now) note(id);
  }

  static synchronized void note(int id) {
    stamps[id] = now;
    if (files[id] == null) return;
    ran.set(id);
    if (looks[id]++ >= LOOKS) looks[id] = LOOKS;
    // This method, `hit` and the function itself come first, then who called it.
    else WALKER.walk((frames) -> frames.skip(3).limit(100)
        .filter((frame) -> fileOfClass.containsKey(frame.getClassName())).findFirst())
        .ifPresent((frame) -> addCall(frame, id));
  }

  /** The caller is told by the line of the call: the reader knows which function that lies in. */
  static void addCall(StackWalker.StackFrame frame, int callee) {
    String file = fileOfClass.get(frame.getClassName());
    int line = frame.getLineNumber();
    if (line < 1 || file.equals(files[callee]) || functions >= MOST || frame.getMethodName().equals("<clinit>")) return;
    int caller = ids.computeIfAbsent(file + ":" + line, (key) -> {
      row("{\"fn\":[%d,%s,%d,\"\"]}", functions, quote(file), line);
      return functions++;
    });
    calls.add("[" + caller + "," + callee + "," + line + "]");
  }

  /** Begins another phase, and gives what ran in the last one. */
  static BitSet turn() {
    BitSet found = ran;
    ran = new BitSet();
    now++;
    return found;
  }

  /** An event of JUnit's platform (kinds 0 to 2), or of JUnit 4 (kinds 3 to 7). */
  public static synchronized void event(int kind, Object what, Object more) {
    try {
      if (kind < 3) hasPlatform = true;
      else if (hasPlatform) return;
      boolean isTest = kind > 2 || Boolean.TRUE.equals(ask(what, "isTest"));
      String status = kind == 1 ? String.valueOf(ask(more, "getStatus")) : "";
      if (!isTest) {
        String[] named = describe(what);
        if (kind != 0 || !named[1].equals(named[0])) return;
        // A class begins: what ran since the last test is of none.
        loaded.or(turn());
        isSetUp = true;
      } else if (kind == 0 || kind == 3) begin(what);
      else if (kind == 1) {
        finish(what, status.equals("SUCCESSFUL") ? "passed" : status.equals("ABORTED") ? "skipped" : "failed");
      } else if (kind == 2 || kind == 6) write(what, "skipped", 0, new BitSet());
      else if (kind == 4) finish(what, outcome);
      else outcome = kind == 5 ? "failed" : "skipped";
    } catch (Throwable error) {
      isBroken = true;
    }
  }

  static void begin(Object what) throws Exception {
    // The platform may tell each of several listeners.
    if (what.equals(open)) return;
    // Side by side: nobody knows whose function ran.
    if (open != null) isBroken = true;
    String type = describe(what)[0];
    if (type == null || !type.equals(openClass)) isSetUp = true;
    openClass = type;
    // What ran since the last test prepares this one, or its whole class.
    prepared = turn();
    if (isSetUp) setUp = prepared;
    isSetUp = false;
    open = what;
    outcome = "passed";
    startedAt = System.nanoTime();
  }

  static void finish(Object what, String how) throws Exception {
    if (open == null) return;
    BitSet own = turn();
    if (!what.equals(open)) isBroken = true;
    else {
      own.or(setUp);
      own.or(prepared);
      write(what, how, (System.nanoTime() - startedAt) / 1_000_000, own);
    }
    open = null;
  }

  static void write(Object what, String how, long ms, BitSet own) throws Exception {
    String[] named = describe(what);
    row("{\"test\":{\"name\":%s,\"file\":%s,\"unit\":\"test\",\"outcome\":\"%s\",\"ms\":%d,\"ran\":%s}}",
        quote(named[1]), quote(fileOfClass.getOrDefault(named[0], "")), how, ms, list(own));
    send();
  }

  static String list(BitSet own) {
    return Arrays.toString(own.stream().toArray());
  }

  static synchronized void end() {
    try {
      loaded.or(turn());
      // A test ended the JVM.
      if (open != null) isBroken = true;
      if (out == null && loaded.isEmpty()) return;
      row("{\"loaded\":%s}\n{\"calls\":[%s]}", list(loaded), String.join(",", calls));
      if (!isBroken) row("{\"end\":true}");
      send();
    } catch (Throwable error) {
      // Nothing can be told any more.
    }
  }

  static void send() throws Exception {
    String rows = text.toString();
    if (out == null) {
      String name = ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + ".ndjson";
      out = Files.newOutputStream(Paths.get(System.getenv("CODE_INTEL_RUNS"), name));
      rows = String.format("{\"process\":{\"runner\":\"%s\",\"root\":%s}}\n", hasPlatform ? "junit" : "junit 4", quote(ROOT)) + rows;
    }
    out.write(rows.getBytes(StandardCharsets.UTF_8));
    text = new StringBuilder();
  }

  /** The class of a test and the name that reports give it; the class is null where nothing tells it. */
  static String[] describe(Object what) throws Exception {
    if (!hasPlatform) {
      String type = (String) ask(what, "getClassName");
      return new String[] {type, type + "." + ask(what, "getMethodName")};
    }
    Object source = ((Optional<?>) ask(what, "getSource")).orElse(null);
    String kind = source == null ? "" : source.getClass().getSimpleName();
    String id = String.valueOf(ask(what, "getUniqueId"));
    if (!kind.equals("ClassSource") && !kind.equals("MethodSource")) return new String[] {null, id};
    String type = (String) ask(source, "getClassName");
    if (kind.equals("ClassSource")) return new String[] {type, type};
    // Each of several runs of one method is a test of its own, as reports count them.
    StringBuilder name = new StringBuilder(type + "." + ask(source, "getMethodName"));
    for (Matcher turns = TURN.matcher(id); turns.find();) name.append('[').append(turns.group(1)).append(']');
    return new String[] {type, name.toString()};
  }

  static Object ask(Object what, String method) throws Exception {
    java.lang.reflect.Method found = what.getClass().getMethod(method);
    found.setAccessible(true);
    return found.invoke(what);
  }

  static String quote(String text) {
    return text.chars()
        .mapToObj((one) -> one < ' ' || one > '~' || one == '"' || one == '\\' ? String.format("\\u%04x", one) : "" + (char) one)
        .collect(Collectors.joining("", "\"", "\""));
  }
}
