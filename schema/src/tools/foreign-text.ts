// Tests of this room: tests/unit/schema.

// Texts that strangers wrote: what servers and documents say of their tools.

const BREAKS = /\r\n?|[\u2028\u2029]/g;
/** Control and format characters, letters without a shape, and marks that only choose a variant. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u115f\u1160\u3164\uffa0]|\u034f|[\u{e0100}-\u{e01ef}]/gu;
/** What stays of these: line breaks, tabs, and one joiner after a letter or an emoji that can be joined. */
const NEEDED = /[\n\t]|(?<=[^\0-\x7f\u200c\u200d])[\u200c\u200d]/y;

/**
 * Without control characters, marks that change the direction of text, and characters that nobody sees: a model reads
 * what is written in them, and on a page they make a text look like another one.
 */
export function visibleText(text: string): string {
  const whole = text.replaceAll(BREAKS, '\n');
  return whole.replaceAll(HIDDEN, (character, at: number) => {
    NEEDED.lastIndex = at;
    return NEEDED.test(whole) ? character : '';
  });
}

/** Of what is cut, at least this part is kept where a sentence or a word ends. */
const KEPT_SHARE_MIN = 0.6;
const SENTENCE_ENDS = ['. ', '.\n', '! ', '? ', '\n'];

/** At most `max` characters: cut at the end of a sentence, else of a word, where one ends late enough. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = text.slice(0, max);
  const sentence = Math.max(...SENTENCE_ENDS.map((end) => room.lastIndexOf(end))) + 1;
  if (sentence >= max * KEPT_SHARE_MIN) return room.slice(0, sentence).trimEnd();
  const word = Math.max(room.lastIndexOf(' '), room.lastIndexOf('\n'));
  const end = word >= max * KEPT_SHARE_MIN ? word : max - 1;
  // A character of two halves is not cut in two.
  return `${room
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}
