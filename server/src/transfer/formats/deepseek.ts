// Converts conversations of DeepSeek's data export.
import type { MessagePart } from '@parley/schema/messages/messages';
import { DeepSeekFragment, DeepSeekMessage, DeepSeekNode, type DeepSeekConvo } from '@parley/schema/transfer/deepseek';
import type { Slices } from '../../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from '../source.ts';
import { countLeftOut, type LeftOutCount } from './left-out.ts';
import { countedFields, namedFile, plainMessage, searchCall, textBelow, textPart } from './plain-message.ts';

const ENDPOINT = { endpoint: 'deepseek', endpointType: 'custom' } as const;

export async function readDeepSeek(file: DeepSeekConvo, slices: Slices): Promise<SourceConvo> {
  const counted = countLeftOut();
  const messages: SourceMessage[] = [];
  for (const [id, value] of Object.entries(file.mapping)) {
    await slices.spend();
    const node = DeepSeekNode.safeParse(value).data;
    if (!node) counted.add('node');
    if (!node?.message) continue;
    const { data } = DeepSeekMessage.safeParse(node.message);
    if (data) messages.push(messageOf(id, node.parent ?? null, data, counted));
    else counted.add('message');
  }
  const model = messages.findLast((message) => message.model !== null)?.model ?? null;
  return {
    ...ENDPOINT,
    id: file.id,
    title: file.title,
    model,
    settings: {},
    isArchived: false,
    createdAt: Date.parse(file.inserted_at) || null,
    updatedAt: file.updated_at,
    messages,
    ...countedFields(counted),
  };
}

function messageOf(
  id: string,
  parentId: string | null,
  message: DeepSeekMessage,
  counted: LeftOutCount,
): SourceMessage {
  const fragments = message.fragments.flatMap((one) => DeepSeekFragment.safeParse(one).data ?? []);
  const isCreatedByUser = fragments.some(({ type }) => type === 'REQUEST') || message.role?.toLowerCase() === 'user';
  const parts = fragments.length > 0 ? fragments.flatMap((one) => partsOf(one, counted)) : olderParts(message);
  for (const name of message.files) parts.push(textBelow(parts, namedFile(name)));
  return plainMessage({
    ...ENDPOINT,
    id,
    parentId,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'DeepSeek',
    model: message.model,
    parts,
    at: message.inserted_at,
  });
}

function partsOf({ type, content, results }: DeepSeekFragment, counted: LeftOutCount): MessagePart[] {
  switch (type) {
    case 'REQUEST':
    case 'RESPONSE':
      return textPart(content);
    case 'THINK':
      return content === '' ? [] : [{ type: 'reasoning', text: content }];
    case 'SEARCH':
      return searchCall(results);
    default:
      // What it says is kept, whatever it is.
      if (content === '') counted.add(type ?? 'fragment');
      return textPart(content);
  }
}

function olderParts({ content, reasoning_content: reasoning }: DeepSeekMessage): MessagePart[] {
  return [...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]), ...textPart(content)];
}
