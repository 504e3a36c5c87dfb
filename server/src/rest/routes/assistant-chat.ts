// REST handlers for asking an assistant, and for stopping it (docs/rest-compat.md, Assistants).
import { Id } from '@parley/schema/ids';
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { stopPendingAsk } from '../compat/pending-asks.ts';
import { assistantFrames, brokenEnd } from '../present/assistant-frames.ts';
import { asEvents, asJson, withoutBody } from '../responses.ts';
import { AssistantEnd, AssistantPart, AssistantSync, BrokenEnd } from '../shapes/assistant-exchange.ts';
import { Created, FailedReply, RefusedAsk } from '../shapes/exchange.ts';
import { authed, byKey, type Call } from '../route.ts';
import { RestAsk } from '../compat/ask-input.ts';
import { AbortBody, abortKeyOf, stopRunning } from './abort.ts';
import { streamReply } from './ask.ts';

/** The request names the assistant; its model counts only where the endpoint offers it. */
const PATH = { type: 'assistants', isLenient: true, isEdit: false } as const;

const askAssistant = streamReply(PATH, assistantFrames);
const editAssistantReply = streamReply({ ...PATH, isEdit: true }, assistantFrames);

const ANSWERS = {
  200: asEvents('The ids of both messages, the parts of the answer as they come, and its end.', {
    message: z.union([AssistantSync, AssistantPart, AssistantEnd, BrokenEnd, Created]),
    error: z.union([FailedReply, RefusedAsk]),
  }),
};

export const assistantChatRoutes = [
  authed('POST', '/api/assistants/chat', askAssistant, {
    summary: 'Asks an assistant',
    description: 'The body of an ask, with `assistant_id`, `promptPrefix` and `instructions`.',
    body: RestAsk,
    answers: ANSWERS,
    ...byKey,
  }),
  authed('POST', '/api/assistants/chat/modify', editAssistantReply, {
    summary: 'Goes on with an answer of an assistant',
    body: RestAsk,
    answers: ANSWERS,
    ...byKey,
  }),
  authed('POST', '/api/assistants/chat/abort', abortAssistant, {
    summary: 'Stops an answer of an assistant',
    description: '`abortKey` is the id of the conversation, and after a colon that of a message.',
    body: AbortBody,
    answers: { 200: asJson('How it ended.', BrokenEnd), 204: withoutBody('Nothing runs.'), 400: 'There is no id.' },
    ...byKey,
  }),
];

/** `abortKey` is the id of the conversation, and after a colon that of its newest message. */
async function abortAssistant(api: Api, { body, userId }: Call): Promise<Response> {
  const [key = ''] = abortKeyOf(body).split(':');
  const conversationId = Id.safeParse(key).data;
  if (!conversationId) return Response.json({ message: 'Invalid conversationId' }, { status: 400 });
  const final = (await stopPendingAsk(api, userId, conversationId)) ?? (await stopRunning(api, userId, conversationId));
  return final ? Response.json(await brokenEnd(api, userId, final)) : new Response(null, { status: 204 });
}
