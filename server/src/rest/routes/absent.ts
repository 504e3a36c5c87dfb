// Answers for what later clients ask about and Parley does not have: they must not take it for a fault.
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { asJson } from '../responses.ts';
import { authed, public_, type Call } from '../route.ts';
import { None, Told } from '../shapes/shapes.ts';

const none = <Shape extends z.ZodType>(shape: Shape) => ({
  summary: 'Not here',
  answers: { 200: asJson('What says that there is none.', shape) },
});
const NONE = none(None);

const Agents = z.object({
  object: z.literal('list'),
  data: None,
  first_id: z.null(),
  last_id: z.null(),
  has_more: z.literal(false),
});
const NoUse = z.object({ SHARED_GLOBAL: z.literal(false), USE: z.literal(false), CREATE: z.literal(false) });
const Permissions = z.object({
  name: z.enum(['USER', 'ADMIN']),
  PROMPTS: z.object({ SHARED_GLOBAL: z.literal(false), USE: z.literal(true), CREATE: z.literal(true) }),
  BOOKMARKS: z.object({ USE: z.literal(true) }),
  AGENTS: NoUse,
  MULTI_CONVO: z.object({ USE: z.literal(false) }),
});

export const absentRoutes = [
  authed('GET', '/api/prompts/random', () => ({ prompts: [] }), none(z.object({ prompts: None }))),
  authed('GET', '/api/categories', () => [], NONE),
  authed('GET', '/api/agents', noAgents, none(Agents)),
  authed('GET', '/api/agents/tools', () => [], NONE),
  authed('GET', '/api/roles/:role', absentPermissions, {
    summary: 'What a role may do',
    answers: {
      200: asJson('Of what these clients know, `BOOKMARKS` and own `PROMPTS` are allowed.', Permissions),
      404: 'No such role.',
    },
  }),
  // Nobody has to accept anything: an operator's terms are a link.
  authed('GET', '/api/user/terms', () => ({ termsAccepted: true }), none(z.object({ termsAccepted: z.boolean() }))),
  authed('POST', '/api/user/terms/accept', () => ({ message: 'There are no terms to accept' }), none(Told)),
  public_('GET', '/api/banner', () => null, none(z.null())),
];

function noAgents(): z.infer<typeof Agents> {
  return { object: 'list', data: [], first_id: null, last_id: null, has_more: false };
}

const NO_USE = { SHARED_GLOBAL: false, USE: false, CREATE: false } as const;

/** What is not here is not allowed, so that clients hide it. */
function absentPermissions(
  _api: Api,
  { params: { role } }: Call<{ role: string }>,
): Response | z.infer<typeof Permissions> {
  const name = role.toUpperCase();
  if (name !== 'USER' && name !== 'ADMIN') return Response.json({ message: 'There is no such role' }, { status: 404 });
  return {
    name,
    PROMPTS: { SHARED_GLOBAL: false, USE: true, CREATE: true },
    BOOKMARKS: { USE: true },
    AGENTS: NO_USE,
    MULTI_CONVO: { USE: false },
  };
}
