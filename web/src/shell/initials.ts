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

/** A letter with all its marks: the first code point alone may be half of it. */
function firstLetter(word: string): string {
  const [first] = new Intl.Segmenter().segment(word.replace(/^[^\p{L}\p{N}]+/u, ''));
  return first?.segment ?? '';
}
