/** The table of features: to which group each belongs, and what it says of a file. Pure. */

/** A group that the configuration scales: `search_weights`. */
export type FeatureGroup = "vector" | "keyword" | "definition" | "reference";

/** Every feature: its group, and what makes it 1. */
export const FEATURES = {
  text: { group: "keyword", what: "its best chunks have the words, most of all candidates" },
  mentions: {
    group: "keyword",
    what:
      "it has the words of the question more often than any other candidate, the rarer the more",
  },
  spread: { group: "keyword", what: "more of its chunks have them than of any other candidate" },
  phrase: { group: "keyword", what: "a chunk has runs of words of the message as they stand" },
  name_cover: { group: "keyword", what: "the question holds every word of the file's name" },
  name_words: { group: "keyword", what: "every word of the question is in the file's name" },
  folder_words: { group: "keyword", what: "every word of the question is in its folders" },
  subject: { group: "keyword", what: "the first word of the question is in the file's name" },
  path: { group: "keyword", what: "it is the path that is asked for" },
  definition: { group: "definition", what: "names defined here are the words of the question" },
  pair: { group: "definition", what: "words side by side in the question are so in names here" },
  identifier: { group: "definition", what: "an identifier of the question is defined here" },
  literal: {
    group: "definition",
    what: "it has the names that the question writes as code, the rarer the more",
  },
  exact: { group: "definition", what: "the name that is asked for is defined here" },
  uses: { group: "reference", what: "more files name its definitions than of any other candidate" },
  size: { group: "reference", what: "it has many lines" },
  past: {
    group: "reference",
    what: "past commits with messages like the question changed it, more than any other file",
  },
  lately: { group: "reference", what: "the last commit changed it" },
  seldom: {
    group: "reference",
    what: "few commits changed it, so that one like the question tells",
  },
  together: {
    group: "reference",
    what: "commits like the question changed it together with the files that fit best",
  },
  kin: { group: "reference", what: "files with its name fit best: its test, its header" },
  uses_it: { group: "reference", what: "it names what the files that fit best define" },
  word_vector: { group: "vector", what: "its words mean what those of the question mean" },
  vector: { group: "vector", what: "its meaning is nearest to the question's" },
} as const satisfies Readonly<
  Record<string, { readonly group: FeatureGroup; readonly what: string }>
>;

/** Name of a feature. */
export type FeatureName = keyof typeof FEATURES;

/** The features of one candidate; those that are 0 may be absent. */
export type Features = Readonly<Partial<Record<FeatureName, number>>>;
