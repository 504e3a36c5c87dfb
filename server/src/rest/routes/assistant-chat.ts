// REST handlers for asking an assistant, and for stopping it (docs/rest-compat.md, Assistants).
import { Id } from '@parley/schema/ids';
import type { Api } from '../../router.ts';
import { stopPendingAsk } from '../compat/pending-asks.ts';
import { assistantFrames, brokenEnd } from '../present/assistant-frames.ts';
import type { Call } from '../route.ts';
import { abortKeyOf, stopRunning } from './abort.ts';
import { streamReply } from './ask.ts';

/** The request names the assistant; its model counts only where the endpoint offers it. */
const PATH = { type: 'assistants', isLenient: true, isEdit: false } as const;

export const askAssistant = streamReply(PATH, assistantFrames);
export const editAssistantReply = streamReply({ ...PATH, isEdit: true }, assistantFrames);

/** `abortKey` is the id of the conversation, and after a colon that of its newest message. */
export async function abortAssistant(api: Api, { body, userId }: Call): Promise<Response> {
  const [key = ''] = abortKeyOf(body).split(':');
  const conversationId = Id.safeParse(key).data;
  if (!conversationId) return Response.json({ message: 'Invalid conversationId' }, { status: 400 });
  const final = (await stopPendingAsk(api, userId, conversationId)) ?? (await stopRunning(api, userId, conversationId));
  return final ? Response.json(await brokenEnd(api, userId, final)) : new Response(null, { status: 204 });
}
