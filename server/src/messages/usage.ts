// What a run used, and what a reply has used in all: a reply that is continued was paid for before.
import { textOf, type Message, type Usage } from '@parley/schema/messages';
import type { Rates } from '@parley/schema/rates';

/** About four bytes a token, as English text has it: only a guess, and marked as one. */
const BYTES_PER_TOKEN = 4;

/**
 * What the run that ended in `reply` used, when it began with `before`. Null when nobody knows, as for a run whose
 * process died before its provider had told.
 */
export function usedBy(before: Message, reply: Message): Usage | null {
  // A reply that was finished before, and of which nothing new was told, still carries the usage of then.
  if (before.usage !== null && reply.usage === before.usage) return estimateNew(before, reply);
  const isGuess = reply.usage?.estimated === true;
  return isGuess && before.parts.length > 0 ? estimateNew(before, reply) : reply.usage;
}

/** A usage at the rates that its provider tells. */
export function pricedAt(rates: Rates | undefined, usage: Usage | null): Usage | null {
  return usage && rates ? { ...usage, rates } : usage;
}

/** Both together, at the later rates. */
export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  const isGuess = a.estimated === true || b.estimated === true;
  const rates = b.rates ?? a.rates;
  const both = { input: a.input + b.input, output: a.output + b.output, ...(isGuess && { estimated: true }) };
  return rates ? { ...both, rates } : both;
}

/** About how many tokens a text has. */
export function guessTokens(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

/** About how many tokens so many bytes of text are. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function estimateNew(before: Message, reply: Message): Usage {
  const bytes = Buffer.byteLength(textOf(reply)) - Buffer.byteLength(textOf(before));
  return { input: 0, output: Math.max(0, Math.ceil(bytes / BYTES_PER_TOKEN)), estimated: true };
}
