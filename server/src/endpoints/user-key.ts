// The keys that users bring, as the endpoints read them.
import * as z from 'zod';
import { refuse } from '../errors.ts';
import { parseServiceKey, type ServiceKey } from './google/service-key.ts';

/**
 * What a user saved for an endpoint, in clear and not expired.
 * @throws Refusal `no_user_key` or `expired_user_key`
 */
export type UserKey = (userId: string, endpoint: string) => Promise<string>;

/** For a server where nobody can save a key. */
export const noUserKeys: UserKey = async (_userId, endpoint) => refuse({ type: 'no_user_key', endpoint });

/** Goes into a header, where a line break would begin another one. */
const HeaderWord = z.string().regex(/^[\x21-\x7e]+$/);

const OpenAIValue = z.object({ apiKey: HeaderWord });

/** The key in `{apiKey, baseURL}`, as the OpenAI family's are saved. */
export function openAIKeyIn(value: string, endpoint: string): string {
  return parse(value, OpenAIValue, endpoint).apiKey;
}

const AddressValue = z.object({ baseURL: z.string().trim().min(1) });

/** The address beside the key; undefined when there is none. */
export function findBaseURL(value: string): string | undefined {
  return AddressValue.safeParse(jsonOf(value)).data?.baseURL;
}

/** A key that is saved as it is. */
export function bareKeyIn(value: string, endpoint: string): string {
  return HeaderWord.safeParse(value.trim()).data ?? refuse({ type: 'invalid_user_key', endpoint });
}

const HostPart = z.string().regex(/^[a-z\d-]+$/i);
const PathPart = z.string().regex(/^[\w.-]+$/);
const Bundle = z.object({ apiKey: z.string() });
const AzureValue = z.object({
  azureOpenAIApiKey: HeaderWord,
  azureOpenAIApiInstanceName: HostPart,
  azureOpenAIApiDeploymentName: PathPart,
  azureOpenAIApiVersion: PathPart,
});

/** The four fields of Azure, saved as JSON in the place of the key. They become parts of an address. */
export function azureKeyIn(value: string, endpoint: string): z.infer<typeof AzureValue> {
  return parse(parse(value, Bundle, endpoint).apiKey, AzureValue, endpoint);
}

const GoogleValue = z.object({
  GOOGLE_API_KEY: HeaderWord.or(z.literal('')).nullish(),
  GOOGLE_SERVICE_KEY: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

/** Google's API key, service key, or both. */
export function googleKeysIn(value: string, endpoint: string) {
  const { GOOGLE_API_KEY: apiKey, GOOGLE_SERVICE_KEY: file } = parse(value, GoogleValue, endpoint);
  const serviceKey = isEmpty(file) ? undefined : serviceKeyIn(file, endpoint);
  return apiKey || serviceKey
    ? { apiKey: apiKey || undefined, serviceKey }
    : refuse({ type: 'invalid_user_key', endpoint });
}

/** Clients with a form for both send what was left empty as an empty object, or as the text of one. */
function isEmpty(file: string | Record<string, unknown> | null | undefined): file is '' | null | undefined {
  return !file || (typeof file === 'string' ? /^\s*(\{\s*\})?\s*$/.test(file) : Object.keys(file).length === 0);
}

/** A user's key file is exchanged at Google's own address, whatever it says: it must not make us call another. */
function serviceKeyIn(file: string | Record<string, unknown>, endpoint: string): ServiceKey {
  const { token_uri: _elsewhere, ...own } = typeof file === 'string' ? parse(file, KeyFile, endpoint) : file;
  return parseServiceKey(JSON.stringify(own)) ?? refuse({ type: 'invalid_user_key', endpoint });
}

const KeyFile = z.record(z.string(), z.unknown());

function parse<T>(value: string, schema: z.ZodType<T>, endpoint: string): T {
  const { data } = schema.safeParse(jsonOf(value));
  return data ?? refuse({ type: 'invalid_user_key', endpoint });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
