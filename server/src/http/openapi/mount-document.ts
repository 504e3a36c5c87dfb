// Where an OpenAPI document is read. It is made when somebody asks for it, and then kept.
import type { Hono } from 'hono';
import type { Config } from '../../config/config.ts';
import type { HttpEnv } from '../../platform/requests/http-env.ts';

export function mountDocument(hono: Hono<HttpEnv>, path: string, make: () => Promise<object>): void {
  let document: Promise<object> | null = null;
  hono.get(path, async (c) => c.json(await (document ??= make())));
}

/** What a document says of this server; `part` is that of its paths which it is about. */
export function documentHead({ startup, server }: Pick<Config, 'startup' | 'server'>, part: string) {
  return { title: `${startup.appTitle} ${part}`, url: server.domainServer, version: startup.version };
}
