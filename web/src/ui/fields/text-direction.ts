/**
 * Browsers find the direction of each line of a text by itself, which takes them half a minute for a megabyte of short
 * ones. A longer text has one direction as a whole.
 */
const CHARS_BY_LINES_MAX = 20_000;

const LETTER = /\p{L}/u;
const TO_THE_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;

/** The `dir` of a box with this text; an empty one has no direction of its own and takes the page's. */
export function textDirection(text: string): 'auto' | 'ltr' | 'rtl' | undefined {
  if (text === '') return undefined;
  if (text.length <= CHARS_BY_LINES_MAX) return 'auto';
  return TO_THE_LEFT.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
}
