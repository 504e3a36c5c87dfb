/** One or two capitals for a user without an avatar: from the first and the last word of the name. */
export function initials(name: string): string {
  const words = name.split(/[\s.,_-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (
    ends
      .map((word) => firstLetter(word ?? ''))
      .join('')
      .toLocaleUpperCase() || '?'
  );
}

/** A letter that no following character can extend. Conjoining Korean letters are the only non-marks that can. */
const ALONE = /^(?![\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff])[\p{L}\p{N}](?![\p{M}\u200d])/u;

/** A grapheme: the first code point alone may be half of one. */
function firstLetter(word: string): string {
  const text = word.replace(/^[^\p{L}\p{N}]+/u, '');
  const [alone] = ALONE.exec(text) ?? [];
  // The segmenter takes a tenth of a second to initialize, during the first render.
  return alone ?? [...new Intl.Segmenter().segment(text)][0]?.segment ?? '';
}
