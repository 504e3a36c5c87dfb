/** Chooses the demo's answer by the words of the question and by how often it was asked. */
import { fallback, footers, topics } from './answers.ts';
import type { Topic } from './answers.ts';
import { lastUserText, roughTokens, type Turn } from './turns.ts';

// How many conversations' counts are kept; the oldest is evicted first.
const CONVOS_MAX = 500;

/** Returns a chooser that gives the same conversation a different answer each time it comes, until all were given. */
export function createChooser(): (messages: Turn[]) => string {
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
