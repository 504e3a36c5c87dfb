// Chunks joined to passages, and to the whole text of a file. Neighbouring chunks repeat a few words of each other.

export interface StoredChunk {
  fileId: string;
  n: number;
  page: number | null;
  heading: string | null;
  body: string;
  tokens: number;
}

/** Neighbouring chunks of one page as one text. */
export interface FoundPassage {
  fileId: string;
  /** The first of its chunks. */
  n: number;
  page: number | null;
  heading: string | null;
  body: string;
  /** The last of its chunks, if it has several. */
  last?: number;
}

/** The longest repetition that is looked for, and the shortest that is no accident, in UTF-16 units. */
const REPEATED_MAX = 400;
const REPEATED_MIN = 12;

/** Joins chunks that follow each other on a page. Ordered by their files, as `fileIds` are, then by their places. */
export function joinNeighbours(chunks: readonly StoredChunk[], fileIds: readonly string[]): FoundPassage[] {
  const order = new Map(fileIds.map((id, position) => [id, position]));
  const placeOf = ({ fileId }: StoredChunk) => order.get(fileId) ?? fileIds.length;
  const sorted = chunks.toSorted((a, b) => placeOf(a) - placeOf(b) || a.n - b.n);
  const passages: (FoundPassage & { last: number })[] = [];
  for (const { fileId, n, page, heading, body } of sorted) {
    const before = passages.at(-1);
    if (before?.fileId === fileId && before.last === n - 1 && before.page === page) {
      before.body = joinTexts(before.body, body);
      before.last = n;
    } else passages.push({ fileId, n, page, heading, body, last: n });
  }
  return passages.map(({ last, ...passage }) => ({ ...passage, ...(last > passage.n && { last }) }));
}

/** `b` after `a`, without what its beginning repeats of the end of `a`. */
export function joinTexts(a: string, b: string): string {
  const most = Math.min(REPEATED_MAX, a.length, b.length);
  for (let length = most; length >= REPEATED_MIN; length--)
    if (a.endsWith(b.slice(0, length))) return a + b.slice(length);
  return `${a}\n${b}`;
}

/** A stretch of a file's text, from chunk `n` to chunk `last`. */
export interface TextSection {
  n: number;
  last: number;
  page: number | null;
  heading: string | null;
  text: string;
}

/** A section ends at the first chunk after so many characters: a citation of it should lead to the place. */
const SECTION_LENGTH = 6000;

/** The text of a file by its pages, or by its headings where it has no pages; long ones in several parts. */
export function joinSections(chunks: readonly Pick<StoredChunk, 'n' | 'page' | 'heading' | 'body'>[]): TextSection[] {
  const sections: { first: Pick<StoredChunk, 'n' | 'page' | 'heading'>; texts: string[]; length: number }[] = [];
  for (const { body, ...chunk } of chunks) {
    const open = sections.at(-1);
    const isSame = open?.first.page === chunk.page && (chunk.page !== null || open.first.heading === chunk.heading);
    if (open && isSame && open.length < SECTION_LENGTH) {
      open.texts.push(body);
      open.length += body.length;
    } else sections.push({ first: chunk, texts: [body], length: body.length });
  }
  return sections.map(({ first, texts }) => ({ ...first, last: first.n + texts.length - 1, text: joinAll(texts) }));
}

/**
 * A text that is shown as it was uploaded, in such parts: whole lines, so that joining them gives the text again.
 * @param chunks how many the index made of it: where in the file a part is, is told by its share of them
 */
export function cutText(text: string, chunks: number): TextSection[] {
  const parts: { at: number; text: string }[] = [];
  for (let at = 0; at < text.length || parts.length === 0;) {
    const end = text.indexOf('\n', at + SECTION_LENGTH);
    const part = text.slice(at, end < 0 ? undefined : end + 1);
    parts.push({ at, text: part });
    at += Math.max(1, part.length);
  }
  const position = (at: number) =>
    Math.max(0, Math.min(chunks - 1, Math.floor((at / Math.max(1, text.length)) * chunks)));
  return parts.map(({ at, text: part }) => ({
    n: position(at),
    last: position(at + part.length - 1),
    page: null,
    heading: null,
    text: part.endsWith('\n') ? part.slice(0, -1) : part,
  }));
}

/** Compares neighbours only, so that a long text is copied once. */
function joinAll(texts: readonly string[]): string {
  const joined = texts.map((text, at) => {
    const before = texts[at - 1];
    return before === undefined ? text : joinTexts(before, text).slice(before.length);
  });
  return joined.join('');
}
