// Answers for what later clients ask about and Parley does not have: they must not take it for a fault.
import type { Api } from '../../router.ts';
import type { Call } from '../route.ts';

export const noAgents = () => ({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });

/** The word by which these clients go on with their own speech settings. */
export const noSpeech = () => ({ message: 'not_found' });

export const noRandomPrompts = () => ({ prompts: [] });

/** One empty page, as it was asked for. */
export function noPromptGroups(_api: Api, { query }: Call) {
  const numberOf = (name: string, fallback: number) => Math.max(1, Math.trunc(Number(query.get(name))) || fallback);
  return { promptGroups: [], pageNumber: numberOf('pageNumber', 1), pageSize: numberOf('pageSize', 10), pages: 1 };
}

/** Nobody has to accept anything: an operator's terms are a link. */
export const termsOfUser = () => ({ termsAccepted: true });
export const acceptTerms = () => ({ message: 'There are no terms to accept' });

const NO_USE = { SHARED_GLOBAL: false, USE: false, CREATE: false };

/** What is not here is not allowed, so that clients hide it. */
export function absentPermissions(_api: Api, { params: { role } }: Call<{ role: string }>) {
  const name = role.toUpperCase();
  if (name !== 'USER' && name !== 'ADMIN') return Response.json({ message: 'There is no such role' }, { status: 404 });
  return { name, PROMPTS: NO_USE, BOOKMARKS: { USE: true }, AGENTS: NO_USE, MULTI_CONVO: { USE: false } };
}
