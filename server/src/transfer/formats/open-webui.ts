// Converts chats of Open WebUI's export. A picture that stands in it is kept as a file, and of other files their text.
import { TEXT_MAX } from '@parley/schema/chat/ask';
import type { MessagePart } from '@parley/schema/messages/messages';
import {
  OpenWebUiFile,
  OpenWebUiMessage,
  OpenWebUiSource,
  type OpenWebUiConvo,
} from '@parley/schema/transfer/open-webui';
import type { Slices } from '../../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from '../source.ts';
import type { KeepPicture } from '../stored-links.ts';
import { countLeftOut, type LeftOutCount } from './left-out.ts';
import { partsOfSections } from './open-webui-sections.ts';
import { countedFields, namedFile, plainMessage, settingsWith, textBelow } from './plain-message.ts';
import { webLinks, type WebPage } from './web-links.ts';

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** A picture within a text. */
const WITHIN = /!\[([^\]\n]{0,200})\]\((data:image\/[^)\s]+)\)/g;

/** Tags are named and do not become folders: Open WebUI makes most of them itself, several for a chat. */
export async function readOpenWebUi(
  file: OpenWebUiConvo,
  slices: Slices,
  keepPicture?: KeepPicture,
): Promise<SourceConvo> {
  const { chat } = file;
  const counted = countLeftOut();
  const model = chat.models[0] ?? null;
  const { messages, system } = await readMessages(file, { counted, slices, keepPicture });
  const instructions = [chat.params.system, chat.system, system].find(Boolean) ?? '';
  const settings = settingsWith(instructions, ENDPOINT, model, counted);
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
    ...countedFields(counted, [...new Set([...file.meta.tags, ...chat.tags])]),
  };
}

interface Reading {
  counted: LeftOutCount;
  slices: Slices;
  keepPicture: KeepPicture | undefined;
}

/** The tree, or the list of an older chat, whose messages follow each other. A system prompt may be a message. */
async function readMessages(
  { chat }: OpenWebUiConvo,
  reading: Reading,
): Promise<{ messages: SourceMessage[]; system: string }> {
  const tree = Object.entries(chat.history?.messages ?? {});
  const list = tree.length > 0 ? tree : (chat.messages ?? []).map((value, index) => [`${index}`, value] as const);
  const messages: SourceMessage[] = [];
  let system = '';
  for (const [key, value] of list) {
    await reading.slices.spend();
    const { data } = OpenWebUiMessage.safeParse(value);
    if (!data) reading.counted.add('message');
    else if (data.role === 'system') system ||= data.content;
    else {
      const before = messages.at(-1)?.id ?? null;
      const placed = { ...data, id: data.id ?? key, parentId: tree.length > 0 ? data.parentId : before };
      messages.push(await messageOf(placed, reading));
    }
  }
  return { messages, system };
}

async function messageOf(message: OpenWebUiMessage & { id: string }, reading: Reading): Promise<SourceMessage> {
  const isCreatedByUser = message.role === 'user';
  const rating = message.annotation?.rating;
  return {
    ...plainMessage({
      ...ENDPOINT,
      id: message.id,
      parentId: message.parentId ?? null,
      isCreatedByUser,
      sender: isCreatedByUser ? 'User' : (message.modelName ?? message.model ?? 'AI'),
      model: message.model,
      parts: await partsOf(message, reading),
      at: message.timestamp,
      unfinished: message.done === false,
      error: message.error?.content ?? '',
    }),
    ...(!isCreatedByUser && (rating === 1 || rating === -1) && { rating }),
  };
}

async function partsOf(message: OpenWebUiMessage, { counted, keepPicture }: Reading): Promise<MessagePart[]> {
  const { content, files, role } = message;
  const kept: MessagePart[] = [];
  const text = await withoutPictures(content, async (address, name) => {
    const picture = await keepPicture?.(address, name);
    if (picture) kept.push(picture);
    return picture !== undefined;
  });
  const said: MessagePart[] = role === 'user' ? [{ type: 'text', text }] : partsOfSections(text);
  const parts = [...said.filter((part) => part.type !== 'text' || part.text.trim() !== ''), ...kept];
  for (const value of files) {
    const { data: file } = OpenWebUiFile.safeParse(value);
    if (!file) continue;
    const picture = file.isImage ? await keepPicture?.(file.url, file.name) : undefined;
    const isLong = file.content.length > TEXT_MAX / 4;
    if (isLong) counted.add('file text');
    const marked = namedFile(file.name, isLong || file.isImage ? '' : file.content, file.isImage ? 'image' : 'file');
    parts.push(picture ?? textBelow(parts, marked));
  }
  const pages = message.sources.flatMap(pagesOf);
  if (pages.length > 0) parts.push({ type: 'text', text: `\n\n${webLinks(pages)}` });
  return parts;
}

function pagesOf(value: unknown): WebPage[] {
  const { data } = OpenWebUiSource.safeParse(value);
  const own = data?.source?.url ? [{ url: data.source.url, title: data.source.name }] : [];
  const named = (data?.metadata ?? []).flatMap(({ source, title }) => (source ? [{ url: source, title }] : []));
  return named.length > 0 ? named : own;
}

/** The text without the pictures that were taken, of which the others leave their names. */
async function withoutPictures(
  content: string,
  take: (address: string, name: string | null) => Promise<boolean>,
): Promise<string> {
  if (!content.includes('](data:image/')) return content;
  let text = '';
  let from = 0;
  for (const match of content.matchAll(WITHIN)) {
    const [whole, name = '', address = ''] = match;
    text += content.slice(from, match.index);
    from = match.index + whole.length;
    if (!(await take(address, name || null))) text += namedFile(name || null, '', 'image');
  }
  return text + content.slice(from);
}
