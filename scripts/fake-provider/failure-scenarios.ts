/** Scenarios that fail: with a status, with a gateway's page, or in the middle of a stream. */
import { numberFrom, textSteps, scriptedStream } from './scenario.ts';
import type { Script, Refusal, Scenario, Step } from './scenario.ts';
import { plainText } from './reply-scenarios.ts';
import { tokenAt } from './texts.ts';

const html =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** An hour of keep-alives. */
const ENDLESS = 36_000;

const serverError = 'The server had an error while processing your request. Sorry about that!';

export const failures = {
  'error-401': refusing(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-fake.'),
  'error-403': refusing(403, 'request_forbidden', 'forbidden', 'Your project does not have access to this model.'),
  'error-404': refusing(404, 'invalid_request_error', 'model_not_found', 'The model does not exist.'),
  'error-429': refusing(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests. Try again in 7s.', {
    'retry-after': '7',
  }),
  'error-402': refusing(402, 'invalid_request_error', null, 'Insufficient Balance'),
  quota: refusing(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'),
  'error-500': refusing(500, 'server_error', null, serverError),
  'error-503': refusing(503, 'server_error', null, 'The engine is currently overloaded, please try again later.'),
  'error-529': refusing(529, 'overloaded_error', null, 'Overloaded'),
  'context-too-long': refusing(
    400,
    'invalid_request_error',
    'context_length_exceeded',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
  ),
  flaky: {
    about: '503 for the first 2 times, or `flaky:<times>`, with the same question; then plain',
    script: ({ question, arg, attempt }) =>
      attempt < numberFrom(arg, 2)
        ? refusal(503, 'server_error', null, 'Overloaded.')
        : scriptedStream(textSteps(plainText(question))),
  },
  'html-502': paging(502, 'text/html', html),
  'html-200': paging(200, 'text/html', html),
  'json-200': paging(
    200,
    'application/json',
    JSON.stringify({ error: { message: serverError, type: 'server_error' } }),
  ),
  silent: { about: 'takes the request and never answers', script: () => ({ kind: 'silence' }) },
  stall: {
    about: '5 deltas, or `stall:<deltas>`, then silence for ever',
    script: ({ arg }) => scriptedStream([...deltas(numberFrom(arg, 5)), { type: 'hang' }]),
  },
  'keep-alives': {
    about: 'a sign of life every 100 ms, for ever or `keep-alives:<times>`; then plain',
    script: ({ question, arg }) =>
      scriptedStream([...keepAlives(numberFrom(arg, ENDLESS)), ...textSteps(plainText(question))]),
  },
  'stall-alive': {
    about: '5 deltas, or `stall-alive:<deltas>`, then signs of life for ever',
    script: ({ arg }) => scriptedStream([...deltas(numberFrom(arg, 5)), ...keepAlives(ENDLESS)]),
  },
  cut: {
    about: 'the socket is cut after 5 deltas, or `cut:<deltas>`; `cut:0` cuts before the headers',
    script: ({ arg }) => broken('cut', numberFrom(arg, 5)),
  },
  reset: {
    about: 'like cut, with a TCP reset',
    script: ({ arg }) => broken('reset', numberFrom(arg, 5)),
  },
  'cut-after-done': {
    about: 'the whole answer and its end mark, then a cut socket',
    script: ({ question }) => scriptedStream(textSteps(plainText(question)), { after: [{ type: 'cut' }] }),
  },
  'error-midstream': {
    about: 'an error event after 5 deltas, or `error-midstream:<deltas>`',
    script: ({ arg }) => scriptedStream([...deltas(numberFrom(arg, 5)), { type: 'error', message: serverError }]),
  },
  'status-midstream': {
    about: 'a gateway’s error event with the status 429, or `status-midstream:<status>`, after 5 deltas',
    script: ({ arg }) =>
      scriptedStream([
        ...deltas(5),
        { type: 'error', message: 'Provider returned error', status: numberFrom(arg, 429) },
      ]),
  },
} satisfies Record<string, Scenario>;

function refusing(
  status: number,
  type: string,
  code: string | null,
  message: string,
  headers: Record<string, string> = {},
): Scenario {
  return { about: `${status} ${code ?? type}`, script: () => refusal(status, type, code, message, headers) };
}

function refusal(
  status: number,
  type: string,
  code: string | null,
  message: string,
  headers: Record<string, string> = {},
): Refusal {
  return { kind: 'refusal', status, type, code, message, headers };
}

function paging(status: number, contentType: string, body: string): Scenario {
  return { about: `${status} with ${contentType}`, script: () => ({ kind: 'page', status, contentType, body }) };
}

function broken(how: 'cut' | 'reset', count: number): Script {
  if (count === 0) return { kind: 'drop' };
  return scriptedStream([...deltas(count), { type: how }]);
}

function keepAlives(count: number): Step[] {
  return Array.from({ length: count }, (): Step[] => [{ type: 'keep-alive' }, { type: 'wait', ms: 100 }]).flat();
}

function deltas(count: number): Step[] {
  return Array.from({ length: count }, (_, n) => ({ type: 'text', text: tokenAt(n) }));
}
