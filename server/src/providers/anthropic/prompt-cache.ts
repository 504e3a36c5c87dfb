// Asks Anthropic to cache the beginning of a prompt: what the next question repeats then costs a tenth.
// https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
import { asFields } from '@parley/schema/json';
import type { Turn } from './tools.ts';

const MARK = { cache_control: { type: 'ephemeral' } } as const;
/** Shorter prompts are not cached, even if marked: no model caches less than 1,024 tokens of at least three bytes. */
const BYTES_MIN = 3 * 1024;
/**
 * How many of the user's last turns are marked: the last, to be read by the next question, and the one before, where the
 * last question wrote. With the tools and the instructions these are the four marks that a request may have.
 */
const TURNS_MARKED = 2;

interface Body {
  system?: string | object[];
  tools?: object[];
  messages: Turn[];
}

/** The body with its marks. */
export function withCacheMarks<T extends Body>(body: T): T {
  const { system, tools, messages } = body;
  if (Buffer.byteLength(JSON.stringify([system, tools, messages])) < BYTES_MIN) return body;
  const marked = messages.flatMap(({ role }, place) => (role === 'user' ? [place] : [])).slice(-TURNS_MARKED);
  return {
    ...body,
    ...(typeof system === 'string' && { system: [{ type: 'text', text: system, ...MARK }] }),
    ...(tools && { tools: tools.map((tool, place) => (place === tools.length - 1 ? { ...tool, ...MARK } : tool)) }),
    messages: messages.map((turn, place) => (marked.includes(place) ? withMark(turn) : turn)),
  };
}

/** The last block is marked, unless it can't be: empty texts and reasoning must not be. */
function withMark(turn: Turn): Turn {
  const blocks = typeof turn.content === 'string' ? [{ type: 'text', text: turn.content }] : turn.content;
  const last = blocks.findLastIndex(takesMark);
  if (last === -1) return turn;
  return { ...turn, content: blocks.map((block, place) => (place === last ? { ...block, ...MARK } : block)) };
}

function takesMark(block: object): boolean {
  const { type, text } = asFields(block);
  return type === 'text' ? text !== '' : type !== 'thinking' && type !== 'redacted_thinking';
}
