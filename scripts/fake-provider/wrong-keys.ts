/** A key that begins with `sk-wrong` is refused, in the words of the protocol that is spoken. Every other key is right. */
import type { RecordedRequest } from './record.ts';

/** The status and body of the refusal; undefined for a right key. */
export function refusedKey({ headers }: RecordedRequest): { status: number; body: unknown } | undefined {
  const bearer = /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1];
  const [ofAnthropic, ofGoogle, ofAzure] = ['x-api-key', 'x-goog-api-key', 'api-key'].map((name) => headers[name]);
  const key = [bearer, ofAnthropic, ofGoogle, ofAzure].find((one) => one?.toString().startsWith('sk-wrong'));
  if (key === undefined) return undefined;
  if (key === ofAnthropic)
    return {
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    };
  if (key === ofGoogle) return { status: 400, body: ofGemini };
  if (key === ofAzure) return { status: 401, body: { error: { code: '401', message: azureWords } } };
  // OpenAI masks most of the key; some that follow it do not.
  const message = `Incorrect API key provided: ${String(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  return {
    status: 401,
    body: { error: { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' } },
  };
}

const ofGemini = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ],
  },
};

const azureWords =
  'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.';
