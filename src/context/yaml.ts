/**
 * What the program uses of the YAML parser, by name: the package is of the older module form, of which an
 * import at run time finds the names only from source.
 */
export {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
} from "yaml";
