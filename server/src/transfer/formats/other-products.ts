// Names the exports of which nothing is read, by fields that only they have, so that a person knows what a file is.
import { isObject } from '@parley/schema/json';
import type { SkipReason } from '@parley/schema/transfer/results';

export interface Unread {
  reason: Extract<SkipReason, 'other_product' | 'other_form'>;
  product: string;
}

type Fields = Record<string, unknown>;

const has =
  (...names: string[]) =>
  (value: Fields) =>
    names.every((name) => Object.hasOwn(value, name));
const within = (name: string, test: (value: Fields) => boolean) => (value: Fields) => {
  const first: unknown = Array.isArray(value[name]) ? value[name][0] : value[name];
  return isObject(first) && test(first);
};

/** The first that fits is it. */
const PRODUCTS: readonly (readonly [product: string, test: (value: Fields) => boolean])[] = [
  ['NextChat', has('chat-next-web-store')],
  ['NextChat', within('sessions', has('memoryPrompt', 'mask'))],
  [
    'Chatbox',
    (value) => Object.keys(value).some((name) => name === 'chat-sessions' || name.startsWith('chat-sessions-list')),
  ],
  ['Cherry Studio', (value) => has('localStorage', 'indexedDB')(value)],
  ['Better ChatGPT', within('chats', has('messages', 'config', 'title'))],
  ['Better ChatGPT', has('messages', 'config', 'titleSet')],
  [
    'big-AGI',
    within('conversations', (one) => has('messages')(one) && (has('systemPurposeId')(one) || has('tokenCount')(one))),
  ],
  ['big-AGI', has('systemPurposeId', 'messages')],
  ['Jan', has('object', 'assistants', 'metadata')],
  ['Jan', (value) => value.object === 'thread.message'],
  [
    'LM Studio',
    (value) => has('messages')(value) && (has('usePerChatPredictionConfig')(value) || has('userLastMessagedAt')(value)),
  ],
  ['Le Chat (Mistral)', (value) => has('chatId')(value) && (has('contentChunks')(value) || has('reaction')(value))],
  ['Perplexity', within('threads', has('entries'))],
  ['Perplexity', has('query_str', 'thread_url_slug')],
  ['Poe', has('chatId', 'bot', 'messagesConnection')],
  ['HuggingChat', (value) => has('messages', 'preprompt')(value) || has('rootMessageId')(value)],
  ['SillyTavern', has('user_name', 'character_name')],
  ['SillyTavern', has('is_user', 'mes')],
  ['AnythingLLM', has('workspace', 'prompt', 'response')],
  ['Character.AI', has('character', 'turns')],
  ['Claude Code', has('sessionId', 'cwd', 'uuid')],
  ['Cursor', has('composerId', 'tabs')],
  ['Msty', has('chatSessions')],
];

/** Parts of exports that are read whole. */
const PARTS: readonly (readonly [product: string, test: (value: Fields) => boolean])[] = [
  ['Claude (projects.json)', has('uuid', 'prompt_template', 'docs')],
  ['Claude (memories.json)', has('conversations_memory')],
  ['Claude (users.json)', has('uuid', 'full_name', 'email_address')],
  ['ChatGPT (user.json)', has('id', 'email', 'chatgpt_plus_user')],
  ['ChatGPT (message_feedback.json)', has('conversation_id', 'rating', 'user_id')],
  ['LibreChat (messages without their conversation)', has('messageId', 'conversationId', 'isCreatedByUser')],
];

/** Null for what nothing here knows. */
export function describeUnread(value: unknown): Unread | null {
  if (!isObject(value)) return null;
  const part = PARTS.find(([, test]) => test(value));
  if (part) return { reason: 'other_form', product: part[0] };
  const other = PRODUCTS.find(([, test]) => test(value));
  return other ? { reason: 'other_product', product: other[0] } : null;
}

const ZIPS: readonly (readonly [product: string, reason: Unread['reason'], name: RegExp])[] = [
  ['Gemini (MyActivity.html)', 'other_form', /gemini[^/]*\/[^/]+\.html$/i],
  ['ChatGPT (chat.html)', 'other_form', /(?:^|\/)chat\.html$/],
  ['Le Chat (Mistral)', 'other_product', /(?:^|\/)chat-[0-9a-f-]{36}\.json$/],
  ['LM Studio', 'other_product', /\.conversation\.json$/],
  ['Jan', 'other_product', /(?:^|\/)threads\/[^/]+\/thread\.json$/],
  ['Microsoft Copilot', 'other_product', /(?:^|\/)copilot[^/]*\.csv$/i],
  ['Perplexity', 'other_product', /(?:^|\/)perplexity[^/]*\//i],
  ['SillyTavern', 'other_product', /(?:^|\/)chats\/[^/]+\/[^/]+\.jsonl$/],
  ['HuggingChat', 'other_product', /(?:^|\/)(?:conversations|assistants)\.jsonl$/],
  ['Obsidian', 'other_product', /(?:^|\/)\.obsidian\//],
];

/** The same of a ZIP file, by the names of its entries. */
export function describeUnreadZip(names: readonly string[]): Unread | null {
  const found = ZIPS.find(([, , pattern]) => names.some((name) => pattern.test(name)));
  return found ? { reason: found[1], product: found[0] } : null;
}
