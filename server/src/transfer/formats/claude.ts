// Converts conversations of Claude's data export.
import type { MessagePart } from '@parley/schema/messages/messages';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { ClaudeMessage, type ClaudeConvo } from '@parley/schema/transfer/claude';
import type { Slices } from '../../platform/event-loop.ts';
import { type SourceConvo, type SourceMessage, UNTOLD } from '../source.ts';
import { partsOfClaude } from './claude-parts.ts';
import { countLeftOut } from './left-out.ts';

const ENDPOINT = { endpoint: 'anthropic', endpointType: 'anthropic' } as const;

export async function readClaude(file: ClaudeConvo, slices: Slices): Promise<SourceConvo> {
  const messages: SourceMessage[] = [];
  const counted = countLeftOut();
  for (const value of file.chat_messages) {
    await slices.spend();
    const { data } = ClaudeMessage.safeParse(value);
    if (data) messages.push(messageOf(data, messages.at(-1)?.id ?? null, file.model, partsOfClaude(data, counted)));
    else counted.add('message');
  }
  const leftOut = counted.result();
  return {
    ...ENDPOINT,
    id: file.uuid,
    title: file.name,
    model: file.model,
    settings: {},
    isArchived: false,
    createdAt: file.created_at,
    updatedAt: file.updated_at,
    messages,
    dropped: counted.total(),
    ...(leftOut && { leftOut }),
  };
}

/** Older exports name no parents: their messages follow each other. */
function messageOf(
  message: ClaudeMessage,
  before: string | null,
  model: string | null,
  parts: MessagePart[],
): SourceMessage {
  const isCreatedByUser = message.sender === 'human';
  const parent = message.parent_message_uuid ?? before;
  return {
    ...ENDPOINT,
    id: message.uuid,
    parentId: parent === NO_PARENT ? null : parent,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'Claude',
    model,
    parts,
    finishReason: isCreatedByUser ? null : 'stop',
    ...UNTOLD,
    createdAt: message.created_at,
    updatedAt: message.updated_at,
  };
}
