// Token usage of a run, and of a reply over all its runs: a continued reply has already been charged for earlier runs.
import type { Message, MessagePart, Usage } from '@parley/schema/messages/messages';
import type { Rates } from '@parley/schema/catalog/rates';
import type { Reservation } from './reservation.ts';

/** About four bytes a token, as in English text; marked as an estimate. */
const BYTES_PER_TOKEN = 4;

/** The usage of the run that turned `before` into `reply`: what its provider reported, or an estimate. */
export function usedBy(before: Message, reply: Message): Usage {
  // A reply that was finished earlier and got no new report still carries its old usage.
  const reported = reply.usage === before.usage ? null : reply.usage;
  // Some providers report the prompt at the beginning: usage reported before the end is not complete.
  if (reported && reported.output > 0 && reply.finishReason !== 'incomplete') return reported;
  const guess = guessUsage(reply, before);
  if (!reported) return guess;
  return reported.output <= guess.output ? { ...guess, input: reported.input } : reported;
}

/** Estimates the tokens a reply used beyond those of `before`, when the provider reports none. */
export function guessUsage(reply: Message, before?: Message): Usage {
  const bytes = outputBytesOf(reply) - (before ? outputBytesOf(before) : 0);
  return { input: 0, output: tokensOfBytes(Math.max(0, bytes)), estimated: true };
}

/** Adds the provider's reported rates to a usage. */
export function pricedAt(rates: Rates | undefined, usage: Usage): Usage {
  return rates ? { ...usage, rates } : usage;
}

/** What a run for which something is reserved will use at least: its prompt. */
export function expectedUsage(rates: Rates | undefined, reserved: Reservation): Usage {
  return pricedAt(rates, { input: reserved.promptTokens, output: 0, estimated: true });
}

/** The sum of both, at the later rates. */
export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  const isGuess = a.estimated === true || b.estimated === true;
  const rates = b.rates ?? a.rates;
  const tookMs = (a.tookMs ?? 0) + (b.tookMs ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    ...(isGuess && { estimated: true }),
    ...(rates && { rates }),
    ...(tookMs > 0 && { tookMs }),
  };
}

/** Estimates the tokens of a text by its bytes. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Bytes of all the model's output: reasoning and tool inputs are charged too. */
function outputBytesOf({ parts }: Message): number {
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
    case 'file':
    case 'error':
      return '';
    default:
      return part satisfies never;
  }
}
