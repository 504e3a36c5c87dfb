// Reads the keys that users save. The formats are those of existing clients (docs/rest-compat.md, Keys of users).
import { parseJson } from '@parley/schema/json';
import * as z from 'zod';
import { refuse } from '../platform/errors.ts';

/**
 * The key a user saved for an endpoint, decrypted and not expired.
 * @throws Refusal `no_user_key` or `expired_user_key`
 */
export type UserKey = (userId: string, endpoint: string) => Promise<string>;

/** Goes into a header, where a line break would begin another one. */
export const HeaderWord = z.string().regex(/^[\x21-\x7e]+$/);

const OpenAIValue = z.object({ apiKey: HeaderWord });

/** The key in `{apiKey, baseURL}`, as the OpenAI family's are saved. */
export function openAIKeyIn(value: string, endpoint: string): string {
  return parseUserKey(value, OpenAIValue, endpoint).apiKey;
}

const AddressValue = z.object({ baseURL: z.string().trim().min(1) });

/** The address beside the key; undefined when there is none. */
export function findBaseURL(value: string): string | undefined {
  return AddressValue.safeParse(parseJson(value)).data?.baseURL;
}

/** A key that is saved as it is. */
export function bareKeyIn(value: string, endpoint: string): string {
  return HeaderWord.safeParse(value.trim()).data ?? refuse({ type: 'invalid_user_key', endpoint });
}

/**
 * A key saved as JSON.
 * @throws Refusal `invalid_user_key`
 */
export function parseUserKey<T>(value: string, schema: z.ZodType<T>, endpoint: string): T {
  const { data } = schema.safeParse(parseJson(value));
  return data ?? refuse({ type: 'invalid_user_key', endpoint });
}
