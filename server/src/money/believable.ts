import type { Delta } from '../generation/delta.ts';
import { createTally } from './tally.ts';

/**
 * What a server of the user's own says, without the usage that it tells where that is less than what it was asked and
 * has said: whoever owns it would choose what is paid. Then it is counted as where nothing is told.
 */
export async function* believable(deltas: AsyncIterable<Delta>, promptTokens: number): AsyncGenerator<Delta> {
  const tally = createTally();
  let told: Extract<Delta, { type: 'usage' }> | null = null;
  for await (const delta of deltas) {
    tally.hear(delta);
    // Held back to the end: more may be said after it.
    if (delta.type === 'usage') told = delta;
    else yield delta;
  }
  if (told && told.input >= promptTokens && told.output >= tally.tokens()) yield told;
}
