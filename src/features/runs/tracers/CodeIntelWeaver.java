/* Changes classes while they are loaded: those of the project tell which function runs, those of JUnit which test. */
import java.lang.instrument.ClassFileTransformer;
import java.nio.file.*;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.*;
import java.util.function.IntConsumer;
import org.objectweb.asm.*;

public final class CodeIntelWeaver implements ClassFileTransformer {
  static final String RUNS = "CodeIntelRuns";
  static final Map<String, Map<String, Integer>> EVENTS = Map.of(
      "org/junit/platform/launcher/core/ExecutionListenerAdapter",
      Map.of("executionStarted", 0, "executionFinished", 1, "executionSkipped", 2),
      "org/junit/runner/notification/RunNotifier",
      Map.of("fireTestStarted", 3, "fireTestFinished", 4, "fireTestFailure", 5, "fireTestAssumptionFailed", 7, "fireTestIgnored", 6));

  final Path root;

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

  byte[] weave(String name, byte[] bytes, Map<String, Integer> events, Path folder) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, 0);
    String type = name.replace('/', '.');
    reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
      String path;

      @Override
      public void visitSource(String file, String debug) {
        super.visitSource(file, debug);
        // The folder of classes, then where the source lies in one of sources: the reader finds it.
        String around = root.relativize(folder).toString().replace('\\', '/');
        if (file != null) path = around + "?" + name.substring(0, name.lastIndexOf('/') + 1) + file;
      }

      @Override
      public MethodVisitor visitMethod(int access, String method, String shape, String sign, String[] thrown) {
        MethodVisitor next = super.visitMethod(access, method, shape, sign, thrown);
        if (events != null) return events.containsKey(method) ? tellEvent(next, events.get(method), shape) : next;
        boolean isMade = (access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
        if (path == null || isMade || method.equals("<clinit>")) return next;
        int id = CodeIntelRuns.add(type, path);
        return id < 0 ? next : tellHit(next, id, (line) -> CodeIntelRuns.place(id, path, line, type, method));
      }
    }, 0);
    return writer.toByteArray();
  }

  static MethodVisitor tellHit(MethodVisitor next, int id, IntConsumer place) {
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
        if (!isPlaced) place.accept(line);
        isPlaced = true;
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(Math.max(stack, 1), locals);
      }
    };
  }

  /** Gives the arguments to the tracer. */
  static MethodVisitor tellEvent(MethodVisitor next, int kind, String shape) {
    boolean hasMore = Type.getArgumentTypes(shape).length > 1;
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        super.visitLdcInsn(kind);
        super.visitVarInsn(Opcodes.ALOAD, 1);
        if (hasMore) super.visitVarInsn(Opcodes.ALOAD, 2);
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
}
