// The REST routes for asking: one set per provider.
import { abort } from './routes/abort.ts';
import type { AskPath } from './compat/ask-input.ts';
import { ask, edit } from './routes/ask.ts';
import { cleanText } from '@parley/schema/clean-text';
import { eventStream, frame } from './sse.ts';
import { authed, type Route } from './route.ts';

/** Clients of an endpoint that is not here read its stream: a sentence there is all that they can show. */
export const unknownAskRows: readonly Route[] = ['ask', 'edit'].map((kind) =>
  authed('POST', `/api/${kind}/:endpoint`, (_api, { params: { endpoint = '' } }) =>
    eventStream(unknownEndpoint(endpoint)),
  ),
);

async function* unknownEndpoint(endpoint: string): AsyncGenerator<string, void> {
  yield frame('error', { text: `Unknown endpoint: ${cleanText(endpoint).slice(0, 128)}` });
}

export function askRows(paths: readonly Omit<AskPath, 'isEdit'>[]): Route[] {
  return paths.flatMap((path) => [
    authed('POST', `/api/ask/${path.type}`, ask(path)),
    authed('POST', `/api/ask/${path.type}/abort`, abort),
    authed('POST', `/api/edit/${path.type}`, edit(path)),
    authed('POST', `/api/edit/${path.type}/abort`, abort),
  ]);
}
