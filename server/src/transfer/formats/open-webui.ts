// Converts chats of Open WebUI's export.
import type { MessagePart } from '@parley/schema/messages/messages';
import type { Settings } from '@parley/schema/catalog/params';
import { parseSettings } from '@parley/schema/settings/settings';
import { OpenWebUiFile, OpenWebUiMessage, type OpenWebUiConvo } from '@parley/schema/transfer/open-webui';
import type { Slices } from '../../platform/event-loop.ts';
import { type SourceConvo, type SourceMessage, UNTOLD } from '../source.ts';
import { countLeftOut, type LeftOutCount } from './left-out.ts';
import { partsOfSections } from './open-webui-sections.ts';

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** Tags are named and do not become folders: Open WebUI makes most of them itself, several for a chat. */
export async function readOpenWebUi(file: OpenWebUiConvo, slices: Slices): Promise<SourceConvo> {
  const { chat } = file;
  const counted = countLeftOut();
  const model = chat.models[0] ?? null;
  const { messages, system } = await readMessages(file, counted, slices);
  const settings = settingsOf([chat.params.system, chat.system, system].find(Boolean) ?? '', model, counted);
  const leftOut = counted.result([...new Set([...file.meta.tags, ...chat.tags])]);
  return {
    ...ENDPOINT,
    id: file.id,
    title: file.title ?? chat.title,
    model,
    settings,
    isArchived: file.archived,
    isPinned: file.pinned,
    createdAt: file.created_at,
    updatedAt: file.updated_at,
    messages,
    dropped: counted.total(),
    ...(leftOut && { leftOut }),
  };
}

/** The tree, or the list of an older chat, whose messages follow each other. A system prompt may be a message. */
async function readMessages(
  { chat }: OpenWebUiConvo,
  counted: LeftOutCount,
  slices: Slices,
): Promise<{ messages: SourceMessage[]; system: string }> {
  const tree = Object.entries(chat.history?.messages ?? {});
  const list = tree.length > 0 ? tree : (chat.messages ?? []).map((value, index) => [`${index}`, value] as const);
  const messages: SourceMessage[] = [];
  let system = '';
  for (const [key, value] of list) {
    await slices.spend();
    const { data } = OpenWebUiMessage.safeParse(value);
    if (!data) counted.add('message');
    else if (data.role === 'system') system ||= data.content;
    else {
      const before = messages.at(-1)?.id ?? null;
      messages.push(messageOf({ ...data, id: data.id ?? key, parentId: tree.length > 0 ? data.parentId : before }));
    }
  }
  return { messages, system };
}

function settingsOf(system: string, model: string | null, counted: LeftOutCount): Settings {
  if (system.trim() === '') return {};
  try {
    return parseSettings(ENDPOINT.endpointType, { promptPrefix: system }, model);
  } catch {
    // It is longer than instructions may be here.
    counted.add('system');
    return {};
  }
}

function messageOf(message: OpenWebUiMessage & { id: string }): SourceMessage {
  const isCreatedByUser = message.role === 'user';
  const { error } = message;
  return {
    ...ENDPOINT,
    ...UNTOLD,
    id: message.id,
    parentId: message.parentId ?? null,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : (message.modelName ?? message.model ?? 'AI'),
    model: message.model,
    parts: partsOf(message, isCreatedByUser),
    finishReason: isCreatedByUser ? null : 'stop',
    reason: error && !isCreatedByUser ? { type: 'unknown', text: error.content } : null,
    createdAt: message.timestamp,
    updatedAt: message.timestamp,
  };
}

function partsOf({ content, files }: OpenWebUiMessage, isCreatedByUser: boolean): MessagePart[] {
  const parts: MessagePart[] = isCreatedByUser ? [{ type: 'text', text: content }] : partsOfSections(content);
  for (const value of files) {
    const { data } = OpenWebUiFile.safeParse(value);
    if (data) parts.push({ type: 'text', text: `[${data.type === 'image' ? 'image' : 'file'}: ${data.name ?? ''}]` });
  }
  return parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
}
