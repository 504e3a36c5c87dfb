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
  const order = new Map(fileIds.map((id, place) => [id, place]));
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

/** The text of each page of a file, of the whole file where it has no pages. */
export function joinPages(
  chunks: readonly Pick<StoredChunk, 'page' | 'body'>[],
): { page: number | null; text: string }[] {
  const pages: { page: number | null; texts: string[] }[] = [];
  for (const { page, body } of chunks) {
    const last = pages.at(-1);
    if (last?.page === page) last.texts.push(body);
    else pages.push({ page, texts: [body] });
  }
  return pages.map(({ page, texts }) => ({ page, text: joinAll(texts) }));
}

/** Compares neighbours only, so that a long text is copied once. */
function joinAll(texts: readonly string[]): string {
  const joined = texts.map((text, at) => {
    const before = texts[at - 1];
    return before === undefined ? text : joinTexts(before, text).slice(before.length);
  });
  return joined.join('');
}
