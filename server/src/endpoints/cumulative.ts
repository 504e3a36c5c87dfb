// For providers that tell the whole answer again with each update.
import type { Delta } from '../generation/delta.ts';

/** Reads such updates: what is new as text, an update that takes back what was said as a rewrite of all of it. */
export function createCumulativeReader(): { said(): string; read(whole: string): Generator<Delta> } {
  let said = '';
  return { said: () => said, read };

  function* read(whole: string): Generator<Delta> {
    if (whole === said) return;
    yield whole.startsWith(said) ? { type: 'text', text: whole.slice(said.length) } : { type: 'rewrite', text: whole };
    said = whole;
  }
}
