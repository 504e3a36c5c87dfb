// The secrets of actions, encrypted for their action and its host.
import type { ActionInput } from '@parley/schema/assistants/action-inputs';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import * as z from 'zod';
import type { Encryption } from '../keys/encryption.ts';
import { refuse } from '../platform/errors.ts';
import type { ActionRow } from './rows.ts';

const Secrets = z.discriminatedUnion('type', [
  z.object({ type: z.literal('service_http'), apiKey: z.string() }),
  z.object({
    type: z.literal('oauth'),
    clientId: z.string(),
    clientSecret: z.string(),
    /** The only host that they are sent to. */
    tokenHost: z.string(),
  }),
]);
export type Secrets = z.infer<typeof Secrets>;
export type ClientSecrets = Extract<Secrets, { type: 'oauth' }>;

interface Owner {
  userId: string;
  id: string;
  domain: string;
}

/** Null when there are none, or when they were saved for another host. */
export function decryptSecrets(
  encryption: Encryption,
  row: Pick<ActionRow, 'userId' | 'id' | 'domain' | 'encrypted'>,
): Secrets | null {
  const text = row.encrypted === null ? null : encryption.decrypt(row.encrypted, ownerOf(row));
  return text === null ? null : (Secrets.safeParse(JSON.parse(text)).data ?? null);
}

/**
 * What is stored of the secrets of an input; null for an action without authorization.
 * @param former the row that is replaced: what the input leaves out stays, if it was saved for the same hosts
 * @throws Refusal `invalid_input` when one is missing
 */
export function encryptSecrets(
  encryption: Encryption,
  owner: Owner,
  input: ActionInput,
  former: ActionRow | null,
): string | null {
  const remaining = former && former.domain === owner.domain ? decryptSecrets(encryption, former) : null;
  const secrets = secretsOf(input, remaining);
  return secrets && encryption.encrypt(JSON.stringify(secrets), ownerOf(owner));
}

function secretsOf({ auth, ...given }: ActionInput, remaining: Secrets | null): Secrets | null {
  switch (auth.type) {
    case 'none':
      return null;
    case 'service_http': {
      const apiKey = given.apiKey ?? (remaining?.type === 'service_http' ? remaining.apiKey : undefined);
      return { type: 'service_http', apiKey: apiKey ?? missing('The API key') };
    }
    case 'oauth': {
      const tokenHost = tokenHostOf(auth);
      const known = remaining?.type === 'oauth' && remaining.tokenHost === tokenHost ? remaining : null;
      return {
        type: 'oauth',
        clientId: given.oauthClientId ?? known?.clientId ?? missing('The client id'),
        clientSecret: given.oauthClientSecret ?? known?.clientSecret ?? missing('The client secret'),
        tokenHost,
      };
    }
  }
}

export function tokenHostOf({ clientUrl }: Extract<ActionAuth, { type: 'oauth' }>): string {
  return new URL(clientUrl).host;
}

function ownerOf({ userId, id, domain }: Owner): { userId: string; name: string } {
  return { userId, name: `action:${id}:${domain}` };
}

function missing(what: string): never {
  refuse({ type: 'invalid_input', text: `${what} is required` });
}
