// Converts ChatGPT's tree of nodes to messages: drops system nodes, and merges the nodes of a model and its tools into
// one answer with several parts.
import type { FinishReason, MessagePart } from '@parley/schema/messages/messages';
import { replySender } from '@parley/schema/catalog/sender';
import { ChatGptKind, ChatGptMessage, ChatGptNode, type ChatGptConvo } from '@parley/schema/transfer/chatgpt';
import { addOutput, isUnknownKind, partsOfChatGpt, chatGptToolImages } from './chatgpt-parts.ts';
import { countLeftOut, type LeftOutCount } from './left-out.ts';
import type { Slices } from '../../platform/event-loop.ts';
import type { FindFile } from '../stored-links.ts';
import { type SourceConvo, type SourceMessage, UNTOLD } from '../source.ts';

type Node = { parent: string | null; children: string[]; message: ChatGptMessage | null };

interface Step {
  id: string;
  /** The parent in the converted tree. */
  under: SourceMessage | null;
  /** No branch between that message and this node. */
  isAlone: boolean;
}

/** Ids of projects begin with it. */
const PROJECT = 'g-p-';
const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** What the nodes of one conversation are read with. */
interface Reading {
  /** Of the conversation, for answers that name none. */
  model: string | null;
  kept: FindFile;
  found: SourceMessage[];
  leftOut: LeftOutCount;
}

/** Null for a conversation without an id. `kept` finds the files that came with it. */
export async function readChatGpt(
  file: ChatGptConvo,
  slices: Slices,
  stored: FindFile = () => undefined,
): Promise<SourceConvo | null> {
  if (file.id === null) return null;
  const reading: Reading = { model: file.default_model_slug, kept: stored, found: [], leftOut: countLeftOut() };
  const nodes = await readNodes(file.mapping, reading.leftOut, slices);
  await walk(nodes, reading, slices);
  const leftOut = reading.leftOut.result();
  return {
    ...ENDPOINT,
    id: file.id,
    title: file.title,
    model: file.default_model_slug,
    settings: {},
    isArchived: file.is_archived,
    isPinned: file.is_starred || file.pinned_time !== null,
    ...folderOf(file),
    createdAt: file.create_time,
    updatedAt: file.update_time,
    messages: reading.found,
    dropped: reading.leftOut.total(),
    ...(leftOut && { leftOut }),
  };
}

/** A project becomes a folder, named by the only thing that the export tells of it. */
function folderOf({ gizmo_id: gizmo, conversation_template_id: template }: ChatGptConvo): Pick<SourceConvo, 'folder'> {
  const id = [gizmo, template].find((one) => one?.startsWith(PROJECT));
  if (!id) return {};
  const name = `ChatGPT project ${id.slice(PROJECT.length, PROJECT.length + 8)}`;
  return { folder: { id, name, color: null, instructions: '' } };
}

async function readNodes(
  mapping: Record<string, unknown>,
  leftOut: LeftOutCount,
  slices: Slices,
): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>();
  for (const [id, value] of Object.entries(mapping)) {
    await slices.spend();
    const { data } = ChatGptNode.safeParse(value);
    if (!data) leftOut.add('node');
    else nodes.set(id, { parent: data.parent ?? null, children: [], message: messageIn(data.message, leftOut) });
    for (const child of data?.children ?? []) if (typeof child === 'string') nodes.get(id)?.children.push(child);
  }
  attachToParents(nodes);
  return nodes;
}

function messageIn(value: unknown, leftOut: LeftOutCount): ChatGptMessage | null {
  if (value === null || value === undefined) return null;
  const read = ChatGptMessage.safeParse(value);
  if (read.success) return read.data;
  const kind = ChatGptKind.safeParse(value).data;
  leftOut.add(kind?.content?.content_type ?? kind?.author?.role ?? 'message');
  return null;
}

