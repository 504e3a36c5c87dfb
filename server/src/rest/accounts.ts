import { refuse } from '../errors.ts';
import type { Api } from '../router.ts';
import { plain } from './answers.ts';
import { refusedWith } from './refused.ts';
import type { Call, Row } from './row.ts';

export async function logout(api: Api): Promise<{ message: string }> {
  await api.auth.logout();
  return { message: 'Logout successful' };
}

/** The token is in a header only: clients go on with the cookie. */
export async function register(api: Api, { body }: Call): Promise<Response> {
  const { user, token } = await api.auth.register(body);
  return Response.json({ user }, { headers: { Authorization: `Bearer ${token}` } });
}

export const whenClosed: Row['refused'] = ({ reason, status, text }) =>
  reason.type === 'registration_closed' ? plain(text, status) : null;

export async function refresh(api: Api): Promise<unknown> {
  return (await api.auth.refresh().catch(asSignedOut)) ?? plain('Refresh token not provided');
}

/** The link is in the answer only where it may be seen by whoever asks. */
export async function requestReset(api: Api, { body }: Call): Promise<{ link: string }> {
  return api.auth.requestPasswordReset(body);
}

export async function resetPassword(api: Api, { body }: Call): Promise<{ message: string }> {
  await api.auth.resetPassword(body);
  return { message: 'Password reset was successful' };
}

/** Clients of these paths need the status alone. */
export const whenNoReset: Row['refused'] = ({ reason }) =>
  reason.type === 'not_found' || reason.type === 'invalid_reset_token' ? Response.json({}, { status: 400 }) : null;

/** Here a ban is told as what it does: it has ended the session. */
function asSignedOut(error: unknown): never {
  if (refusedWith(error)?.reason.type === 'banned') refuse({ type: 'unauthorized' });
  throw error;
}

/** A client that tries again after a failed refresh is told so by another status. */
export const whenSignedOut: Row['refused'] = ({ reason }, { query }) =>
  reason.type === 'unauthorized' ? plain('The session was not found', query.has('retry') ? 403 : 401) : null;
