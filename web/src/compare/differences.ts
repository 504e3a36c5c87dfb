// What two answers have in common and what only one of them says. Paragraphs are matched first and words only within
// matched ones: a comparison by words of two unrelated answers of 1,500 words takes seconds.
import { diffArrays } from 'diff';

/** A run of words; `isOnly`: the other answer does not have them. */
export interface Piece {
  text: string;
  isOnly: boolean;
}

/** Of each answer its paragraphs, of which each is its pieces in order. */
export interface Differences {
  sides: readonly [Piece[][], Piece[][]];
  /** Less than a fifth of their text is in common, so that marks would say nothing; or all of it is. */
  likeness: 'unlike' | 'some' | 'alike';
}

/** All of it; what is not compared by then is another paragraph. */
const TIME_MAX_MS = 100;
/** Words of a paragraph that is compared word by word. */
const WORDS_MAX = 300;
/** Of the words of two paragraphs that are matched. */
const MATCH_SHARE_MIN = 0.5;
const COMMON_SHARE_MIN = 0.2;

export function findDifferences(left: string, right: string): Differences {
  const end = performance.now() + TIME_MAX_MS;
  const [before, after] = [paragraphsIn(left), paragraphsIn(right)];
  const changes = diffArrays(before, after, { timeout: TIME_MAX_MS });
  // Not even the paragraphs could be compared in time.
  if (!changes) return { sides: [before.map(wholly(true)), after.map(wholly(true))], likeness: 'unlike' };
  const sides: [Piece[][], Piece[][]] = [[], []];
  let removed: string[] = [];
  for (const { value, added, removed: isRemoved } of changes) {
    if (isRemoved) {
      removed = value;
      continue;
    }
    const own = added ? matchParagraphs(removed, value, end) : undefined;
    sides[0].push(...(own?.[0] ?? removed.map(wholly(true))));
    sides[1].push(...(own?.[1] ?? []));
    if (!added) for (const side of sides) side.push(...value.map(wholly(false)));
    removed = [];
  }
  sides[0].push(...removed.map(wholly(true)));
  const share = commonShare(sides);
  return { sides, likeness: share === 1 ? 'alike' : share < COMMON_SHARE_MIN ? 'unlike' : 'some' };
}

function paragraphsIn(text: string): string[] {
  return text.split('\n\n').filter((paragraph) => paragraph.trim() !== '');
}

function wholly(isOnly: boolean): (text: string) => Piece[] {
  return (text) => [{ text, isOnly }];
}

/** Each paragraph is compared with the next one of the other answer that has half of its words. */
function matchParagraphs(before: readonly string[], after: readonly string[], end: number): [Piece[][], Piece[][]] {
  const left = before.map(wholly(true));
  const right = after.map(wholly(true));
  const others = after.map(wordsIn);
  let from = 0;
  for (const [at, paragraph] of before.entries()) {
    const words = wordsIn(paragraph);
    const to = others.findIndex((other, place) => place >= from && performance.now() < end && isAlike(words, other));
    const pair = to < 0 ? null : compareWords(words, others[to] ?? [], end - performance.now());
    if (!pair) continue;
    [left[at], right[to]] = pair;
    from = to + 1;
  }
  return [left, right];
}

function isAlike(words: readonly string[], others: readonly string[]): boolean {
  if (words.length > 2 * WORDS_MAX || others.length > 2 * WORDS_MAX) return false;
  const known = new Set(others);
  const shared = words.filter((word) => known.has(word)).length;
  return shared >= MATCH_SHARE_MIN * Math.max(words.length, others.length);
}

function compareWords(words: string[], others: string[], timeout: number): [Piece[], Piece[]] | null {
  const changes = timeout > 0 ? diffArrays(words, others, { timeout }) : undefined;
  if (!changes) return null;
  const sides: [Piece[], Piece[]] = [[], []];
  for (const { value, added, removed } of changes) {
    const piece = { text: value.join(''), isOnly: added || removed };
    if (!added) sides[0].push(piece);
    if (!removed) sides[1].push(piece);
  }
  return sides;
}

/** Words and what stands between them, in order. */
function wordsIn(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== '');
}

function commonShare(sides: Differences['sides']): number {
  const pieces = sides.flat(2);
  const all = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const common = pieces.reduce((sum, { text, isOnly }) => sum + (isOnly ? 0 : text.length), 0);
  return all === 0 ? 1 : common / all;
}
