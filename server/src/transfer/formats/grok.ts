// Converts conversations of Grok's data export.
import type { MessagePart } from '@parley/schema/messages/messages';
import { GrokConvo, GrokResponse } from '@parley/schema/transfer/grok';
import type { Slices } from '../../platform/event-loop.ts';
import type { SourceConvo, SourceMessage } from '../source.ts';
import type { FindFile } from '../stored-links.ts';
import { countLeftOut } from './left-out.ts';
import { countedFields, namedFile, plainMessage, searchCall, textBelow, textPart } from './plain-message.ts';

const ENDPOINT = { endpoint: 'xai', endpointType: 'custom' } as const;

/** One without an id is left out. `stored` finds the files that came with it. */
export async function readGrok(list: readonly unknown[], slices: Slices, stored: FindFile): Promise<SourceConvo[]> {
  const found: SourceConvo[] = [];
  for (const value of list) {
    const { data } = GrokConvo.safeParse(value);
    if (data) found.push(await readOne(data, slices, stored));
  }
  return found;
}

async function readOne({ conversation, responses }: GrokConvo, slices: Slices, stored: FindFile): Promise<SourceConvo> {
  const counted = countLeftOut();
  const messages: SourceMessage[] = [];
  for (const [at, value] of responses.entries()) {
    await slices.spend();
    const { data } = GrokResponse.safeParse(value);
    if (data) messages.push(messageOf(data.response, `${at}`, messages.at(-1)?.id ?? null, stored));
    else counted.add('response');
  }
  return {
    ...ENDPOINT,
    id: conversation.id,
    title: conversation.title,
    model: messages.findLast(({ model }) => model !== null)?.model ?? null,
    settings: {},
    isArchived: false,
    isPinned: conversation.starred,
    createdAt: conversation.create_time,
    updatedAt: conversation.modify_time,
    messages,
    ...countedFields(counted),
  };
}

/** Older exports name no parents: their messages follow each other. */
function messageOf(response: GrokResponse, place: string, before: string | null, stored: FindFile): SourceMessage {
  const isCreatedByUser = response.sender?.toLowerCase() === 'human';
  const { thinking_trace: thoughts, message, error, create_time: at, model, partial } = response;
  const parts: MessagePart[] = [
    ...(thoughts === '' ? [] : [{ type: 'reasoning', text: thoughts } as const]),
    ...searchCall(response.web_search_results),
    ...textPart(message),
  ];
  for (const id of response.file_attachments) parts.push(stored(id) ?? textBelow(parts, namedFile(id)));
  return plainMessage({
    ...ENDPOINT,
    id: response._id ?? place,
    parentId: response.parent_response_id ?? before,
    isCreatedByUser,
    sender: isCreatedByUser ? 'User' : 'Grok',
    model,
    parts,
    at,
    unfinished: partial,
    error,
  });
}
