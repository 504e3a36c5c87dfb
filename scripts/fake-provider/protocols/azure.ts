/** Azure: OpenAI's bodies below the path of a deployment, which replaces the model. */
import { asChat, complete } from './openai.ts';
import { chatDialect, textDialect } from './openai-frames.ts';
import { respondWithPicture } from './openai-pictures.ts';
import { isObject } from '@parley/schema/json';
import { sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';

const ASK = /^\/openai\/deployments\/([^/]+)\/(chat\/completions|completions|images\/generations|images\/edits)$/;

export const azure: Protocol = {
  serves: (method, path) => method === 'POST' && ASK.test(path),
  async respond(exchange) {
    const { headers, body } = exchange.request;
    if (!headers['api-key']) return sendJson(exchange.line, 401, noKey);
    if (isTooOld(exchange.request.query) && isAskedUsage(body)) return sendJson(exchange.line, 400, unknownOption);
    const [, deployment = '', call] = ASK.exec(exchange.path) ?? [];
    if (call?.startsWith('images/')) return respondInDeployment(exchange, decodeURIComponent(deployment));
    const asked = call === 'completions' ? asChat(body) : body;
    const named = typeof asked === 'object' ? { ...asked, model: decodeURIComponent(deployment) } : asked;
    return complete(exchange, named, call === 'completions' ? textDialect : chatDialect);
  },
};

/**
 * The images API of a deployment, which names no model: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/dall-e.
 * Its model is known by the deployment's name here.
 */
function respondInDeployment(exchange: FakeCall, deployment: string): Promise<void> | void {
  const version = new URLSearchParams(exchange.request.query).get('api-version') ?? '';
  if (isNamed(exchange.request.body)) return sendJson(exchange.line, 400, unknownModel);
  if (deployment.startsWith('gpt-image') && version < '2025-04-01') return sendJson(exchange.line, 404, notFound);
  if (JSON.stringify(exchange.request.body).includes('fake:forbidden')) return sendJson(exchange.line, 400, filtered);
  return respondWithPicture(exchange, deployment);
}

function isNamed(body: unknown): boolean {
  return typeof body === 'string' ? body.includes('name="model"') : isObject(body) && 'model' in body;
}

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

const unknownModel = {
  error: {
    message: 'Unrecognized request argument supplied: model',
    type: 'invalid_request_error',
    param: null,
    code: null,
  },
};

const notFound = { error: { code: '404', message: 'Resource not found' } };

const filtered = {
  error: {
    code: 'contentFilter',
    message: 'Your task failed as a result of our safety system.',
    inner_error: {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_results: { violence: { filtered: true, severity: 'medium' } },
    },
  },
};

const noKey = {
  error: { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' },
};
