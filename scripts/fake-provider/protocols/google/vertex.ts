/** Vertex: the token endpoint, Gemini by a token, and the streaming predictions of the PaLM and Codey models. */
import * as z from 'zod';
import { respondAsScripted, refuseWith } from '../../respond.ts';
import { errorBody, refused } from './google-errors.ts';
import { generate } from './gemini.ts';
import type { Frames } from '../../stream-script.ts';
import { sendJson } from '../../protocol.ts';
import type { FakeCall, Protocol } from '../../protocol.ts';
import { dataEvent } from '../../protocol.ts';

const ASK =
  /^\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/models\/(.+):(streamGenerateContent|serverStreamingPredict)$/;

export const vertex: Protocol = {
  serves: (method, path) => method === 'POST' && (path === '/token' || ASK.test(path)),
  async respond(exchange) {
    const [, model, method] = ASK.exec(exchange.path) ?? [];
    if (model === undefined) return giveToken(exchange);
    if (!exchange.request.headers.authorization?.startsWith('Bearer fake-token-'))
      return sendJson(exchange.line, 401, errorBody(noToken));
    return method === 'streamGenerateContent' ? generate(exchange, model) : predict(exchange, model);
  },
};

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
let lastToken = 0;

async function giveToken(exchange: FakeCall): Promise<void> {
  const demanded = exchange.demanded();
  if (demanded && demanded.kind !== 'stream') return refuseWith(exchange, demanded, { refused, errorBody });
  const form = new URLSearchParams(String(exchange.request.body));
  const isAssertion = form.get('assertion')?.split('.').length === 3;
  if (form.get('grant_type') !== GRANT || !isAssertion)
    return sendJson(exchange.line, 400, { error: 'invalid_grant', error_description: 'Invalid JWT.' });
  const token = { access_token: `fake-token-${++lastToken}`, expires_in: 3599, token_type: 'Bearer' };
  sendJson(exchange.line, 200, token);
}

const Text = z.object({ stringVal: z.tuple([z.string()]) });
const Turn = z.object({ structVal: z.object({ author: Text, content: Text }) });
const Body = z.object({
  inputs: z.tuple([
    z.object({
      structVal: z.union([
        z.object({ messages: z.object({ listVal: z.array(Turn).min(1) }) }),
        z.object({ prompt: Text }),
        z.object({ prefix: Text }),
      ]),
    }),
  ]),
});

async function predict(exchange: FakeCall, model: string): Promise<void> {
  const { success, data } = Body.safeParse(exchange.request.body);
  if (!success) return sendJson(exchange.line, 400, errorBody(badRequest));
  const talk = { model, messages: messagesOf(data.inputs[0].structVal), maxTokens: undefined };
  const isChat = 'messages' in data.inputs[0].structVal;
  return respondAsScripted(exchange, talk, { frames: () => createPredictionFrames(isChat), refused, errorBody });
}

function messagesOf(instance: z.infer<typeof Body>['inputs'][0]['structVal']) {
  if (!('messages' in instance)) {
    const { stringVal } = 'prompt' in instance ? instance.prompt : instance.prefix;
    return [{ role: 'user', text: stringVal[0] }];
  }
  return instance.messages.listVal.map(({ structVal: { author, content } }) => ({
    role: author.stringVal[0] === 'user' ? 'user' : 'assistant',
    text: content.stringVal[0],
  }));
}

/** Text only; an end has no reason, unless a safety filter blocked the answer. */
function createPredictionFrames(isChat: boolean): Frames {
  const piece = (text: string, blocked = false) => {
    const safety = { structVal: { blocked: { boolVal: [blocked] } } };
    const content = { stringVal: [text] };
    const candidate = { structVal: { author: { stringVal: ['1'] }, content } };
    const structVal = isChat
      ? { candidates: { listVal: [candidate] }, safetyAttributes: { listVal: [safety] } }
      : { content, safetyAttributes: safety };
    return dataEvent({ outputs: [{ structVal }] });
  };
  return {
    headers: { 'content-type': 'text/event-stream' },
    open: () => '',
    text: (text) => piece(text),
    reasoning: () => '',
    tool: () => '',
    edgeCase: () => dataEvent({ outputs: [] }) + dataEvent({ x: 1 }) + piece(''),
    broken: () => 'data: {"outputs":[{"structVal":{"content":{"stringVal":["bro\n\n',
    error: (message) => dataEvent(errorBody({ status: 500, code: null, message })),
    close: (finish) => (finish === 'content_filter' ? piece('', true) : ''),
  };
}

const noToken = { status: 401, code: null, message: 'Request had invalid authentication credentials.' };
const badRequest = { status: 400, code: null, message: 'Invalid instance: wants messages, prompt or prefix.' };
