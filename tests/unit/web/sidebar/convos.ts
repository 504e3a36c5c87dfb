import type { Convo } from '@parley/schema/convos/convos';
import { FRESH_CONVO } from '@parley/schema/convos/fresh-convo';

/** A convo named after its id, last used on a day of May 2024. */
export function convoOf(conversationId: string, day = 1, rest: Partial<Convo> = {}): Convo {
  const at = new Date(2024, 4, day, 12).toISOString();
  return {
    ...FRESH_CONVO,
    conversationId,
    title: conversationId,
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: null,
    settings: {},
    createdAt: at,
    updatedAt: at,
    ...rest,
  };
}
