// What a run used, and what a reply has used in all: a reply that is continued was paid for before.
import type { Message, MessagePart, Usage } from '@parley/schema/messages';
import type { Rates } from '@parley/schema/rates';

/** About four bytes a token, as English text has it: only a guess, and marked as one. */
const BYTES_PER_TOKEN = 4;

/** What the run that ended in `reply` used, when it began with `before`: what its provider told, or what we think. */
export function usedBy(before: Message, reply: Message): Usage {
  const guess = guessUsage(reply, before);
  // A reply that was finished before, and of which nothing new was told, still carries the usage of then.
  const told = reply.usage === before.usage ? null : reply.usage;
  if (!told) return guess;
  // Some tell the prompt at the beginning: what was told before the end is not all.
  const isPart = reply.finishReason === 'incomplete' || told.output === 0;
  return isPart && told.output <= guess.output ? { ...guess, input: told.input } : told;
}

/** What a reply takes of tokens, beyond what it had before, when nobody tells. */
export function guessUsage(reply: Message, before?: Message): Usage {
  const bytes = bytesSaidIn(reply) - (before ? bytesSaidIn(before) : 0);
  return { input: 0, output: tokensOfBytes(Math.max(0, bytes)), estimated: true };
}

/** A usage at the rates that its provider tells. */
export function pricedAt(rates: Rates | undefined, usage: Usage): Usage {
  return rates ? { ...usage, rates } : usage;
}

/** Both together, at the later rates. */
export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  const isGuess = a.estimated === true || b.estimated === true;
  const rates = b.rates ?? a.rates;
  const both = { input: a.input + b.input, output: a.output + b.output, ...(isGuess && { estimated: true }) };
  return rates ? { ...both, rates } : both;
}

/** About how many tokens so many bytes of text are. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** All that a model wrote: its thoughts and what it called a tool with are paid for, too. */
function bytesSaidIn({ parts }: Message): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(saidIn(part)), 0);
}

function saidIn(part: MessagePart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool_call':
      return part.call.input;
    case 'image':
    case 'error':
      return '';
    default:
      return part satisfies never;
  }
}
