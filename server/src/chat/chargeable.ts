import type { Query } from '@parley/db/client';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Settings } from '@parley/schema/catalog/params';
import type { Message } from '@parley/schema/messages/messages';
import { withFiles, withKnowledge } from '../assistants/chosen-tools.ts';
import type { Chargeable } from '../billing/reservation.ts';
import { countTokens } from '../catalog/count-tokens.ts';
import { foreseeInstructions } from './context/ask-instructions.ts';
import { readMemory, settingsWithMemory } from './context/ask-memory.ts';
import { estimatedLimits } from './context/files/estimate-files.ts';
import { withAttachments, type AttachmentRules } from './context/files/attachments.ts';
import { messageTokens, historyMessageOf } from './context/history.ts';
import type { Ask } from './begin/ask.ts';
import { readAttachments } from '../files/read-attachments.ts';
import { walkUp } from '../messages/thread.ts';

/** Gives the billing view of an ask. Its prompt is counted only where it is charged. */
export function askedCharge(query: Query, ask: Ask): Chargeable {
  const { userId, owner, input, endpoint, model, settings, metadata, picture } = ask;
  return {
    userId,
    owner,
    generationId: input.generationId,
    endpointType: endpoint.type,
    model,
    settings,
    rates: metadata.rates,
    // Pictures are counted here, whatever a server reports: each is one token of the prompt.
    isUsersServer: !picture && endpoint.config.userProvideURL === true,
    countPromptTokens: async () => picture?.options.n ?? promptTokens(query, ask),
  };
}

/**
 * Counts the prompt tokens of an ask before its transaction, since long texts take time: the question, the
 * instructions, and as much of the history as fits the window.
 */
async function promptTokens(query: Query, ask: Ask): Promise<number> {
  const { userId, assistant } = ask;
  const beside = await foreseeInstructions({ query }, ask, ask.input);
  const { text, from, isReplaced, files } = partsOf(ask.input.target);
  const settings = await settingsBeside(query, ask, beside, text);
  const { window, reserve, instructions, attachments } = estimatedLimits(query, { ...ask, settings }, beside.lent);
  const asked = withFiles({ parts: await readAttachments(query, userId, files ?? []) }, beside.files);
  const attached = withKnowledge(asked, assistant);
  const images = await attachedTokens(attached, attachments);
  const own = images + (await countTokens(instructions)) + (text === null ? 0 : await messageTokens(text));
  if (from === null) return own;
  const stored = { from, isReplaced, hasQuestion: files === null, attachments };
  return own + (await historyTokens(query, userId, stored, window - reserve - own));
}

/** Those of the call: with the instructions that stand beside the question, and what is remembered. */
async function settingsBeside(
  query: Query,
  ask: Ask,
  { personal, settings, convo, asker }: Awaited<ReturnType<typeof foreseeInstructions>>,
  text: string | null,
): Promise<Settings> {
  const last = { parts: text === null ? [] : [{ type: 'text' as const, text }] };
  return settingsWithMemory(settings(personal), await readMemory({ query }, ask, { convo, last }, asker));
}

interface Parts {
  text: string | null;
  /** The newest message of the history. */
  from: string | null;
  /** Says whether the text replaces that message. */
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

async function attachedTokens({ parts }: Pick<Message, 'parts'>, rules: AttachmentRules): Promise<number> {
  return (await withAttachments(parts, '', rules, true)).attachedTokens ?? 0;
}

interface StoredHistory {
  from: string;
  isReplaced: boolean;
  /** Says whether the question is part of it; its images are sent in any case. */
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
  let replies = 0;
  for await (const row of walkUp(query, userId, from)) {
    const message =
      isReplaced && row.id === from ? null : await historyMessageOf(row, attachments, isQuestionAhead, replies);
    if (!message) continue;
    if (!row.isCreatedByUser) replies += 1;
    if (row.isCreatedByUser) isQuestionAhead = false;
    const tokens = (await messageTokens(message.content)) + (message.attachedTokens ?? 0);
    if (sum + tokens > room) return sum;
    sum += tokens;
  }
  return sum;
}
