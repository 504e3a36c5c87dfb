// REST handlers for users' provider keys (docs/rest-compat.md, Keys of users).
import * as z from 'zod';
import type { Api } from '../../router.ts';
import type { Call } from '../route.ts';

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

export async function saveKey(api: Api, { body }: Call): Promise<Response> {
  const { name, value, expiresAt = null } = Save.parse(body);
  await api.keys.save({ name, value, expiresAt });
  return new Response(null, { status: 201 });
}

export async function removeKey(api: Api, { params }: Call<{ name: string }>): Promise<Response> {
  await api.keys.remove(params);
  return new Response(null, { status: 204 });
}

/** Removes all keys, if the query asks for it explicitly. */
export async function removeAllKeys(api: Api, { query }: Call): Promise<Response> {
  if (query.get('all') !== 'true')
    return Response.json({ error: 'Say all=true to remove every key.' }, { status: 400 });
  await api.keys.removeAll();
  return new Response(null, { status: 204 });
}
