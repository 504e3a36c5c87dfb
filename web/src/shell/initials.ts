/** One or two letters for a person without a picture: of the first and the last word of the name, in capitals. */
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

/** A letter that nothing after it can belong to. Conjoining letters of Korean are the only ones without a mark that can. */
const ALONE = /^(?![\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff])[\p{L}\p{N}](?![\p{M}\u200d])/u;

/** A letter with all its marks: the first code point alone may be half of it. */
function firstLetter(word: string): string {
  const text = word.replace(/^[^\p{L}\p{N}]+/u, '');
  const [alone] = ALONE.exec(text) ?? [];
  // What knows of marks takes a tenth of a second to get ready, while the first page is being drawn.
  return alone ?? [...new Intl.Segmenter().segment(text)][0]?.segment ?? '';
}
