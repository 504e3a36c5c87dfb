// Copies what visitors may see of a conversation. What is not named here is not shared.
import type { Convo } from '@parley/schema/convos/convos';
import type { SharedMessage, SharedPart, SharedThread } from '@parley/schema/convos/shares';
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import { buildTree, latestLeaf, pathTo } from '@parley/schema/messages/tree';

/**
 * `leafId` chooses the branch that leads to the newest message below it; null takes all branches. Empty when that
 * message is not there.
 */
export function snapshotOf(
  userId: string,
  convo: Convo,
  messages: readonly Message[],
  leafId: string | null,
): SharedThread {
  const chosen = leafId === null ? messages : branchOf(messages, leafId);
  const { title, endpoint, endpointType, model } = convo;
  return { title, endpoint, endpointType, model, messages: inTreeOrder(chosen, userId) };
}

function branchOf(messages: readonly Message[], leafId: string): readonly Message[] {
  const tree = buildTree(messages);
  if (!tree.byId.has(leafId)) return [];
  return pathTo(tree, latestLeaf(tree, leafId)?.messageId ?? leafId);
}

/** Parents stand before their children, since their numbers of creation are lower. */
function inTreeOrder(messages: readonly Message[], userId: string): SharedMessage[] {
  const sorted = messages.toSorted((a, b) => a.seq - b.seq);
  const numbers = new Map(sorted.map(({ messageId }, index) => [messageId, String(index + 1)]));
  return sorted.map((message, seq) => {
    const { messageId, parentMessageId, isCreatedByUser, sender, endpoint, endpointType, model, createdAt } = message;
    return {
      messageId: numbers.get(messageId) ?? '',
      parentMessageId: (parentMessageId === null ? null : numbers.get(parentMessageId)) ?? null,
      seq,
      isCreatedByUser,
      sender,
      endpoint,
      endpointType,
      model,
      parts: message.parts.flatMap((part) => sharedPart(part, userId)),
      createdAt,
    };
  });
}

/** The addresses of pictures in a text name their owner; visitors could not open them. */
function sharedPart(part: MessagePart, userId: string): SharedPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text.replaceAll(userId, 'owner') }];
    case 'reasoning':
      return part.text === '' ? [] : [{ type: 'reasoning', text: part.text.replaceAll(userId, 'owner') }];
    case 'tool_call':
      return [{ type: 'tool', label: part.call.from?.label ?? part.call.name }];
    case 'image':
    case 'file':
      return part.name === undefined ? [] : [{ type: 'file', name: part.name }];
    case 'error':
      return [];
    default:
      return part satisfies never;
  }
}
