import type { Delta } from '../generation/delta.ts';
import type { CountPrompt } from './call-count.ts';
import { createUsageCounter } from './usage-counter.ts';

/**
 * Drops the usage that a user's own server reports when it is lower than our count of the prompt and the reply: its
 * owner could otherwise choose what to pay. Tokens are then counted as for a provider that reports none. What it says of a
 * cache, whose tokens cost less, counts for nothing.
 */
export async function* clampReportedUsage(
  deltas: AsyncIterable<Delta>,
  countPrompt: CountPrompt,
): AsyncGenerator<Delta> {
  const counter = createUsageCounter();
  let reported: Extract<Delta, { type: 'usage' }> | null = null;
  for await (const delta of deltas) {
    counter.add(delta);
    // Held back to the end: more text may follow.
    if (delta.type === 'usage') reported = delta;
    else yield delta;
  }
  if (!reported || reported.output < counter.tokens() || reported.input < (await countPrompt())) return;
  const { cachedRead: _read, cachedWrite: _write, ...counted } = reported;
  yield counted;
}
