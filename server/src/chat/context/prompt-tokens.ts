import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import { countTokens } from '../../catalog/count-tokens.ts';
import { contextLimitsOf, fileRulesOf, withFiles } from './context-limits.ts';
import { estimateFiles } from './files/estimate-files.ts';
import { attachedTokensOf, withAttachments, type AttachmentRules } from './files/attachments.ts';
import { historyMessageOf } from './history.ts';
import type { Ask } from '../ask-messages.ts';
import { readAttachments } from '../../files/read-attachments.ts';
import { messageTokens } from './token-budget.ts';
import { walkUp } from '../../messages/thread.ts';

/**
 * The prompt tokens of an ask: the question, the instructions, and as much of the history as fits the window. Counted
 * before the ask's transaction because long texts take time.
 */
export async function promptTokensOf(
  query: Query,
  { userId, input, endpoint, model, metadata, settings }: Ask,
): Promise<number> {
  const bare = contextLimitsOf(endpoint, model, settings, metadata);
  const limits = withFiles(bare, estimateFiles(query, userId, fileRulesOf(bare)));
  const { window, reserve, instructions, attachments } = limits;
  const { text, from, isReplaced, files } = partsOf(input.target);
  const images = await attachedTokens(query, userId, files ?? [], attachments);
  const own = images + (await countTokens(instructions)) + (text === null ? 0 : await messageTokens(text));
  const room = window - reserve - own;
  const history =
    from === null
      ? 0
      : await historyTokens(query, userId, { from, isReplaced, hasQuestion: files === null, attachments }, room);
  return own + history;
}

interface Parts {
  text: string | null;
  /** The newest message of the history. */
  from: string | null;
  /** Whether the text replaces that message. */
  isReplaced: boolean;
  /** Attached to a new question; null where the question is stored. */
  files: readonly string[] | null;
}

function partsOf(target: AskInput['target']): Parts {
  switch (target.kind) {
    case 'send':
      return { text: target.text, from: target.parentMessageId, isReplaced: false, files: target.files ?? [] };
    case 'regenerate':
      return { text: null, from: target.parentMessageId, isReplaced: false, files: null };
    case 'continue':
    case 'resume':
      return { text: null, from: target.messageId, isReplaced: false, files: null };
    case 'edit':
      return { text: target.text, from: target.messageId, isReplaced: true, files: null };
    default:
      return target satisfies never;
  }
}

async function attachedTokens(
  query: Query,
  userId: string,
  files: readonly string[],
  rules: AttachmentRules,
): Promise<number> {
  if (files.length === 0) return 0;
  const parts = await readAttachments(query, userId, files);
  return attachedTokensOf(await withAttachments({ parts, isCreatedByUser: true }, '', rules, true), rules);
}

interface StoredHistory {
  from: string;
  isReplaced: boolean;
  /** Whether the question is part of it; its images are sent in any case. */
  hasQuestion: boolean;
  attachments: AttachmentRules;
}

async function historyTokens(
  query: Query,
  userId: string,
  { from, isReplaced, hasQuestion, attachments }: StoredHistory,
  room: number,
): Promise<number> {
  let sum = 0;
  let isQuestionAhead = hasQuestion;
  let answers = 0;
  for await (const row of walkUp(query, userId, from)) {
    const message =
      isReplaced && row.id === from ? null : await historyMessageOf(row, attachments, isQuestionAhead, answers);
    if (!message) continue;
    if (!row.isCreatedByUser) answers += 1;
    if (row.isCreatedByUser) isQuestionAhead = false;
    const tokens = (await messageTokens(message.content)) + attachedTokensOf(message, attachments);
    if (sum + tokens > room) return sum;
    sum += tokens;
  }
  return sum;
}
