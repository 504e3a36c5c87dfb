import type { SharedMessage, SharedPart } from '@parley/schema/convos/shares';
import type { MessagePart } from '@parley/schema/messages/messages';
import type { Deps } from '../deps.ts';
import { refuse } from '../platform/errors.ts';
import { createSlices } from '../platform/slices.ts';
import { prepareSource } from '../transfer/prepare.ts';
import { saveConvos } from '../transfer/save.ts';
import type { SourceMessage } from '../transfer/source.ts';
import { readShare } from './shares.ts';

const MESSAGES_AT_ONCE = 200;

/**
 * Copies a shared conversation into the user's own ones, to go on with it. The same link copied again is the same
 * conversation, with what was added since.
 * @throws Refusal `not_found`
 */
export async function copyShare(deps: Deps, userId: string, id: string): Promise<{ conversationId: string }> {
  const { thread } = await readShare(deps, id);
  const { title, endpoint, endpointType, model } = thread;
  const source = {
    id: `share ${id}`,
    title,
    endpoint,
    endpointType,
    model,
    settings: {},
    isArchived: false,
    createdAt: null,
    updatedAt: Date.now(),
    messages: thread.messages.map((message) => sourceOf(message, id)),
    dropped: 0,
  };
  const slices = createSlices(MESSAGES_AT_ONCE);
  const prepared = await prepareSource(source, { index: 0, size: 0 }, Date.now(), slices);
  if ('reason' in prepared) refuse({ type: 'not_found', what: 'share' });
  const [saved] = await saveConvos(deps.db, userId, [prepared]);
  if (saved === undefined || saved.outcome === 'skipped') refuse({ type: 'not_found', what: 'share' });
  return { conversationId: saved.conversationId };
}

function sourceOf(message: SharedMessage, shareId: string): SourceMessage {
  const { messageId, parentMessageId, parts, createdAt, seq: _seq, ...kept } = message;
  return {
    ...kept,
    id: `${shareId} ${messageId}`,
    parentId: parentMessageId && `${shareId} ${parentMessageId}`,
    parts: parts.map(partOf),
    finishReason: null,
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
    createdAt: Date.parse(createdAt),
    updatedAt: null,
  };
}

function partOf(part: SharedPart): MessagePart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part;
    case 'tool':
      return { type: 'text', text: `\n[tool: ${part.label}]\n` };
    case 'file':
      return { type: 'text', text: `\n[file: ${part.name}]\n` };
    default:
      return part satisfies never;
  }
}
