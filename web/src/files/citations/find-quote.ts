/** Added by the server to a quote that it cuts off. */
const CUT = '…';

/** Where a quote is in a passage, in UTF-16 units; null if the file has changed since. */
export function findQuote(text: string, quote: string): { from: number; to: number } | null {
  for (const wanted of [quote, quote.endsWith(CUT) ? quote.slice(0, -CUT.length) : '']) {
    const from = wanted === '' ? -1 : text.indexOf(wanted);
    if (from >= 0) return { from, to: from + wanted.length };
  }
  return null;
}
