// Token usage of a run, and of a reply over all its runs: a continued reply has already been charged for earlier runs.
import type { ReportedRates, Usage } from '@parley/schema/catalog/usage';
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import type { Reservation } from './reservation.ts';

/** About four bytes a token, as in English text; marked as an estimate. */
const BYTES_PER_TOKEN = 4;

/**
 * The usage of the run of a process that ended, which turned `before` into `reply`: what its log tells, or an estimate.
 * `expected` is what it was reserved for, if it was.
 */
export function recoveredUsage(before: Message, reply: Message, expected: Usage | null): Usage {
  const guess = guessUsage(reply, before);
  // A reply that was finished earlier and got no new report still carries its old usage.
  const told = reply.usage === before.usage ? null : reply.usage;
  if (!told) return { ...guess, ...expected, output: guess.output };
  // What is told before the end is not complete.
  return told.output > guess.output ? told : { ...told, output: guess.output, estimated: true };
}

/** Estimates the tokens a reply used beyond those of `before`, when the provider reports none. */
export function guessUsage(reply: Message, before?: Message): Usage {
  const bytes = outputBytesOf(reply) - (before ? outputBytesOf(before) : 0);
  return { input: 0, output: tokensOfBytes(Math.max(0, bytes)), estimated: true };
}

/** Of calls that used nothing, or of none. */
export const NOTHING: Usage = { input: 0, output: 0, estimated: true };

/** Adds the provider's reported rates to a usage. */
export function pricedAt(rates: ReportedRates | undefined, usage: Usage): Usage {
  return rates ? { ...usage, rates } : usage;
}

/** Tells what a run for which something is reserved will use at least: its prompt. */
export function expectedUsage(rates: ReportedRates | undefined, reserved: Reservation): Usage {
  return pricedAt(rates, { input: reserved.promptTokens, output: 0, estimated: true });
}

/** Estimates the tokens of a text by its bytes. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Counts the bytes of all the model's output: reasoning and tool inputs are charged too. */
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
    case 'pending_picture':
    case 'error':
      return '';
    default:
      return part satisfies never;
  }
}
