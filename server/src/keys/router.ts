// Procedures for users' provider keys: save, list with expiry, remove. A key's value never leaves the server again.
import { keyNameOf } from '@parley/schema/accounts/key-name';
import { KeyRef, SaveKey, type SavedKey } from '@parley/schema/accounts/keys';
import * as z from 'zod';
import { audit } from '../platform/audit.ts';
import { withServices } from '../http/trpc.ts';
import { hasKeys, listKeys, listKeyUses, removeAllKeys, removeKey, putKey } from './keys.ts';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { isObject, parseJson } from '@parley/schema/json';
import { findBaseURL } from '../providers/user-key.ts';
import { checkedBaseURL } from '../platform/egress.ts';
import { refuse } from '../platform/errors.ts';
import { isoTime } from '../platform/iso-time.ts';
import { createEncryption } from './encryption.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import type { Secrets } from '../config/parts/secrets.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

/** A Google service account's key file, which has line breaks and is never sent as a header. */
const FILE = 'GOOGLE_SERVICE_KEY';

const { protectedProcedure, router } = withServices<KeyServices>();

/** Means "never" to clients that expect a date. */
const NEVER_EXPIRES = '9999-12-31T23:59:59.999Z';

export const keysRouter = router({
  /** This user's keys with their expiry. */
  list: protectedProcedure.query(({ ctx }) => listKeys(ctx.deps.db, ctx.user.id)),

  /** When each of them was used last, by name. */
  uses: protectedProcedure.query(({ ctx }) =>
    listKeyUses(ctx.deps.db, ctx.user.id, ctx.deps.config.endpoints.pluginsUseAzure),
  ),

  /** The expiry of this user's key for an endpoint; null when there is none. */
  expiry: protectedProcedure
    .input(z.strictObject({ name: z.string().max(128) }))
    .query(async ({ ctx, input }): Promise<{ expiresAt: string | null }> => {
      const name = keyNameOf(input.name, ctx.deps.config.endpoints.pluginsUseAzure);
      const key = (await listKeys(ctx.deps.db, ctx.user.id)).find((one) => one.name === name);
      return { expiresAt: key ? (key.expiresAt ?? NEVER_EXPIRES) : null };
    }),

  save: protectedProcedure.input(SaveKey).mutation(({ ctx, input }) => saveKey(ctx.deps, ctx.user.id, input)),

  /** Removes the key of an endpoint, if there is one. */
  remove: protectedProcedure.input(KeyRef).mutation(async ({ ctx, input }) => {
    const name = keyNameOf(input.name, ctx.deps.config.endpoints.pluginsUseAzure);
    await removeKey(ctx.deps.db, ctx.user.id, name);
    audit(ctx.deps, 'key_removed', { userId: ctx.user.id, endpoint: name });
    return null;
  }),

  /** Whether this user has anything that `removeAll` removes, which is more than the keys of endpoints. */
  hasAny: protectedProcedure.query(({ ctx }) => hasKeys(ctx.deps.db, ctx.user.id)),

  removeAll: protectedProcedure.mutation(async ({ ctx }) => {
    await removeAllKeys(ctx.deps.db, ctx.user.id);
    audit(ctx.deps, 'keys_removed', { userId: ctx.user.id });
    return null;
  }),
});

interface KeyServices extends CoreServices {
  endpoints: LiveEndpoints;
  secrets: Secrets;
}

/**
 * Saves a key for an endpoint that is on offer and asks its users for one.
 * @throws Refusal `not_found`, `invalid_input` for a past date or a value that cannot be a key, `forbidden_base_url`
 */
async function saveKey(deps: KeyServices, userId: string, input: SaveKey): Promise<SavedKey> {
  const { db, config, secrets } = deps;
  const name = keyNameOf(input.name, config.endpoints.pluginsUseAzure);
  const { type, config: taker } = assertTakesKeys(deps, [name, input.name]);
  const baseURL = taker.userProvideURL ? findBaseURL(input.value) : undefined;
  // Checked now rather than at the first question.
  if (baseURL !== undefined) checkedBaseURL(baseURL, config.server.egressAllowedHosts);
  const expiresAt = input.expiresAt === null ? null : futureOf(input.expiresAt);
  assertReadable(type, input.value);
  const { encrypt } = createEncryption(secrets.credsKey, []);
  await putKey(db, userId, { name, expiresAt, encrypted: encrypt(input.value, { userId, name }) });
  audit(deps, 'key_saved', { userId, endpoint: name });
  return { name, expiresAt };
}

function assertTakesKeys({ endpoints }: { endpoints: LiveEndpoints }, names: readonly string[]) {
  const takers = endpoints.list().filter(({ config }) => config.userProvide || config.userProvideURL);
  const taker = takers.find(({ name }) => names.includes(name));
  return taker ?? refuse({ type: 'not_found', what: 'endpoint' });
}

function futureOf(iso: string): string {
  const time = Date.parse(iso);
  if (time > Date.now()) return isoTime(time);
  return refuse({ type: 'invalid_input', text: 'expiresAt must be in the future' });
}

/**
 * Rejects unusable keys when they are saved rather than at the first question.
 * @throws Refusal `invalid_input`
 */
function assertReadable(type: EndpointType, value: string): void {
  if (isBare(type)) return assertOneLine(value);
  const fields = parseJson(value);
  if (!isObject(fields)) refuse({ type: 'invalid_input', text: 'value must be a JSON object that has the key in it' });
  for (const [name, field] of Object.entries(fields)) if (name !== FILE) assertField(field);
}

/** Whether the key is stored as is; the others are JSON that contains the key (docs/rest-compat.md, Keys of users). */
function isBare(type: EndpointType): boolean {
  return ['key', 'token'].includes(endpointTable[type].keyForm);
}

/** Azure's fields are nested JSON. */
function assertField(field: unknown): void {
  if (typeof field !== 'string') return;
  const inner = parseJson(field);
  for (const text of isObject(inner) ? Object.values(inner) : [field])
    if (typeof text === 'string') assertOneLine(text.trim());
}

/** A key is sent in a header, where a line break would start another one. */
function assertOneLine(text: string): void {
  if (/[\r\n\0]/.test(text)) refuse({ type: 'invalid_input', text: 'A key must be one line' });
}
