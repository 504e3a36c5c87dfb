// Converts chats of Open WebUI's export.
import type { MessagePart } from '@parley/schema/messages/messages';
import { OpenWebUiFile, OpenWebUiMessage, type OpenWebUiConvo } from '@parley/schema/transfer/open-webui';
import type { Slices } from '../platform/slices.ts';
import type { SourceConvo, SourceMessage } from './source.ts';

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** Thoughts stand in the text as a folded section. */
const THOUGHTS = /<details type="reasoning"[^>]*>\s*(?:<summary>[^<]*<\/summary>)?([\s\S]*?)<\/details>\s*/g;

export async function readOpenWebUi(file: OpenWebUiConvo, slices: Slices): Promise<SourceConvo> {
  const messages: SourceMessage[] = [];
  let dropped = 0;
  for (const value of Object.values(file.chat.history.messages)) {
    await slices.spend();
    const { data } = OpenWebUiMessage.safeParse(value);
    if (data) messages.push(messageOf(data));
    else dropped += 1;
  }
  return {
    ...ENDPOINT,
    id: file.id,
    title: file.title ?? file.chat.title,
    model: file.chat.models[0] ?? null,
    settings: {},
    isArchived: file.archived,
    createdAt: file.created_at,
    updatedAt: file.updated_at,
    messages,
    dropped,
  };
}

function messageOf(message: OpenWebUiMessage): SourceMessage {
  const isCreatedByUser = message.role === 'user';
  const { error } = message;
  return {
    ...ENDPOINT,
    id: message.id,
    parentId: message.parentId ?? null,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : (message.modelName ?? message.model ?? 'AI'),
    model: message.model,
    parts: partsOf(message),
    finishReason: isCreatedByUser ? null : 'stop',
    reason: error && !isCreatedByUser ? { type: 'unknown', text: error.content } : null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
    createdAt: message.timestamp,
    updatedAt: message.timestamp,
  };
}

function partsOf({ content, files }: OpenWebUiMessage): MessagePart[] {
  const parts: MessagePart[] = [...content.matchAll(THOUGHTS)].map(([, inner = '']) => ({
    type: 'reasoning',
    text: inner.trim().replaceAll(/^> ?/gm, ''),
  }));
  const text = content.replaceAll(THOUGHTS, '');
  if (text.trim() !== '') parts.push({ type: 'text', text });
  for (const value of files) {
    const { data } = OpenWebUiFile.safeParse(value);
    if (data) parts.push({ type: 'text', text: `[${data.type === 'image' ? 'image' : 'file'}: ${data.name ?? ''}]` });
  }
  return parts;
}
