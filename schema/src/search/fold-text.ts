// Mirrors the database function `search_fold`: a query must be folded like the text in which it is searched.

/** Accents, vowel signs and invisible characters. */
const DIACRITICS =
  // oxlint-disable-next-line no-misleading-character-class -- each stands for itself
  /[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]+/g;

const ASCII = /^[^\u0080-\uffff]*$/;

/** Folds text for comparison: ignores case, accents and character widths. */
export function foldText(text: string): string {
  const plain = text.replaceAll(/[\t\n\r]/g, ' ');
  if (isAscii(plain)) return plain.toLowerCase();
  const lower = plain.normalize('NFKD').replaceAll(DIACRITICS, '').toLowerCase().normalize('NFC');
  return lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}

/** Whether folding changes only case. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
