/** Loan words by their sound: consonants of katakana, Hangul and English words, spelled alike. Pure. */

const CONSONANTS: readonly (readonly [kana: string, sound: string])[] = [
  ["アイウエオ", "A"],
  ["ァィゥェォャュョッー", ""],
  ["カキクケコ", "k"],
  ["ガギグゲゴ", "g"],
  ["サシスセソ", "s"],
  ["ザジズゼゾヂヅ", "z"],
  ["タチツテト", "t"],
  ["ダデド", "d"],
  ["ナニヌネノマミムメモン", "n"],
  ["ハヒヘホ", "h"],
  ["フ", "f"],
  ["バビブベボヴ", "b"],
  ["パピプペポ", "p"],
  ["ヤユヨ", "y"],
  ["ラリルレロ", "r"],
  ["ワヲ", "w"],
];
const SOUNDS = new Map(CONSONANTS.flatMap(([kana, sound]) => [...kana].map((one) => [one, sound])));

/** The consonants of a word in katakana; vowels only where it begins with one. */
export function soundOfKana(word: string): string {
  const heard = word.replaceAll(/ウ(?=[ァィェォ])/g, "ワ");
  return keepSkeleton([...heard].map((kana) => SOUNDS.get(kana) ?? "").join(""));
}

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const VOWELS = 21;
const FINALS = 28;
// In the order of Unicode; an empty one is mute.
const HANGUL_INITIALS = "g k n d t r n b b s s - z z t k t p h".split(" ");
const HANGUL_FINALS = "- k k k n n n d r r r r r r r r n p p t t ng z t k t p h".split(" ");
/** Vowels that begin with a consonant, by their number. */
const GLIDES = new Map([[9, "w"], [10, "w"], [14, "w"], [15, "w"], [16, "w"]]);

/**
 * The consonants of a word in Hangul as {@link soundOfEnglish} spells them, in each way that they may stand for: its
 * letter for p is also that for f.
 */
export function soundsOfHangul(word: string): readonly string[] {
  const sounds = [...word].map((syllable, place) => {
    const at = (syllable.codePointAt(0) ?? 0) - FIRST_SYLLABLE;
    if (at < 0 || at > LAST_SYLLABLE - FIRST_SYLLABLE) return "";
    const initial = HANGUL_INITIALS[Math.floor(at / (VOWELS * FINALS))] ?? "";
    const glide = GLIDES.get(Math.floor(at / FINALS) % VOWELS) ?? "";
    const opening = initial !== "-" ? initial : glide !== "" ? glide : place === 0 ? "A" : "";
    return opening + (HANGUL_FINALS[at % FINALS] ?? "").replace("-", "");
  }).join("").replace("ngk", "nk");
  const skeleton = keepSkeleton(sounds);
  return [...new Set([skeleton, skeleton.replaceAll("p", "f")])];
}

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[ts]ion|ssion|cian|tian/g, "sn"],
  [/ture\b/g, "t"],
  [/t(?=ia|io)/g, "s"],
  [/sch/g, "sk"],
  [/tch|ch/g, "t"],
  [/dg/g, "z"],
  [/ph/g, "f"],
  [/sh|th/g, "s"],
  [/ck|q/g, "k"],
  [/x/g, "ks"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/g(?=[eiy])|j/g, "z"],
  [/wr/g, "r"],
  [/kn/g, "n"],
  [/(?<=[aeiou])r(?![aeiouy])/g, ""],
  [/(?<=[aeiou])re$/g, ""],
  [/v/g, "b"],
  [/l/g, "r"],
  [/m/g, "n"],
  [/(?<=.)[yw](?![aeiou])/g, ""],
  [/(?<=.)y/g, ""],
];

/** The consonants of an English word, spelled as {@link soundOfKana} hears them. */
export function soundOfEnglish(word: string): string {
  const spelled = SPELLINGS.reduce(
    (text, [pattern, sound]) => text.replace(pattern, sound),
    word.toLowerCase(),
  );
  return keepSkeleton(spelled.replace(/^[aeiou]+/, "A").replace(/[aeiou]/g, ""));
}

function keepSkeleton(sounds: string): string {
  return sounds.replace(/(?<=.)A/g, "").replace(/(.)\1+/g, "$1");
}
