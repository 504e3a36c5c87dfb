// For providers that send the whole answer again with each update.
import type { Delta } from '../generation/delta.ts';

/**
 * Reads such updates: additions become text, and an update that changes earlier text becomes a rewrite of all of it.
 */
export function createCumulativeReader(): { said(): string; read(whole: string): Generator<Delta> } {
  let said = '';
  return { said: () => said, read };

  function* read(whole: string): Generator<Delta> {
    if (whole === said) return;
    yield whole.startsWith(said) ? { type: 'text', text: whole.slice(said.length) } : { type: 'rewrite', text: whole };
    said = whole;
  }
}
