/** Azure: OpenAI's bodies below the path of a deployment, which replaces the model. */
import { asChat, complete } from './openai.ts';
import { chatDialect, textDialect } from './openai-frames.ts';
import { sendJson } from '../protocol.ts';
import type { Protocol } from '../protocol.ts';

const ASK = /^\/openai\/deployments\/([^/]+)\/(chat\/completions|completions)$/;

export const azure: Protocol = {
  serves: (method, path) => method === 'POST' && ASK.test(path),
  async respond(exchange) {
    const { headers, body } = exchange.request;
    if (!headers['api-key']) return sendJson(exchange.line, 401, noKey);
    if (isTooOld(exchange.request.query) && isAskedUsage(body)) return sendJson(exchange.line, 400, unknownOption);
    const [, deployment = '', call] = ASK.exec(exchange.path) ?? [];
    const asked = call === 'completions' ? asChat(body) : body;
    const named = typeof asked === 'object' ? { ...asked, model: decodeURIComponent(deployment) } : asked;
    return complete(exchange, named, call === 'completions' ? textDialect : chatDialect);
  },
};

/** The first version that knows the option is from September 2024. */
function isTooOld(query: string): boolean {
  return (new URLSearchParams(query).get('api-version') ?? '') < '2024-09-01';
}

function isAskedUsage(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'stream_options' in body;
}

const unknownOption = {
  error: {
    message: 'Unrecognized request argument supplied: stream_options',
    type: 'invalid_request_error',
    param: null,
    code: null,
  },
};

const noKey = {
  error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' },
};