/** A node's own `parent` wins; the parent's `children` give the order. */
function attachToParents(nodes: Map<string, Node>): void {
  for (const [id, node] of nodes) {
    const listed = new Set(node.children);
    node.children = [...listed].filter((child) => nodes.get(child)?.parent === id);
  }
  const placed = new Set([...nodes.values()].flatMap(({ children }) => children));
  for (const [id, { parent }] of nodes) {
    if (parent !== null && !placed.has(id)) nodes.get(parent)?.children.push(id);
  }
}

async function walk(nodes: Map<string, Node>, reading: Reading, slices: Slices): Promise<void> {
  const seen = new Set<string>();
  const roots = [...nodes].filter(([, { parent }]) => parent === null || !nodes.has(parent)).map(([id]) => id);
  // A cycle of nodes has no root: its first node becomes one.
  for (const root of [...roots, ...nodes.keys()]) {
    const waiting: Step[] = [{ id: root, under: null, isAlone: false }];
    for (let step = waiting.pop(); step; step = waiting.pop()) {
      const node = nodes.get(step.id);
      if (!node || seen.has(step.id)) continue;
      seen.add(step.id);
      await slices.spend();
      const next = take(step, node, reading);
      for (const id of node.children.toReversed())
        waiting.push({ ...next, id, isAlone: next.isAlone && node.children.length === 1 });
    }
  }
}

/** Adds a node's content to `found` or to the answer it belongs to; returns the parent for its children. */
function take(step: Step, { message }: Node, reading: Reading): Omit<Step, 'id'> {
  const { under, isAlone } = step;
  const reply = isAlone && under && !under.isCreatedByUser ? under : null;
  const skipped = { under, isAlone };
  if (!message || message.metadata.is_visually_hidden_from_conversation) return skipped;
  switch (message.author.role) {
    case 'system':
      return skipped;
    case 'tool':
      if (reply && addOutput(reply.parts, message, reading.kept)) return skipped;
      return place(step, message, chatGptToolImages(message, reading.kept), reading);
    case 'user':
    case 'assistant': {
      const parts = partsOfChatGpt(message, reading.kept);
      if (parts.length === 0 && isUnknownKind(message.content)) reading.leftOut.add(message.content.content_type ?? '');
      return place(step, message, parts, reading);
    }
    default:
      return message.author.role satisfies never;
  }
}

function place(
  { id, under, isAlone }: Step,
  message: ChatGptMessage,
  parts: MessagePart[],
  { found, model }: Reading,
): Omit<Step, 'id'> {
  if (parts.length === 0) return { under, isAlone };
  if (isAlone && under && !under.isCreatedByUser && message.author.role !== 'user') {
    under.parts.push(...parts);
    under.finishReason = finishOf(message);
    under.updatedAt = message.create_time ?? under.updatedAt;
    return { under, isAlone: true };
  }
  const taken = messageOf(id, under, message, parts, model);
  found.push(taken);
  return { under: taken, isAlone: true };
}

function messageOf(
  id: string,
  under: SourceMessage | null,
  message: ChatGptMessage,
  parts: MessagePart[],
  defaultModel: string | null,
): SourceMessage {
  const isCreatedByUser = message.author.role === 'user';
  const model = message.metadata.model_slug ?? defaultModel;
  return {
    ...ENDPOINT,
    id,
    parentId: under?.id ?? null,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : replySender({ ...ENDPOINT, model, settings: {} }),
    model,
    parts,
    finishReason: isCreatedByUser ? null : finishOf(message),
    ...UNTOLD,
    createdAt: message.create_time,
    updatedAt: message.create_time,
  };
}

function finishOf({ status, metadata }: ChatGptMessage): FinishReason {
  switch (metadata.finish_details?.type) {
    case 'max_tokens':
      return 'length';
    case 'interrupted':
      return 'incomplete';
    default:
      return status === 'in_progress' ? 'incomplete' : 'stop';
  }
}
