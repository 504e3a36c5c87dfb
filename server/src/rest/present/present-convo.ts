import { isJailbroken } from '@parley/schema/catalog/jailbreak';
import type { Convo } from '@parley/schema/convos/convos';
import type { RestConvo } from '../shapes/convo.ts';
import { presentChosenTools } from './present-plugin.ts';

/** The title of an untitled conversation in the REST API. */
export const UNTITLED = 'New Chat';

/**
 * A conversation with its settings at the top level, as REST clients expect it. Their schema rejects null for optional
 * fields, so unset ones are omitted.
 */
export function presentConvo(userId: string, convo: Convo): RestConvo {
  const { conversationId, title, endpoint, endpointType, model, settings, threadIds, createdAt, updatedAt } = convo;
  return {
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== undefined)),
    ...(Array.isArray(settings.tools) && { tools: presentChosenTools(settings.tools) }),
    ...(endpointType === 'bingAI' && { ...threadIds, ...(isJailbroken(convo) && { jailbreak: true }) }),
    _id: conversationId,
    conversationId,
    user: userId,
    title: title ?? UNTITLED,
    endpoint,
    ...(endpointType === 'custom' && { endpointType }),
    model,
    ...(convo.isArchived && { isArchived: true as const }),
    createdAt,
    updatedAt,
  };
}
