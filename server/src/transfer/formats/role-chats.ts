// Converts the exports of LobeChat, TypingMind and ChatbotUI, each of which has all chats of a person.
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { cleanText } from '@parley/schema/clean-text';
import {
  LobeTool,
  ManyAnswers,
  RoleBlock,
  RoleChat,
  RoleMessage,
  type LobeExport,
} from '@parley/schema/transfer/role-chats';
import type { Slices } from '../../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from '../source.ts';
import type { KeepPicture } from '../stored-links.ts';
import { countLeftOut, type LeftOutCount } from './left-out.ts';
import {
  countedFields,
  endpointNamed,
  namedFile,
  plainMessage,
  settingsWith,
  textBelow,
  textPart,
} from './plain-message.ts';

interface Facts {
  id: string;
  title: string | null;
  instructions: string;
  model: string | null;
  isPinned?: boolean;
  folder?: { id: string; name: string } | undefined;
  createdAt: number | null;
  updatedAt: number | null;
}

interface Reading {
  slices: Slices;
  keepPicture: KeepPicture | undefined;
}

/** The chats of LobeChat: messages of one topic, or of one assistant outside of all topics. */
export async function readLobeChat(file: LobeExport, reading: Reading): Promise<SourceConvo[]> {
  const groups = new Map<string, unknown[]>();
  for (const value of file.messages) {
    const message = RoleMessage.safeParse(value).data;
    const key = message?.topicId ?? message?.sessionId ?? message?.agentId ?? 'inbox';
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  const topics = new Map(file.topics.map((topic) => [topic.id, topic]));
  const sessions = new Map([...file.agents, ...file.sessions].map((session) => [session.id, session]));
  const found: SourceConvo[] = [];
  for (const [id, values] of groups) {
    const first = values.flatMap((value) => RoleMessage.safeParse(value).data ?? [])[0];
    const topic = topics.get(id);
    const session = sessions.get(first?.sessionId ?? first?.agentId ?? id);
    const facts = {
      id: `lobechat ${id}`,
      title: topic?.title ?? session?.meta?.title ?? session?.title ?? null,
      instructions: session?.config?.systemRole || session?.systemRole || '',
      model: null,
      isPinned: topic?.favorite === true || topic?.favorite === 1,
      createdAt: topic?.createdAt ?? null,
      updatedAt: topic?.updatedAt ?? null,
    };
    found.push(await readChat(facts, values.toSorted(byTime), reading));
  }
  return found;
}

function byTime(one: unknown, other: unknown): number {
  const at = (value: unknown) => RoleMessage.safeParse(value).data?.createdAt ?? 0;
  return at(one) - at(other);
}

interface Folder {
  id: string;
  title: string | null;
  name: string | null;
}

/** The chats of TypingMind or ChatbotUI; `product` makes their ids unlike those of another one. */
export async function readRoleChats(
  product: string,
  { chats, folders }: { chats: readonly unknown[]; folders: readonly Folder[] },
  reading: Reading,
): Promise<SourceConvo[]> {
  const names = new Map(folders.map(({ id, title, name }) => [id, title ?? name]));
  const found: SourceConvo[] = [];
  for (const [place, value] of chats.entries()) {
    const { data: chat } = RoleChat.safeParse(value);
    if (!chat) continue;
    const folderId = chat.folderID ?? chat.folderId ?? null;
    const name = folderId === null ? null : names.get(folderId);
    const facts = {
      id: `${product} ${chat.chatID ?? chat.id ?? place}`,
      title: chat.chatTitle ?? chat.name,
      instructions: chat.chatParams?.systemMessage || chat.prompt,
      model: chat.model ?? null,
      folder: folderId !== null && name ? { id: `${product} ${folderId}`, name } : undefined,
      createdAt: chat.createdAt,
      updatedAt: chat.updatedAt,
    };
    found.push(await readChat(facts, chat.messages, reading));
  }
  return found;
}

async function readChat(facts: Facts, values: readonly unknown[], reading: Reading): Promise<SourceConvo> {
  const counted = countLeftOut();
  const state: State = { messages: [], calls: new Map(), system: '', facts, reading, counted };
  let before: string | null = null;
  for (const [place, value] of values.entries()) {
    await reading.slices.spend();
    before = await addMessage(state, `${place}`, before, value);
  }
  const { messages, system } = state;
  const newest = messages.findLast(({ isCreatedByUser }) => !isCreatedByUser) ?? messages[0];
  const model = newest?.model ?? facts.model;
  const endpoint = newest ?? endpointNamed(null, model);
  const { endpointType } = endpoint;
  return {
    endpoint: endpoint.endpoint,
    endpointType,
    id: facts.id,
    title: facts.title,
    model,
    settings: settingsWith(facts.instructions || system, endpoint, model, counted),
    isArchived: false,
    ...(facts.isPinned !== undefined && { isPinned: facts.isPinned }),
    ...(facts.folder && { folder: { ...facts.folder, color: null, instructions: '' } }),
    createdAt: facts.createdAt,
    updatedAt: facts.updatedAt,
    messages,
    ...countedFields(counted),
  };
}

interface State {
  messages: SourceMessage[];
  /** Of tools, by their ids. */
  calls: Map<string, ToolCall>;
  /** Instructions that stand among the messages. */
  system: string;
  facts: Facts;
  reading: Reading;
  counted: LeftOutCount;
}

/** Adds a message below `before`; returns what the next one follows. */
async function addMessage(state: State, place: string, before: string | null, value: unknown): Promise<string | null> {
  const { data: many } = ManyAnswers.safeParse(value);
  if (many) return addAnswers(state, place, before, many.responses);
  const { data } = RoleMessage.safeParse(value);
  if (!data) state.counted.add('message');
  if (data?.role === 'system') state.system ||= await wordsOf(data);
  if (data?.role === 'tool') {
    const call = state.calls.get(data.tool_call_id ?? '');
    if (call) call.output = await wordsOf(data);
    else state.counted.add('tool');
  }
  if (data?.role !== 'user' && data?.role !== 'assistant') return before;
  const message = await messageOf(state, data.id ?? data.uuid ?? place, before, data);
  state.messages.push(message);
  return message.id;
}

/** Several answers are siblings, of which the first goes on. */
async function addAnswers(
  state: State,
  place: string,
  before: string | null,
  responses: readonly { model: string | null; messages: readonly unknown[] }[],
): Promise<string | null> {
  let first = before;
  for (const [n, { model, messages }] of responses.entries()) {
    let last = before;
    for (const [at, value] of messages.entries()) {
      last = await addMessage(state, `${place} ${n} ${at}`, last, value);
      const added = state.messages.at(-1);
      if (added && !added.isCreatedByUser) added.model ??= model;
    }
    if (n === 0) first = last;
  }
  return first;
}

async function messageOf(
  state: State,
  id: string,
  before: string | null,
  message: RoleMessage,
): Promise<SourceMessage> {
  const isCreatedByUser = message.role === 'user';
  const model = message.model ?? message.extra?.fromModel ?? (isCreatedByUser ? null : state.facts.model);
  const endpoint = endpointNamed(message.provider ?? message.extra?.fromProvider ?? null, model ?? state.facts.model);
  const parts: MessagePart[] = [];
  if (message.reasoning) parts.push({ type: 'reasoning', text: cleanText(message.reasoning) });
  parts.push(...(await partsOf(message, state.reading.keepPicture)));
  for (const value of message.tools) {
    const { data: tool } = LobeTool.safeParse(value);
    if (!tool) continue;
    const name = [tool.identifier, tool.apiName].filter(Boolean).join('.') || 'tool';
    const call: ToolCall = {
      id: tool.id ?? '',
      kind: 'function',
      name,
      input: tool.arguments,
      output: null,
      progress: 1,
    };
    state.calls.set(call.id, call);
    parts.push({ type: 'tool_call', call });
  }
  const { parentId } = message;
  const isKnown = parentId && state.messages.some((one) => one.id === parentId);
  return plainMessage({
    ...endpoint,
    id,
    parentId: isKnown ? parentId : before,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : (model ?? 'AI'),
    model,
    parts,
    at: message.createdAt,
    error: message.error?.message ?? '',
  });
}

async function partsOf({ content }: RoleMessage, keepPicture: KeepPicture | undefined): Promise<MessagePart[]> {
  if (typeof content === 'string') return textPart(cleanText(content));
  const parts: MessagePart[] = [];
  for (const value of content) {
    const { data: block } = RoleBlock.safeParse(value);
    const address = block?.image_url?.url;
    if (block && block.text !== '')
      parts.push(parts.length > 0 ? textBelow(parts, block.text) : { type: 'text', text: block.text });
    else if (address)
      parts.push((await keepPicture?.(address, null)) ?? textBelow(parts, namedFile(null, '', 'image')));
  }
  return parts;
}

async function wordsOf(message: RoleMessage): Promise<string> {
  const parts = await partsOf(message, undefined);
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
