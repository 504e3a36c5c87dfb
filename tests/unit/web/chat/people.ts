// Messages and asks as the chat tests need them.
import type { Convo } from '@parley/schema/convos/convos';
import { FRESH_CONVO } from '@parley/schema/convos/fresh-convo';
import type { Message } from '@parley/schema/messages/messages';
import type { ModelTarget } from '../../../../web/src/catalog/model-target.ts';

const at = '2024-05-01T12:00:00.000Z';

export const gpt: ModelTarget = { endpoint: 'openAI', endpointType: 'openAI', model: 'gpt-4', settings: {} };

export function message(messageId: string, seq: number, rest: Partial<Message> = {}): Message {
  return {
    messageId,
    conversationId: 'lisbon',
    parentMessageId: null,
    seq,
    isCreatedByUser: false,
    sender: 'GPT-4',
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: 'gpt-4',
    parts: [],
    finishReason: null,
    reason: null,
    unfinished: false,
    isEdited: false,
    usage: null,
    context: null,
    generationId: null,
    createdAt: at,
    updatedAt: at,
    ...rest,
  };
}

export function convo(rest: Partial<Convo> = {}): Convo {
  return {
    ...FRESH_CONVO,
    conversationId: 'lisbon',
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: 'gpt-4',
    settings: {},
    createdAt: at,
    updatedAt: at,
    ...rest,
  };
}
