// REST handlers for users' provider keys (docs/rest-compat.md, Keys of users).
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { asJson, withoutBody } from '../responses.ts';
import { authed, type Call } from '../route.ts';
import { Failed, Time, Told } from '../shapes/shapes.ts';

const Expiry = z.object({ expiresAt: Time.nullable() });

// Other fields are ignored.
const Save = z.object({
  name: z.string(),
  value: z.string({ error: 'value is required' }),
  /** Some clients send a word for "never". */
  expiresAt: z
    .string()
    .transform((text) => (text === '' || text === 'never' ? null : text))
    .nullish(),
});

export const keyRoutes = [
  authed('GET', '/api/keys', (api, { query }) => api.keys.expiry({ name: query.get('name') ?? '' }), {
    summary: 'When the person’s key of an endpoint expires',
    query: { name: 'The endpoint.' },
    answers: { 200: asJson('The year 9999 stands for never, null for no key.', Expiry) },
  }),
  authed('PUT', '/api/keys', saveKey, {
    summary: 'Saves a key of an endpoint that asks each person for one',
    description:
      'It never leaves the server again. An empty `expiresAt`, `never` and null mean never; a past date is refused.',
    body: Save,
    answers: { 201: withoutBody('It is saved.') },
  }),
  authed('DELETE', '/api/keys', removeAllKeys, {
    summary: 'Removes all keys',
    query: { all: 'Must be `true`.' },
    answers: { 204: withoutBody('They are gone.'), 400: asJson('`all` is not `true`.', z.union([Failed, Told])) },
  }),
  authed('DELETE', '/api/keys/:name', removeKey, {
    summary: 'Removes a key',
    answers: { 204: withoutBody('It is gone, or never was there.') },
  }),
];

async function saveKey(api: Api, { body }: Call): Promise<Response> {
  const { name, value, expiresAt = null } = Save.parse(body);
  await api.keys.save({ name, value, expiresAt });
  return new Response(null, { status: 201 });
}

async function removeKey(api: Api, { params }: Call<{ name: string }>): Promise<Response> {
  await api.keys.remove(params);
  return new Response(null, { status: 204 });
}

/** Removes all keys, if the query asks for it explicitly. */
async function removeAllKeys(api: Api, { query }: Call): Promise<Response> {
  if (query.get('all') !== 'true')
    return Response.json({ error: 'Say all=true to remove every key.' }, { status: 400 });
  await api.keys.removeAll();
  return new Response(null, { status: 204 });
}
