// What is remembered between chats, and what may stand in it. Without the rules of inputs, so that the page can use it.
import type { MemoryScope } from '../settings/memory-mode.ts';
import { visibleText } from './foreign-text.ts';

export const MEMORY_TEXT_MAX = 500;
/** Entries of a person. */
export const MEMORIES_MAX = 1000;
/** Of all that an answer is shown, in tokens. */
export const MEMORY_TOKENS_MAX = 2000;

/** The names of the tools, and their ids. */
export const REMEMBER = 'remember';
export const FORGET = 'forget';

/** Whether a call, or a tool, is one of the memory. */
export function isOfMemory({ from }: { from?: { source: string; id: string } | undefined }): boolean {
  return from?.source === 'builtin' && (from.id === REMEMBER || from.id === FORGET);
}

export interface Memory {
  id: string;
  scope: MemoryScope;
  text: string;
  source: 'person' | 'model';
  /** The conversation that it comes from; null where there is none, or none any more. */
  from: { conversationId: string; title: string | null } | null;
  uses: number;
  usedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const SCHEME = /\b[a-z][a-z0-9+.-]{1,20}:\/\/|\b(?:mailto|javascript|data|tel|sms):\S|\bwww\.\S/iu;
/** `example.com/page`, `10.0.0.1:80`. */
const HOST = /[\p{L}\p{N}]\.[\p{L}\p{N}-]{1,63}(?::\d|\/\S)/u;
const MAIL = /\S@[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]/u;
/** The name of a host alone, by endings that hardly end a word otherwise. */
const DOMAIN =
  /[\p{L}\p{N}-]\.(?:com|net|org|io|dev|app|info|biz|xyz|top|site|online|example|ru|cn|de|uk|fr|eu|me|co)\b/iu;

/** Whether an address stands in a text: what is remembered is shown again in every chat, and must lead nowhere. */
export function hasAddress(text: string): boolean {
  const whole = visibleText(text);
  return SCHEME.test(whole) || HOST.test(whole) || MAIL.test(whole) || DOMAIN.test(whole);
}

/** Other signs that look alike and mark nothing up. */
const PLAIN: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '`': "'",
};

/** Before a line of a list, and before a heading. */
const LINE_MARK = /^(?:#{1,6}|[-+]|\d{1,3}\.)\s/;

/** The text as it is stored: one line that no reader takes for markup. It may be empty, or too long. */
export function memoryText(text: string): string {
  const lines = visibleText(text)
    .normalize('NFC')
    .replaceAll(/[<>[\]{}`]/g, (sign) => PLAIN[sign] ?? '')
    .replaceAll(/\*+|__+|~~+|\|\|+/g, '')
    .split('\n');
  const bare = lines.map((line) => line.trim().replace(LINE_MARK, ''));
  return bare.join(' ').replaceAll(/\s+/g, ' ').trim();
}
