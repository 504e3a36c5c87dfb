// The REST routes for asking: one set per provider.
import { abort } from './routes/abort.ts';
import type { AskPath } from './compat/ask-input.ts';
import { ask, edit } from './routes/ask.ts';
import { authed, type Route } from './route.ts';

export function askRows(paths: readonly Omit<AskPath, 'isEdit'>[]): Route[] {
  return paths.flatMap((path) => [
    authed('POST', `/api/ask/${path.type}`, ask(path)),
    authed('POST', `/api/ask/${path.type}/abort`, abort),
    authed('POST', `/api/edit/${path.type}`, edit(path)),
    authed('POST', `/api/edit/${path.type}/abort`, abort),
  ]);
}
