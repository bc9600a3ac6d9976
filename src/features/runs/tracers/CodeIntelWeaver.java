/* Changes classes while they are loaded: those of the project tell which function runs, those of JUnit which test. */
import java.lang.instrument.ClassFileTransformer;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.*;
import org.objectweb.asm.*;

public final class CodeIntelWeaver implements ClassFileTransformer {
  static final int MOST_FILES = 200_000;
  static final String RUNS = "CodeIntelRuns";
  static final Map<String, Map<String, Integer>> EVENTS = Map.of(
      "org/junit/platform/launcher/core/ExecutionListenerAdapter",
      Map.of("executionStarted", 0, "executionFinished", 1, "executionSkipped", 2),
      "org/junit/runner/notification/RunNotifier",
      Map.of("fireTestStarted", 3, "fireTestFinished", 4, "fireTestFailure", 5, "fireTestAssumptionFailed", 7, "fireTestIgnored", 6));

  final Path root;
  /** Source files of the project by name; null until the first class is woven. */
  Map<String, List<Path>> sources;

  public CodeIntelWeaver(Path root) {
    this.root = root;
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
    try {
      if (name == null || name.equals("module-info") || old != null) return null;
      Map<String, Integer> events = EVENTS.get(name);
      Path folder = events == null ? findFolder(domain) : root;
      return folder == null ? null : weave(name, bytes, events, folder);
    } catch (Throwable error) {
      CodeIntelRuns.fail();
      return null;
    }
  }

  /** The folder of classes that one comes from, where it lies in the project; null for a class of a library. */
  Path findFolder(ProtectionDomain domain) throws Exception {
    CodeSource code = domain == null ? null : domain.getCodeSource();
    if (code == null || code.getLocation() == null || !code.getLocation().getProtocol().equals("file")) return null;
    Path place = Paths.get(code.getLocation().toURI());
    return place.startsWith(root) && Files.isDirectory(place) ? place : null;
  }

  byte[] weave(String name, byte[] bytes, Map<String, Integer> events, Path folder) throws Exception {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, 0);
    String type = name.replace('/', '.');
    reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
      String path;

      @Override
      public void visitSource(String file, String debug) {
        super.visitSource(file, debug);
        if (events == null && file != null) path = findSource(folder, name, file);
      }

      @Override
      public MethodVisitor visitMethod(int access, String method, String shape, String sign, String[] thrown) {
        MethodVisitor next = super.visitMethod(access, method, shape, sign, thrown);
        if (events != null) return events.containsKey(method) ? tellEvent(next, events.get(method), shape) : next;
        boolean isMade = (access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
        if (path == null || isMade || method.equals("<clinit>")) return next;
        int id = CodeIntelRuns.add(path, type, method);
        return id < 0 ? next : tellHit(next, id, type, method);
      }
    }, 0);
    return writer.toByteArray();
  }

  static MethodVisitor tellHit(MethodVisitor next, int id, String type, String method) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      boolean isPlaced;

      @Override
      public void visitCode() {
        super.visitCode();
        super.visitLdcInsn(id);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, RUNS, "hit", "(I)V", false);
      }

      @Override
      public void visitLineNumber(int line, Label start) {
        super.visitLineNumber(line, start);
        if (!isPlaced) CodeIntelRuns.place(id, type, method, line);
        isPlaced = true;
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(Math.max(stack, 1), locals);
      }
    };
  }

  /** Gives the argument to the tracer; of a failure of JUnit 4 whether it only gave up an assumption. */
  static MethodVisitor tellEvent(MethodVisitor next, int kind, String shape) {
    boolean hasMore = Type.getArgumentTypes(shape).length > 1;
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        super.visitLdcInsn(kind);
        super.visitVarInsn(Opcodes.ALOAD, 1);
        if (hasMore) super.visitVarInsn(Opcodes.ALOAD, 2);
        else if (kind == 7) super.visitLdcInsn("");
        else super.visitInsn(Opcodes.ACONST_NULL);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, RUNS, "event", "(ILjava/lang/Object;Ljava/lang/Object;)V", false);
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(Math.max(stack, 3), locals);
      }
    };
  }

  /** The source file of a class, relative to the root: the one nearest to the folder of its classes. */
  synchronized String findSource(Path folder, String name, String file) {
    if (sources == null) sources = listSources();
    int end = name.lastIndexOf('/');
    Path wanted = Paths.get(end < 0 ? file : name.substring(0, end + 1) + file);
    List<Path> named = sources.getOrDefault(file, List.of());
    // Kotlin and Scala do not need a folder for each package.
    boolean isExact = named.stream().anyMatch((path) -> path.endsWith(wanted));
    Path best = null;
    for (Path path : named) {
      if (isExact && !path.endsWith(wanted)) continue;
      if (best == null || countShared(path, folder) > countShared(best, folder)) best = path;
    }
    return best == null || (!isExact && named.size() > 1) ? null : root.relativize(best).toString().replace('\\', '/');
  }

  static int countShared(Path one, Path other) {
    int count = 0;
    while (count < Math.min(one.getNameCount(), other.getNameCount()) && one.getName(count).equals(other.getName(count))) count++;
    return count;
  }

  Map<String, List<Path>> listSources() {
    Map<String, List<Path>> found = new HashMap<>();
    int[] left = {MOST_FILES};
    try {
      Files.walkFileTree(root, new SimpleFileVisitor<Path>() {
        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
          String name = path.getFileName() == null ? "" : path.getFileName().toString();
          return !path.equals(root) && name.matches("\\..*|target|build|out|bin|node_modules")
              ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
          String name = path.getFileName().toString();
          if (name.matches(".*\\.(?:java|kt|scala|groovy)")) found.computeIfAbsent(name, (key) -> new ArrayList<>()).add(path);
          return --left[0] > 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, java.io.IOException error) {
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (java.io.IOException error) {
      CodeIntelRuns.fail();
    }
    return found;
  }
}
