// REST handlers for accounts and sessions (docs/rest-compat.md, Accounts and sessions).
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { plain } from '../responses.ts';
import { refusedRequest } from '../errors.ts';
import type { Call, Route } from '../route.ts';

export async function logout(api: Api): Promise<{ message: string }> {
  await api.auth.logout();
  return { message: 'Logout successful' };
}

/** Returns the access token only in a header: clients go on with the cookie. */
export async function register(api: Api, { body }: Call): Promise<Response> {
  const { user, token } = await api.auth.register(body);
  return Response.json({ user }, { headers: { Authorization: `Bearer ${token}` } });
}

export const onRegistrationClosed: Route['refused'] = ({ reason, status, text }) =>
  reason.type === 'registration_closed' ? plain(text, status) : null;

export async function refresh(api: Api): Promise<unknown> {
  return (await api.auth.refresh().catch(asSignedOut)) ?? plain('Refresh token not provided');
}

/** Returns the link only where the operator allows showing it to the requester. */
export async function requestReset(api: Api, { body }: Call): Promise<{ link: string }> {
  return api.auth.requestPasswordReset(body);
}

export async function resetPassword(api: Api, { body }: Call): Promise<{ message: string }> {
  await api.auth.resetPassword(body);
  return { message: 'Password reset was successful' };
}

/** REST clients need only the status. */
export const onInvalidReset: Route['refused'] = ({ reason }) =>
  reason.type === 'not_found' || reason.type === 'invalid_reset_token' ? Response.json({}, { status: 400 }) : null;

/** Reports a ban as an ended session. */
function asSignedOut(error: unknown): never {
  if (refusedRequest(error)?.reason.type === 'banned') refuse({ type: 'unauthorized' });
  throw error;
}

/** A retry after a failed refresh gets another status. */
export const onSignedOut: Route['refused'] = ({ reason }, { query }) =>
  reason.type === 'unauthorized' ? plain('The session was not found', query.has('retry') ? 403 : 401) : null;
