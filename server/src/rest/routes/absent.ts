// Answers for what later clients ask about and Parley does not have: they must not take it for a fault.
import type { Api } from '../../router.ts';
import { authed, public_, type Call } from '../route.ts';

const NONE = { summary: 'Not here', answers: { 200: 'What says that there is none.' } };

export const absentRoutes = [
  public_('GET', '/api/prompts', () => [], NONE),
  authed('GET', '/api/prompts/all', () => [], NONE),
  authed('GET', '/api/prompts/groups', noPromptGroups, {
    ...NONE,
    query: { pageNumber: 'Comes back.', pageSize: 'Comes back.' },
  }),
  authed('GET', '/api/prompts/random', () => ({ prompts: [] }), NONE),
  authed('GET', '/api/categories', () => [], NONE),
  authed('GET', '/api/agents', noAgents, NONE),
  authed('GET', '/api/agents/tools', () => [], NONE),
  // The word by which these clients go on with their own speech settings.
  authed('GET', '/api/files/speech/config/get', () => ({ message: 'not_found' }), NONE),
  authed('GET', '/api/files/speech/tts/voices', () => [], NONE),
  authed('GET', '/api/roles/:role', absentPermissions, {
    summary: 'What a role may do',
    answers: { 200: 'Of what these clients know, `BOOKMARKS` alone is allowed.', 404: 'No such role.' },
  }),
  // Nobody has to accept anything: an operator's terms are a link.
  authed('GET', '/api/user/terms', () => ({ termsAccepted: true }), NONE),
  authed('POST', '/api/user/terms/accept', () => ({ message: 'There are no terms to accept' }), NONE),
  public_('GET', '/api/banner', () => null, NONE),
];

function noAgents() {
  return { object: 'list', data: [], first_id: null, last_id: null, has_more: false };
}

/** One empty page, as it was asked for. */
function noPromptGroups(_api: Api, { query }: Call) {
  const numberOf = (name: string, fallback: number) => Math.max(1, Math.trunc(Number(query.get(name))) || fallback);
  return { promptGroups: [], pageNumber: numberOf('pageNumber', 1), pageSize: numberOf('pageSize', 10), pages: 1 };
}

const NO_USE = { SHARED_GLOBAL: false, USE: false, CREATE: false };

/** What is not here is not allowed, so that clients hide it. */
function absentPermissions(_api: Api, { params: { role } }: Call<{ role: string }>) {
  const name = role.toUpperCase();
  if (name !== 'USER' && name !== 'ADMIN') return Response.json({ message: 'There is no such role' }, { status: 404 });
  return { name, PROMPTS: NO_USE, BOOKMARKS: { USE: true }, AGENTS: NO_USE, MULTI_CONVO: { USE: false } };
}
