/** ChatGPT as its web page calls it: stored conversations, and their titles. */
import { randomUUID } from 'node:crypto';
import { demoTitle } from '@parley/server/providers/demo/title';
import * as z from 'zod';
import { respondAsScripted, refuseWith } from '../respond.ts';
import type { Dialect } from '../respond.ts';
import type { Frames } from '../stream-script.ts';
import type { FinishReason, Refusal } from '../scenario.ts';
import { sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';
import { dataEvent } from '../protocol.ts';

const CONVERSATION = '/backend-api/conversation';
const TITLE = new RegExp(`^${CONVERSATION}/gen_title/([^/]+)$`);

export const chatGPT: Protocol = {
  serves: (method, path) => method === 'POST' && (path === CONVERSATION || TITLE.test(path)),
  async respond(exchange) {
    const demanded = exchange.demanded();
    if (demanded && demanded.kind !== 'stream') return refuseWith(exchange, demanded, { refused, errorBody });
    if (!/^Bearer \S+$/.test(exchange.request.headers.authorization ?? ''))
      return sendJson(exchange.line, 401, {
        detail: { message: 'Your authentication token is missing.', code: 'token' },
      });
    const [, titled] = TITLE.exec(exchange.path) ?? [];
    return titled === undefined ? talk(exchange) : giveTitle(exchange, decodeURIComponent(titled));
  },
};

const Body = z.object({
  action: z.literal('next'),
  messages: z.tuple([
    z.object({
      id: z.uuid(),
      role: z.literal('user'),
      content: z.object({ content_type: z.literal('text'), parts: z.tuple([z.string().min(1)]) }),
    }),
  ]),
  conversation_id: z.string().optional(),
  parent_message_id: z.string().min(1),
  model: z.string().min(1),
});

async function talk(exchange: FakeCall): Promise<void> {
  const { line, conversations, request } = exchange;
  const { success, data } = Body.safeParse(request.body);
  if (!success) return sendJson(line, 422, { detail: [{ msg: 'field required' }] });
  const { conversation_id: known, parent_message_id: parent, messages } = data;
  if (known !== undefined && !conversations.has(`${known}/${parent}`))
    return sendJson(line, 404, { detail: `Can't load conversation ${known}` });
  const [text] = messages[0].content.parts;
  const place = { conversation: known ?? randomUUID(), message: randomUUID() };
  conversations.set(place.conversation, text);
  conversations.set(`${place.conversation}/${place.message}`, text);
  const asked = { model: data.model, messages: [{ role: 'user', text }], maxTokens: undefined };
  return respondAsScripted(exchange, asked, { frames: () => createFrames(place, messages[0]), refused, errorBody });
}

async function giveTitle(exchange: FakeCall, conversation: string): Promise<void> {
  const question = exchange.conversations.get(conversation);
  exchange.request.scenario = 'title';
  if (question === undefined || question.includes('[[fail-title]]'))
    return sendJson(exchange.line, 404, { detail: 'Conversation not found' });
  sendJson(exchange.line, 200, { title: demoTitle(question) });
}

function createFrames({ conversation, message }: { conversation: string; message: string }, question: object): Frames {
  let said = '';
  const asked = { ...question, author: { role: 'user' } };
  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    open: () => dataEvent({ message: asked, conversation_id: conversation, error: null }),
    text(text) {
      said += text;
      return answered('in_progress', null);
    },
    reasoning: () => '',
    tool: () => '',
    edgeCase: () =>
      dataEvent({ message: null, conversation_id: conversation, error: null }) +
      dataEvent({ conversation_id: conversation, message_id: message, is_completion: true, moderation_response: {} }) +
      dataEvent(null),
    broken: () => 'data: {"message":{"author":{"role":"assistant"},"content":{"parts":["bro\n\n',
    error: (text) => dataEvent({ message: null, conversation_id: conversation, error: text }),
    close: (finish) => (finish === null ? '' : `${answered('finished_successfully', finish)}data: [DONE]\n\n`),
  };

  function answered(status: string, finish: FinishReason | null): string {
    const details = finish === null ? {} : { finish_details: { type: finish === 'length' ? 'max_tokens' : 'stop' } };
    const content = { content_type: 'text', parts: [said] };
    const told = { id: message, author: { role: 'assistant' }, content, status, end_turn: finish !== null || null };
    return dataEvent({ message: { ...told, metadata: details }, conversation_id: conversation, error: null });
  }
}

function refused(refusal: Refusal): Refusal {
  return refusal;
}

const errorBody: Dialect['errorBody'] = ({ message, code }) => ({ detail: { message, code } });
