// Converts ChatGPT's tree of nodes to messages: drops system nodes, and merges the nodes of a model and its tools into
// one answer with several parts.
import type { FinishReason, MessagePart } from '@parley/schema/messages/messages';
import { senderOf } from '@parley/schema/catalog/sender';
import { ChatGptNode, type ChatGptConvo, type ChatGptMessage } from '@parley/schema/transfer/chatgpt';
import { addOutput, partsOfChatGpt } from './chatgpt-parts.ts';
import type { Slices } from '../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from './source.ts';

type Node = { parent: string | null; children: string[]; message: ChatGptMessage | null };

interface Step {
  id: string;
  /** The parent in the converted tree. */
  under: SourceMessage | null;
  /** No branch between that message and this node. */
  isAlone: boolean;
}

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' } as const;

/** Null for a conversation without an id. */
export async function readChatGpt(file: ChatGptConvo, slices: Slices): Promise<SourceConvo | null> {
  if (file.id === null) return null;
  const { nodes, dropped } = await readNodes(file.mapping, slices);
  return {
    ...ENDPOINT,
    id: file.id,
    title: file.title,
    model: file.default_model_slug,
    settings: {},
    isArchived: file.is_archived,
    createdAt: file.create_time,
    updatedAt: file.update_time,
    messages: await walk(nodes, file.default_model_slug, slices),
    dropped,
  };
}

async function readNodes(
  mapping: Record<string, unknown>,
  slices: Slices,
): Promise<{ nodes: Map<string, Node>; dropped: number }> {
  const nodes = new Map<string, Node>();
  let dropped = 0;
  for (const [id, value] of Object.entries(mapping)) {
    await slices.spend();
    const { data } = ChatGptNode.safeParse(value);
    if (!data) dropped += 1;
    else nodes.set(id, { parent: data.parent ?? null, children: [], message: data.message ?? null });
    for (const child of data?.children ?? []) if (typeof child === 'string') nodes.get(id)?.children.push(child);
  }
  attachToParents(nodes);
  return { nodes, dropped };
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

async function walk(nodes: Map<string, Node>, model: string | null, slices: Slices): Promise<SourceMessage[]> {
  const found: SourceMessage[] = [];
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
      const next = take(step, node, model, found);
      for (const id of node.children.toReversed())
        waiting.push({ ...next, id, isAlone: next.isAlone && node.children.length === 1 });
    }
  }
  return found;
}

/** Adds a node's content to `found` or to the answer it belongs to; returns the parent for its children. */
function take({ id, under, isAlone }: Step, { message }: Node, model: string | null, found: SourceMessage[]) {
  const answer = isAlone && under && !under.isCreatedByUser ? under : null;
  const skipped = { under, isAlone };
  if (!message || message.metadata.is_visually_hidden_from_conversation) return skipped;
  switch (message.author.role) {
    case 'system':
      return skipped;
    case 'tool':
      if (answer) addOutput(answer.parts, message);
      return skipped;
    case 'user':
    case 'assistant': {
      const parts = partsOfChatGpt(message);
      if (parts.length === 0) return skipped;
      const isCreatedByUser = message.author.role === 'user';
      if (answer && !isCreatedByUser) {
        answer.parts.push(...parts);
        answer.finishReason = finishOf(message);
        answer.updatedAt = message.create_time ?? answer.updatedAt;
        return { under: answer, isAlone: true };
      }
      const taken = messageOf(id, under, message, parts, model);
      found.push(taken);
      return { under: taken, isAlone: true };
    }
    default:
      return message.author.role satisfies never;
  }
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
    sender: isCreatedByUser ? 'User' : senderOf({ ...ENDPOINT, model, settings: {} }),
    model,
    parts,
    finishReason: isCreatedByUser ? null : finishOf(message),
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
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
