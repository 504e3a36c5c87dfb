// Which encoding a text has that is neither UTF-8 nor marked: the library ranks what its letters suggest, and of those
// that fit all bytes the first counts.

export interface Guess {
  /** As `TextDecoder` calls it. */
  encoding: string;
  /** False where others are about as likely: whoever reads the text is told. */
  isSure: boolean;
}

/** What the library looks at: pieces of the file that have letters beside ASCII. */
const SAMPLE_BYTES = 64 * 1024;
const STRETCH_BYTES = 4096;

/** The library's confidence, in percent: enough by itself, and enough where the next one has at most half of it. */
const SURE_PERCENT = 40;
const LIKELY_PERCENT = 20;

/** Where nothing fits: it knows every byte. */
const FALLBACK: Guess = { encoding: 'windows-1252', isSure: false };

/** @param pieces reads the bytes anew at each call */
export async function guessEncoding(pieces: () => AsyncIterable<Uint8Array>): Promise<Guess> {
  const sample = await sampleOf(pieces());
  // Bundled, the library has only its default export.
  const { default: chardet } = await import('chardet');
  const ranked = chardet
    .analyse(sample)
    .map(({ name, confidence }) => ({ encoding: decoderFor(name), confidence }))
    .filter((one): one is { encoding: string; confidence: number } => one.encoding !== null);
  // Of short texts in the scripts of East Asia the library is never confident, and letters with accents stand alone.
  const isUndecided = (ranked[0]?.confidence ?? 0) < LIKELY_PERCENT;
  const found = isUndecided
    ? [...ranked.filter(() => isInPairs(sample)), { encoding: FALLBACK.encoding, confidence: 0 }]
    : ranked;
  for (const [at, { encoding, confidence }] of found.entries()) {
    if (!(await isTextIn(encoding, pieces()))) continue;
    const next = found.slice(at + 1).find((one) => one.encoding !== encoding)?.confidence ?? 0;
    return { encoding, isSure: confidence >= SURE_PERCENT || (confidence >= LIKELY_PERCENT && confidence >= 2 * next) };
  }
  return FALLBACK;
}

/** UTF-16 and UTF-32 without a mark are not guessed: their bytes are no text of other encodings. */
function decoderFor(name: string): string | null {
  try {
    const { encoding } = new TextDecoder(name);
    return encoding.startsWith('utf-') ? null : encoding;
  } catch {
    return null;
  }
}

async function sampleOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const stretches: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length && length < SAMPLE_BYTES; at += STRETCH_BYTES) {
      const stretch = piece.subarray(at, at + STRETCH_BYTES);
      if (!stretch.some((byte) => byte >= 0x80)) continue;
      stretches.push(Uint8Array.from(stretch));
      length += stretch.length;
    }
    if (length >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(stretches);
}

/** Whether most bytes beside ASCII stand in runs, as those of characters of two bytes do. */
function isInPairs(sample: Uint8Array): boolean {
  let [runs, alone] = [0, 0];
  for (let at = 0; at < sample.length; at++) {
    if ((sample[at] ?? 0) < 0x80) continue;
    runs++;
    const from = at;
    while ((sample[at + 1] ?? 0) >= 0x80) at++;
    if (at === from) alone++;
  }
  return runs > 0 && alone / runs < 0.5;
}

/** What no text has: an older encoding that is the wrong one shows them soon. */
const C1 = /[\u0080-\u009f]/;

/** Whether all bytes are text of this encoding. */
export async function isTextIn(encoding: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const isOlder = !encoding.startsWith('utf-');
  const isText = (text: string) => !(isOlder && C1.test(text));
  try {
    for await (const piece of pieces) if (!isText(decoder.decode(piece, { stream: true }))) return false;
    return isText(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
