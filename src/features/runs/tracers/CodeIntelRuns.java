/* Watches a JVM that runs tests: which functions of the project each test runs, and who calls them. The woven classes call it. */
import java.io.OutputStream;
import java.io.PrintStream;
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

public final class CodeIntelRuns {
  /** The entry of the agent. Its loader must not know the outer class, which all classes are to see as one. */
  public static final class Agent {
    public static void premain(String args, Instrumentation tool) {
      try {
        String folder = System.getenv("CODE_INTEL_RUNS");
        String top = System.getenv("CODE_INTEL_RUNS_ROOT");
        if (folder == null || top == null) return;
        Path jar = Paths.get(args);
        tool.appendToBootstrapClassLoaderSearch(new JarFile(jar.toFile()));
        Class.forName("CodeIntelRuns", true, null)
            .getMethod("start", Path.class, String.class, String.class, Instrumentation.class)
            .invoke(null, jar.getParent(), folder, top, tool);
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

  /** By function: the phase in which it ran last; a phase is a test, or the time between two. */
  static final int[] stamps = new int[MOST];
  static final byte[] looks = new byte[MOST];
  static final String[] rows = new String[MOST];
  static final String[] paths = new String[MOST];
  static int now = 1;
  static int[] ran = new int[1024];
  static int count;
  static int functions;
  /** Functions of a class by `class.method`, with their first lines. */
  static final Map<String, List<int[]>> byName = new HashMap<>();
  static final Map<String, String> fileOfClass = new HashMap<>();
  static final Set<List<Integer>> calls = new HashSet<>();
  static final List<List<Integer>> newCalls = new ArrayList<>();
  static final BitSet written = new BitSet();
  static final BitSet loaded = new BitSet();
  static int[] setUp = {};
  static int[] prepared = {};
  static String openClass;
  static boolean isSetUp;
  static boolean hasPlatform;
  static boolean isBroken;
  static Object open;
  static String outcome;
  static long startedAt;
  static OutputStream out;
  static Path root;
  static Path channel;

  public static void start(Path own, String folder, String top, Instrumentation tool) throws Exception {
    root = Paths.get(top);
    URL[] urls = {own.resolve("asm.jar").toUri().toURL(), own.resolve("weaver").toUri().toURL()};
    Class<?> weaver = new URLClassLoader(urls, null).loadClass("CodeIntelWeaver");
    tool.addTransformer((ClassFileTransformer) weaver.getConstructor(Path.class).newInstance(root));
    // Tests that run side by side in one JVM cannot be told apart.
    System.setProperty("junit.jupiter.execution.parallel.enabled", "false");
    channel = Paths.get(folder, ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + ".ndjson");
    Runtime.getRuntime().addShutdownHook(new Thread(CodeIntelRuns::end));
  }

  /** A new function; -1 where there are too many. */
  public static synchronized int add(String path, String type, String method) {
    if (functions >= MOST) {
      isBroken = true;
      return -1;
    }
    paths[functions] = path;
    fileOfClass.put(type, path);
    byName.computeIfAbsent(type + "." + method, (key) -> new ArrayList<>()).add(new int[] {functions, 0});
    return functions++;
  }

  /** The first line of a function, which is known before it can run. */
  public static synchronized void place(int id, String type, String method, int line) {
    String name = type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
    String last = method.equals("<init>") ? name.substring(name.lastIndexOf('.') + 1) : method;
    rows[id] = "{\"fn\":[" + id + "," + quote(paths[id]) + "," + line + "," + quote(name + "." + last) + "]}\n";
    for (int[] one : byName.get(type + "." + method)) if (one[0] == id) one[1] = line;
  }

  public static void fail() {
    isBroken = true;
  }

  /** Called at the beginning of every function of the project. */
  public static void hit(int id) {
    if (stamps[id] != now) note(id);
  }

  static synchronized void note(int id) {
    if (stamps[id] == now) return;
    stamps[id] = now;
    if (count == ran.length) ran = Arrays.copyOf(ran, count * 2);
    ran[count++] = id;
    if (looks[id] >= LOOKS) return;
    looks[id]++;
    WALKER.walk((frames) -> {
      // This method, `hit` and the function itself come first, then who called it.
      frames.skip(3).limit(100).filter((frame) -> fileOfClass.containsKey(frame.getClassName())).findFirst()
          .ifPresent((frame) -> addCall(frame, id));
      return null;
    });
  }

  static void addCall(StackWalker.StackFrame frame, int callee) {
    int[] caller = null;
    int line = frame.getLineNumber();
    for (int[] one : byName.getOrDefault(frame.getClassName() + "." + frame.getMethodName(), List.of())) {
      if (one[1] <= line && (caller == null || one[1] > caller[1])) caller = one;
    }
    if (caller == null || line < 1 || paths[caller[0]].equals(paths[callee])) return;
    List<Integer> call = List.of(caller[0], callee, line);
    if (calls.add(call)) newCalls.add(call);
  }

  /** Begins another phase, and gives what ran in the last one. */
  static int[] turn() {
    int[] found = Arrays.copyOf(ran, count);
    count = 0;
    now++;
    return found;
  }

  /** An event of JUnit's platform (kinds 0 to 2), or of JUnit 4 (kinds 3 to 6). */
  public static synchronized void event(int kind, Object what, Object more) {
    try {
      if (kind < 3) hasPlatform = true;
      else if (hasPlatform) return;
      if (kind == 0) {
        if (is(what, "isTest")) begin(what);
        else if (isClass(what)) beginClass();
      } else if (kind == 1) {
        if (!is(what, "isTest")) return;
        String status = String.valueOf(ask(more, "getStatus"));
        finish(what, status.equals("SUCCESSFUL") ? "passed" : status.equals("ABORTED") ? "skipped" : "failed");
      } else if (kind == 2 || kind == 6) {
        if (kind == 6 || is(what, "isTest")) write(what, "skipped", 0, new int[0]);
      } else if (kind == 3) {
        outcome = "passed";
        begin(what);
      } else if (kind == 4) finish(what, outcome);
      else outcome = more == null ? "failed" : "skipped";
    } catch (Throwable error) {
      isBroken = true;
    }
  }

  static void beginClass() {
    for (int id : turn()) loaded.set(id);
    setUp = new int[0];
    isSetUp = true;
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
    startedAt = System.nanoTime();
  }

  static void finish(Object what, String how) throws Exception {
    if (open == null) return;
    int[] own = turn();
    boolean isAlone = what.equals(open);
    open = null;
    if (!isAlone) {
      isBroken = true;
      return;
    }
    BitSet all = new BitSet();
    for (int id : setUp) all.set(id);
    for (int id : prepared) all.set(id);
    for (int id : own) all.set(id);
    write(what, how, (System.nanoTime() - startedAt) / 1_000_000, all.stream().toArray());
  }

  static void write(Object what, String how, long ms, int[] ids) throws Exception {
    String[] named = describe(what);
    String type = named[0] == null ? "" : named[0];
    String file = fileOfClass.getOrDefault(type, "");
    StringBuilder text = new StringBuilder();
    String list = list(ids, text);
    text.append("{\"test\":{\"name\":").append(quote(named[1])).append(",\"file\":").append(quote(file))
        .append(",\"unit\":\"test\",\"outcome\":\"").append(how).append("\",\"ms\":").append(ms)
        .append(",\"ran\":").append(list).append("}}\n");
    send(text);
  }

  /** Ids as a list; the rows of those that were not named yet go before it. */
  static String list(int[] ids, StringBuilder rowsBefore) {
    StringJoiner list = new StringJoiner(",", "[", "]");
    for (int id : ids) {
      if (rows[id] == null) continue;
      if (!written.get(id)) rowsBefore.append(rows[id]);
      written.set(id);
      list.add(String.valueOf(id));
    }
    return list.toString();
  }

  static synchronized void end() {
    try {
      for (int id : turn()) loaded.set(id);
      if (out == null && loaded.isEmpty()) return;
      StringBuilder text = new StringBuilder();
      String list = list(loaded.stream().toArray(), text);
      text.append("{\"loaded\":").append(list).append("}\n");
      StringJoiner edges = new StringJoiner(",", "{\"calls\":[", "]}\n");
      for (List<Integer> call : newCalls) {
        list(new int[] {call.get(0), call.get(1)}, text);
        if (rows[call.get(0)] != null && rows[call.get(1)] != null) edges.add(call.toString().replace(" ", ""));
      }
      text.append(edges);
      if (!isBroken) text.append("{\"end\":true}\n");
      send(text);
    } catch (Throwable error) {
      // Nothing can be told any more.
    }
  }

  static void send(CharSequence text) throws Exception {
    if (out == null) {
      out = Files.newOutputStream(channel, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      String runner = hasPlatform ? "junit" : "junit 4";
      send("{\"process\":{\"tracer\":\"java 1\",\"runner\":\"" + runner + "\",\"root\":" + quote(root.toString()) + "}}\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** The class of a test and the name that reports give it; the class is null where nothing tells it. */
  static String[] describe(Object what) throws Exception {
    if (!hasPlatform) {
      String type = (String) ask(what, "getClassName");
      String method = String.valueOf(ask(what, "getMethodName"));
      return new String[] {type, type + "." + method};
    }
    Object source = ((Optional<?>) ask(what, "getSource")).orElse(null);
    String kind = source == null ? "" : source.getClass().getSimpleName();
    if (kind.equals("ClassSource")) return new String[] {(String) ask(source, "getClassName"), ask(source, "getClassName").toString()};
    String id = String.valueOf(ask(what, "getUniqueId"));
    if (!kind.equals("MethodSource")) return new String[] {null, id};
    String type = (String) ask(source, "getClassName");
    // Each of several runs of one method is a test of its own, as reports count them.
    Matcher turns = TURN.matcher(id);
    StringBuilder name = new StringBuilder(type + "." + ask(source, "getMethodName"));
    while (turns.find()) name.append('[').append(turns.group(1)).append(']');
    return new String[] {type, name.toString()};
  }

  static boolean isClass(Object what) throws Exception {
    String[] named = describe(what);
    return named[1].equals(named[0]);
  }

  static boolean is(Object what, String method) throws Exception {
    return Boolean.TRUE.equals(ask(what, method));
  }

  static Object ask(Object what, String method) throws Exception {
    java.lang.reflect.Method found = what.getClass().getMethod(method);
    found.setAccessible(true);
    return found.invoke(what);
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char one : text.toCharArray()) {
      if (one < ' ' || one == '"' || one == '\\' || Character.isSurrogate(one)) quoted.append(String.format("\\u%04x", (int) one));
      else quoted.append(one);
    }
    return quoted.append('"').toString();
  }
}
