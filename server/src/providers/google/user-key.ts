import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import { HeaderWord, parseUserKey } from '../user-key.ts';
import { parseServiceKey, type ServiceKey } from './service-key.ts';

const GoogleValue = z.object({
  GOOGLE_API_KEY: HeaderWord.or(z.literal('')).nullish(),
  GOOGLE_SERVICE_KEY: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

/** Google's API key, service key, or both. */
export function googleKeysIn(value: string, endpoint: string) {
  const { GOOGLE_API_KEY: apiKey, GOOGLE_SERVICE_KEY: file } = parseUserKey(value, GoogleValue, endpoint);
  const serviceKey = isEmpty(file) ? undefined : serviceKeyIn(file, endpoint);
  return apiKey || serviceKey
    ? { apiKey: apiKey || undefined, serviceKey }
    : refuse({ type: 'invalid_user_key', endpoint });
}

/** Clients with a form for both send an empty field as an empty object, or as the text of one. */
function isEmpty(file: string | Record<string, unknown> | null | undefined): file is '' | null | undefined {
  return !file || (typeof file === 'string' ? /^\s*(?:\{\s*\}\s*)?$/.test(file) : Object.keys(file).length === 0);
}

/** A user's key file is always exchanged at Google's own address: it must not make the server call another one. */
function serviceKeyIn(file: string | Record<string, unknown>, endpoint: string): ServiceKey {
  const { token_uri: _elsewhere, ...own } = typeof file === 'string' ? parseUserKey(file, KeyFile, endpoint) : file;
  return parseServiceKey(JSON.stringify(own)) ?? refuse({ type: 'invalid_user_key', endpoint });
}

const KeyFile = z.record(z.string(), z.unknown());
