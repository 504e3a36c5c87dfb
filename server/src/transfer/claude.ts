// Converts conversations of Claude's data export.
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { cleanText } from '@parley/schema/clean-text';
import { NO_PARENT } from '@parley/schema/messages/no-parent';
import { ClaudeBlock, ClaudeFile, ClaudeMessage, type ClaudeConvo } from '@parley/schema/transfer/claude';
import type { Slices } from '../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from './source.ts';

const ENDPOINT = { endpoint: 'anthropic', endpointType: 'anthropic' } as const;

export async function readClaude(file: ClaudeConvo, slices: Slices): Promise<SourceConvo> {
  const messages: SourceMessage[] = [];
  let dropped = 0;
  for (const value of file.chat_messages) {
    await slices.spend();
    const { data } = ClaudeMessage.safeParse(value);
    if (data) messages.push(messageOf(data, messages.at(-1)?.id ?? null, file.model));
    else dropped += 1;
  }
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
    dropped,
  };
}

/** Older exports name no parents: their messages follow each other. */
function messageOf(message: ClaudeMessage, before: string | null, model: string | null): SourceMessage {
  const isCreatedByUser = message.sender === 'human';
  const parent = message.parent_message_uuid ?? before;
  return {
    ...ENDPOINT,
    id: message.uuid,
    parentId: parent === NO_PARENT ? null : parent,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'Claude',
    model,
    parts: partsOf(message),
    finishReason: isCreatedByUser ? null : 'stop',
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
    createdAt: message.created_at,
    updatedAt: message.updated_at,
  };
}

function partsOf(message: ClaudeMessage): MessagePart[] {
  const parts: MessagePart[] = [];
  for (const value of message.content) addBlock(parts, value);
  if (parts.length === 0 && message.text !== '') parts.push({ type: 'text', text: message.text });
  for (const value of [...message.attachments, ...message.files]) {
    const { data } = ClaudeFile.safeParse(value);
    if (!data?.file_name) continue;
    const text = data.extracted_content === '' ? '' : `\n${quoted(data.extracted_content)}`;
    // On a line of its own: the texts of a message are read as one.
    const begin = parts.some(({ type }) => type === 'text') ? '\n' : '';
    parts.push({ type: 'text', text: `${begin}[file: ${data.file_name}]${text}` });
  }
  return parts;
}

function addBlock(parts: MessagePart[], value: unknown): void {
  const { data } = ClaudeBlock.safeParse(value);
  switch (data?.type) {
    case 'text':
      if (data.text !== '') parts.push({ type: 'text', text: data.text });
      return;
    case 'thinking':
      if (data.thinking !== '') parts.push({ type: 'reasoning', text: data.thinking });
      return;
    case 'tool_use':
      parts.push({ type: 'tool_call', call: callOf(data) });
      return;
    case 'tool_result': {
      const part = parts.findLast((one) => one.type === 'tool_call');
      if (part?.type === 'tool_call') part.call.output = data.content.map(textOfBlock).filter(Boolean).join('\n');
      return;
    }
    default:
  }
}

function callOf({ id, name, input }: ReturnType<typeof ClaudeBlock.parse>): ToolCall {
  const written = cleanText(JSON.stringify(input ?? {}));
  return { id: id ?? '', kind: 'function', name: name ?? 'tool', input: written, output: null, progress: 1 };
}

function textOfBlock(value: unknown): string {
  return ClaudeBlock.safeParse(value).data?.text ?? '';
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
