import { foldText, isAscii } from '@parley/schema/search/fold-text';

/** Divides blocks: nothing is found across it. */
export const BLOCK_END = '\u0000';

/** A text as it is searched, and where each of its characters stands in the text itself. */
export interface Folded {
  text: string;
  placeOf: (at: number) => number;
}

export interface Place {
  from: number;
  to: number;
}

/** Folds case, accents and widths as the search in all chats does, and runs of white space to one space. */
export function fold(text: string): Folded {
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    for (const unit of foldCharacter(character)) {
      if (unit === ' ' && folded.endsWith(' ')) continue;
      folded += unit;
      for (let n = 0; n < unit.length; n++) places.push(at);
    }
    at += character.length;
  }
  return { text: folded, placeOf: (index) => places[index] ?? text.length };
}

/** The same without the places, for a text that is only counted. */
export function foldWords(text: string): string {
  const folded = isAscii(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join('');
  return folded.replace(/\s+/g, ' ');
}

function foldCharacter(character: string): string {
  if (/\s/.test(character)) return ' ';
  return character <= '\u007f' ? character.toLowerCase() : foldText(character);
}

/** What is searched for; empty for white space. */
export function foldQuery(query: string): string {
  return query.trim() === '' ? '' : foldWords(query.trimStart());
}

export function countIn(folded: string, needle: string): number {
  let count = 0;
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + needle.length)) count += 1;
  return count;
}

/** The places of what is searched for, in the text itself. */
export function placesIn({ text, placeOf }: Folded, needle: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const last = placeOf(at + needle.length - 1);
    const next = placeOf(at + needle.length);
    // A letter may be folded to several, such as ß.
    places.push({ from: placeOf(at), to: next > last ? next : last + 1 });
  }
  return places;
}
