// The built-in demo, used when no provider is configured: prepared texts, as a model would give them. It has no
// tokenizer, charges nothing, and its usage is an estimate.
import type { FinishReason } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { Provider, ProviderCall } from '../provider.ts';
import { createChooser } from './choose.ts';
import { asksForTitle, demoTitle, userTextOfTitlePrompt } from './title.ts';
import { roughTokens, type Turn } from './turns.ts';

/** About 70 pieces a second: quick enough to read along, slow enough to see it arrive. */
const PIECE_EVERY_MS = 14;

export function createDemoStream(): Provider {
  const choose = createChooser();
  return (call, signal) => streamReply(choose, call, signal);
}

async function* streamReply(
  choose: (turns: Turn[]) => string,
  call: ProviderCall,
  signal: AbortSignal,
): AsyncGenerator<Delta> {
  const turns = turnsOf(call);
  const { maxTokens } = call;
  const isTitle = asksForTitle({ messages: turns, maxTokens });
  const text = isTitle ? demoTitle(userTextOfTitlePrompt(turns)) : choose(turns);
  const { pieces, finish } = isTitle ? { pieces: [text], finish: 'stop' as const } : limited(text, call);
  let due = performance.now();
  for (const piece of pieces) {
    due += PIECE_EVERY_MS;
    await pause(due - performance.now(), signal);
    if (signal.aborted) return;
    yield { type: 'text', text: piece };
  }
  yield { type: 'finish', reason: finish };
  yield { type: 'usage', input: roughTokens(turns.map((turn) => turn.text).join('')), output: pieces.length };
}

function turnsOf({ messages, settings: { promptPrefix } }: ProviderCall): Turn[] {
  const turns = messages.map(({ role, content }) => ({ role, text: content }));
  const isInstructed = typeof promptPrefix === 'string' && promptPrefix.trim() !== '';
  return isInstructed ? [{ role: 'system', text: promptPrefix }, ...turns] : turns;
}

/** Ends the text at the first stop sequence, and at `maxTokens` pieces. */
function limited(text: string, { settings: { stop }, maxTokens = Infinity }: ProviderCall) {
  const sequences = Array.isArray(stop) ? stop.map(String) : [];
  const ends = sequences.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  const pieces = text.slice(0, Math.min(text.length, ...ends)).match(/\s?\S{1,6}|\s/gu) ?? [];
  const finish: FinishReason = pieces.length <= maxTokens ? 'stop' : 'length';
  return { pieces: pieces.slice(0, maxTokens), finish };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
