// The built-in demo, used when no provider is configured: prepared texts, as a model would give them. It has no
// tokenizer, charges nothing, and its usage is an estimate.
import type { FinishReason } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { Provider, ProviderCall } from '../provider.ts';
import { asksForTitle, demoTitle, userTextOfTitlePrompt } from './title.ts';
import { roughTokens, type Turn, lastUserText } from './turns.ts';
import { fallback, footers, topics, type Topic } from './answers.ts';

// How many conversations' counts are kept; the oldest is evicted first.
const CONVOS_MAX = 500;

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

/** Chooses the demo's answer by the words of the question and by how often it was asked. */

/** Returns a chooser that gives the same conversation a different answer each time it comes, until all were given. */
function createChooser(): (messages: Turn[]) => string {
  const askings = new Map<string, number>();
  return (messages) => {
    const key = JSON.stringify(messages);
    const times = askings.get(key) ?? 0;
    askings.delete(key);
    askings.set(key, times + 1);
    for (const oldest of askings.keys()) {
      if (askings.size <= CONVOS_MAX) break;
      askings.delete(oldest);
    }
    return chooseReply(messages, times);
  };
}

/** The answer to a conversation that was asked `times` times before. */
export function chooseReply(messages: Turn[], times: number): string {
  const question = questionIn(lastUserText(messages));
  const topic = topicOf(question);
  const turn = times + timesRaised(topic, messages);
  const reply = at(topic.replies, turn);
  const signed = /\bdemo\b/i.test(reply) ? reply : `${reply}\n\n${at(footers, turn)}`;
  return filled(signed, question, messages);
}

/** The question without the attachments before it: their text is no question to the demo. */
function questionIn(text: string): string {
  const [opening, end] = ['<file name="', '\n</file>\n'];
  if (text.startsWith(opening) && text.includes(end)) return questionIn(text.slice(text.indexOf(end) + end.length));
  const isNamed = text.startsWith('[image: ') || text.startsWith('[file: ');
  if (!isNamed) return text;
  return text.includes('\n') ? questionIn(text.slice(text.indexOf('\n') + 1)) : '';
}

function topicOf(question: string): Topic {
  let best = fallback;
  let most = 0;
  for (const topic of topics) {
    const count = new Set(question.toLowerCase().match(topic.words)).size;
    if (count > most) [best, most] = [topic, count];
  }
  return best;
}

// The second question about the same thing in one conversation should not get the first answer again.
function timesRaised(topic: Topic, messages: Turn[]): number {
  const questions = messages.filter(({ role }) => role === 'user').slice(0, -1);
  return questions.filter(({ text }) => topicOf(text) === topic).length;
}

function at(texts: string[], index: number): string {
  return texts[index % texts.length] ?? '';
}

function filled(reply: string, question: string, messages: Turn[]): string {
  const tokens = roughTokens(messages.map(({ text }) => text).join(''));
  const values: Record<string, string> = {
    '%question%': quotable(question),
    '%turns%': String(messages.length),
    '%tokens%': String(tokens),
  };
  return reply.replace(/%(?:question|turns|tokens)%/g, (name) => values[name] ?? name);
}

// One short line without markdown syntax.
function quotable(question: string): string {
  const characters = [...question.replace(/\s+/g, ' ').trim()];
  const short = characters.length > 140 ? `${characters.slice(0, 140).join('')}…` : characters.join('');
  // An escaped bracket would begin a formula.
  return (
    short.replace(/[\\`*_<>|$#~]/g, '\\$&').replace(/[[\]]/g, (bracket) => (bracket === '[' ? '&#91;' : '&#93;')) || '…'
  );
}
