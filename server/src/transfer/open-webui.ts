// Converts chats of Open WebUI's export.
import type { MessagePart } from '@parley/schema/messages/messages';
import { OpenWebUiFile, OpenWebUiMessage, type OpenWebUiConvo } from '@parley/schema/transfer/open-webui';
import type { Slices } from '../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from './source.ts';

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** Thoughts stand in the text as a folded section. */
const OPENING = '<details type="reasoning"';
const CLOSING = '</details>';

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
  const { thoughts, text } = splitThoughts(content);
  const parts: MessagePart[] = thoughts.map((thought) => ({ type: 'reasoning', text: thought }));
  if (text.trim() !== '') parts.push({ type: 'text', text });
  for (const value of files) {
    const { data } = OpenWebUiFile.safeParse(value);
    if (data) parts.push({ type: 'text', text: `[${data.type === 'image' ? 'image' : 'file'}: ${data.name ?? ''}]` });
  }
  return parts;
}

/** By searching on from place to place: a pattern would search again from every opening that is never closed. */
function splitThoughts(content: string): { thoughts: string[]; text: string } {
  const thoughts: string[] = [];
  let text = '';
  let from = 0;
  for (;;) {
    const start = content.indexOf(OPENING, from);
    const end = start < 0 ? -1 : content.indexOf(CLOSING, start);
    if (end < 0) return { thoughts, text: text + content.slice(from) };
    text += content.slice(from, start);
    thoughts.push(thoughtIn(content.slice(start, end)));
    from = end + CLOSING.length;
    while (/\s/.test(content.charAt(from))) from += 1;
  }
}

/** The text of a section, after its opening tag and its summary, without the marks of a quote. */
function thoughtIn(section: string): string {
  const [head = '', ...rest] = section.split('</summary>');
  const body = rest.length > 0 ? rest.join('</summary>') : head.slice(head.indexOf('>') + 1);
  return body.trim().replaceAll(/^> ?/gm, '');
}
