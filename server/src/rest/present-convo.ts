import type { Convo } from '@parley/schema/convos';

/** What an untitled conversation is called on this wire. */
const UNTITLED = 'New Chat';

/**
 * A conversation with its settings beside its identity, as clients of these paths know it. They refuse a null where
 * their schema says optional, so whatever was not set is left out.
 */
export function presentConvo(userId: string, convo: Convo) {
  const { conversationId, title, endpoint, endpointType, model, settings, upstream, createdAt, updatedAt } = convo;
  return {
    ...withoutNulls(settings),
    ...(endpointType === 'bingAI' && upstream),
    _id: conversationId,
    conversationId,
    user: userId,
    title: title ?? UNTITLED,
    endpoint,
    ...(endpointType === 'custom' && { endpointType }),
    model,
    createdAt,
    updatedAt,
  };
}

function withoutNulls(settings: Convo['settings']): Convo['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== undefined));
}
