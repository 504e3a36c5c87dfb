/** Reads the passages in a question as a model would, and answers with the sentence that fits it, and its number. */

const PASSAGE = /^\[(\d+)\] <file name="([^"\n]*)"[^>\n]*>\n([^]*?)\n<\/file>$/gm;

/** `question` is all that the model was sent as the newest question: passages, then what was asked. */
export function citedReply(question: string): string {
  const passages = [...question.matchAll(PASSAGE)].map(([, number = '', , body = '']) => ({ number, body }));
  const asked = wordsOf(
    question
      .slice(question.lastIndexOf('</file>') + 1)
      .split('\n')
      .at(-1) ?? '',
  );
  const sentences = passages.flatMap(({ number, body }) =>
    body.split(/(?<=[.!?])\s+|\n+/).map((text) => ({ number, text, shared: shared(wordsOf(text), asked) })),
  );
  const [best] = sentences.toSorted((a, b) => b.shared - a.shared);
  return best === undefined || best.shared === 0 ? 'The files do not say.' : `${best.text.trim()} [${best.number}]`;
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3));
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}
