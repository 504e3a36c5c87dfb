// Tests of this room: tests/unit/rest, tests/integration/rest.

// The REST routes for asking: one set per provider.
import { cleanText } from '@parley/schema/clean-text';
import { abort, AbortBody } from './routes/abort.ts';
import { RestAsk, type AskPath } from './compat/ask-input.ts';
import { ask, edit } from './routes/ask.ts';
import { asEvents, asJson, withoutBody } from './responses.ts';
import * as z from 'zod';
import { eventStream, frame } from './sse.ts';
import { authed, byKey, type Route } from './route.ts';
import { Created, FailedReply, Final, RefusedAsk, TextSoFar } from './shapes/exchange.ts';

/** Clients of an endpoint that is not here read its stream: a sentence there is all that they can show. */
export const unknownAskRows: readonly Route[] = ['ask', 'edit'].map((kind) =>
  authed(
    'POST',
    `/api/${kind}/:endpoint`,
    (_api, { params: { endpoint = '' } }) => eventStream(unknownEndpoint(endpoint)),
    {
      summary: 'An endpoint that is not here',
      answers: { 200: asEvents('An error that says so.', { error: RefusedAsk }) },
      ...byKey,
    },
  ),
);

async function* unknownEndpoint(endpoint: string): AsyncGenerator<string, void> {
  yield frame('error', { text: `Unknown endpoint: ${cleanText(endpoint).slice(0, 128)}` });
}

const EVENTS = {
  200: asEvents('The question, the text so far again and again, and the end; or an error, also for what is refused.', {
    message: z.union([Created, TextSoFar, Final]),
    error: z.union([FailedReply, RefusedAsk]),
  }),
};
const STOP = {
  summary: 'Stops an answer',
  description: '`abortKey` is the conversation, or the id of the person for the newest.',
  body: AbortBody,
  answers: { 200: asJson('How it ended.', Final), 204: withoutBody('Nothing runs.') },
  ...byKey,
};

export function askRows(paths: readonly Omit<AskPath, 'isEdit'>[]): Route[] {
  return paths.flatMap((path) => [
    authed('POST', `/api/ask/${path.type}`, ask(path), {
      summary: 'Asks for an answer',
      description:
        'A `messageId` that is a UUID makes it idempotent. `overrideParentMessageId` asks for another answer to that question. Settings of the endpoint stand beside these fields.',
      body: RestAsk,
      answers: EVENTS,
      ...byKey,
    }),
    authed('POST', `/api/ask/${path.type}/abort`, abort, STOP),
    authed('POST', `/api/edit/${path.type}`, edit(path), {
      summary: 'Goes on with an answer',
      description:
        'With `isContinued` the answer `responseMessageId` itself; without it a new one beside it, which begins with `generation`.',
      body: RestAsk,
      answers: EVENTS,
      ...byKey,
    }),
    authed('POST', `/api/edit/${path.type}/abort`, abort, STOP),
  ]);
}
