// Who calls for speech.
import type { Context as HonoContext } from 'hono';
import { createCallContext, findHolder } from '../api-keys/key-context.ts';
import type { Door } from '../api-keys/principal.ts';
import type { BrowsersOnly } from '../abuse/browsers-only.ts';
import { refuse } from '../platform/errors.ts';
import type { Client } from '../platform/requests/client.ts';
import type { HttpEnv } from '../platform/requests/http-env.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';
import type { SpeechServices } from './speech-services.ts';

export interface RouteServices extends SpeechServices, RequestServices {
  keyHolders: Door['keyHolders'];
  browsersOnly: BrowsersOnly;
}

export interface Caller {
  userId: string;
  client: Client;
}

/** @throws Refusal for anyone but a person who is signed in */
export async function findCaller(deps: RouteServices, c: HonoContext<HttpEnv>): Promise<Caller> {
  const { raw } = c.req;
  const holder = await findHolder(deps, raw.headers, undefined);
  const context = await createCallContext(deps, holder, raw, c.env.incoming, () => {}, c.var.requestId);
  const { signedIn, limited, bannedUntil, client } = context;
  if (limited) refuse({ type: 'factor_missing' });
  if (bannedUntil) refuse({ type: 'banned', until: bannedUntil });
  if (!signedIn || !client) return refuse({ type: 'unauthorized' });
  await deps.browsersOnly(signedIn.userId, client);
  return { userId: signedIn.userId, client };
}
