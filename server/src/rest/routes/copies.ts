// REST handlers that copy conversations (docs/rest-compat.md, Conversations).
import { randomUUID } from 'node:crypto';
import type { Convo } from '@parley/schema/convos/convos';
import { CONVERSATION_ID_REQUIRED } from '@parley/schema/reasons';
import * as z from 'zod';
import { respondObject } from '../../http/long-responses.ts';
import type { Api } from '../../router.ts';
import { presentMessage } from '../present/present-message.ts';
import { wholeConvo } from '../present/whole-convo.ts';
import { asJson } from '../responses.ts';
import { CopiedConvo } from '../shapes/message.ts';
import { authed, byKey, type Call } from '../route.ts';

const ConvoId = z.string(CONVERSATION_ID_REQUIRED).min(1, CONVERSATION_ID_REQUIRED);
const Fork = z.object({ conversationId: ConvoId, messageId: z.string('messageId is required') });
const Duplicate = z.object({ conversationId: ConvoId, title: z.string().nullish() });

export const copyRoutes = [
  authed('POST', '/api/convos/fork', forkConvo, {
    summary: 'Copies the branch that ends in a message',
    body: Fork,
    answers: { 200: asJson('The copy.', CopiedConvo) },
    ...byKey,
  }),
  authed('POST', '/api/convos/duplicate', duplicateConvo, {
    summary: 'Copies the newest branch',
    body: Duplicate,
    answers: { 201: asJson('The copy.', CopiedConvo) },
    ...byKey,
  }),
];

/** The branch that ends in a message, whichever kind of fork the client asks for. */
async function forkConvo(api: Api, { body, userId }: Call): Promise<Response> {
  const { conversationId, messageId } = Fork.parse(body);
  return respondCopy(api, userId, await api.convos.fork({ conversationId, messageId, forkId: randomUUID() }), 200);
}

/** The branch that is shown by default. */
async function duplicateConvo(api: Api, { body, userId }: Call): Promise<Response> {
  const { conversationId, title } = Duplicate.parse(body);
  const copy = await api.convos.fork({ conversationId, forkId: randomUUID() });
  const titled = title ? await api.convos.rename({ conversationId: copy.conversationId, title }) : copy;
  return respondCopy(api, userId, titled, 201);
}

async function respondCopy(api: Api, userId: string, copy: Convo, status: number): Promise<Response> {
  const { conversationId } = copy;
  const conversation = await wholeConvo(api, userId, copy);
  const messages = await api.messages.list({ conversationId });
  return respondObject({ conversation }, 'messages', messages, (one) => presentMessage(userId, one), status);
}
