// Requests of `/api` that may come by a key in place of a session.
import type { IncomingMessage } from 'node:http';
import { isApiKey, type ApiScope } from '@parley/schema/accounts/api-key-rules';
import { createContext } from '../http/context.ts';
import type { Context } from '../http/trpc.ts';
import type { Http } from '../platform/requests/request-info.ts';
import type { KeyHolder } from '../platform/requests/key-holder.ts';
import { assertHolder, assertScope, keyIn, KeyRefused, type Door } from './principal.ts';
import type { RequestServices } from '../platform/requests/request-services.ts';

/**
 * Whose key a request comes by; null for one that comes by none. Without a scope no key opens what it asks for.
 * @throws KeyRefused
 */
export async function findHolder(deps: Door, headers: Headers, scope: ApiScope | undefined): Promise<KeyHolder | null> {
  const key = keyIn(headers);
  if (key === null || !isApiKey(key)) return null;
  const holder = await assertHolder(deps, headers);
  if (scope === undefined)
    throw new KeyRefused(403, 'insufficient_scope', 'No key opens this path: it is for people who sign in.');
  assertScope(holder, scope);
  return holder;
}

/** The context of a call: of its key's person, or of anyone who is signed in. */
export async function createCallContext<Services extends RequestServices>(
  deps: Services,
  holder: KeyHolder | null,
  request: Request,
  incoming: IncomingMessage,
  setHeader: Http['setHeader'],
  requestId: string,
): Promise<Context<Services>> {
  const context = await createContext(deps, request, incoming, setHeader, requestId);
  // No sign-in has the id of a key: what needs a proof of who asks is refused.
  return holder
    ? { ...context, token: null, signedIn: { userId: holder.userId, sid: holder.keyId }, program: holder }
    : context;
}

/** How often an open stream looks whether its key still is one, in milliseconds; mostly without the database. */
const LOOK_EVERY_MS = 1000;

/** Calls `onEnd` once the key of a request has ended; the returned function stops looking. */
export function watchKey({ keyHolders }: Pick<Door, 'keyHolders'>, headers: Headers, onEnd: () => void): () => void {
  const timer = setInterval(() => {
    keyHolders.find(keyIn(headers) ?? '').then(
      (holder) => holder ?? onEnd(),
      // The next look tries again.
      () => undefined,
    );
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
