// REST handlers for accounts and sessions (docs/rest-compat.md, Accounts and sessions).
import { DirectorySignIn, Profile, ResetPassword, ResetRequest, SignUp } from '@parley/schema/accounts/users';
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { asJson, asText, plain } from '../responses.ts';
import { refusedRequest } from '../errors.ts';
import { authed, public_, type Call, type Refused } from '../route.ts';
import { Registered, ResetLink, RestUser, SecondStep, SignedIn } from '../shapes/account.ts';
import { Told } from '../shapes/shapes.ts';

const onRegistrationClosed: Refused = ({ reason, status, text }) =>
  reason.type === 'registration_closed' ? plain(text, status) : null;

/** Clients that know two-step sign-in go on with the ticket; to others it is no session. */
const onSecondStep: Refused = ({ reason }) =>
  reason.type === 'factor_needed' ? Response.json({ twoFAPending: true, tempToken: reason.ticket }) : null;

/** REST clients need only the status. */
const Nothing = z.object({});

const onInvalidReset: Refused = ({ reason }) =>
  reason.type === 'not_found' || reason.type === 'invalid_reset_token' ? Response.json({}, { status: 400 }) : null;

/** A retry after a failed refresh gets another status. */
const onSignedOut: Refused = ({ reason }, { query }) =>
  reason.type === 'unauthorized' ? plain('The session was not found', query.has('retry') ? 403 : 401) : null;

export const accountRoutes = [
  public_('POST', '/api/auth/login', (api, { body }) => api.auth.login(body), {
    summary: 'Signs in',
    description:
      'Where `/api/config` has `ldap`, `email` may be a user name of the directory. An unknown address and a wrong password are the same answer.',
    body: DirectorySignIn,
    answers: {
      200: asJson(
        'The token and the user, and the session in the cookie; of an account with a second factor neither, but a ticket.',
        z.union([SignedIn, SecondStep]),
      ),
      403: 'E-mail sign-in is closed, or the account may not sign in.',
      422: 'The address or the password is wrong.',
      503: 'The directory is away.',
    },
    refused: onSecondStep,
  }),
  authed('POST', '/api/auth/logout', logout, {
    summary: 'Signs out and clears the cookie',
    answers: { 200: asJson('A message, also without a cookie.', Told) },
    isForLimited: true,
  }),
  public_('POST', '/api/auth/register', register, {
    summary: 'Makes an account and signs in to it',
    body: SignUp,
    answers: {
      200: asJson('The user; the token is in the header `Authorization`, the session in the cookie.', Registered),
      403: {
        ...asJson('The account has to be confirmed or approved first; a text where registration is closed.', Told),
        orText: true,
      },
      500: 'The account could not be made, as when the address is taken.',
    },
    refused: onRegistrationClosed,
  }),
  public_('POST', '/api/auth/refresh', refresh, {
    summary: 'Gives the next token and cookie for the cookie `refreshToken`',
    query: { retry: 'Asks for 403 in place of 401.' },
    answers: {
      200: { ...asJson('The token and the user; a text without a cookie.', SignedIn), orText: true },
      401: asText('The session has ended.'),
      403: { ...asJson('A text: the same with `retry`. Else why the account may not go on.', Told), orText: true },
    },
    refused: onSignedOut,
  }),
  public_('POST', '/api/auth/requestPasswordReset', requestReset, {
    summary: 'Sends a link by which a password is set anew',
    body: ResetRequest,
    answers: {
      200: asJson(
        'The link, which is empty unless the operator sets `ALLOW_RESET_LINK` and there is no mail.',
        ResetLink,
      ),
      400: asJson('Nobody has this address, where the link would be shown.', Nothing),
    },
    refused: onInvalidReset,
  }),
  public_('POST', '/api/auth/resetPassword', resetPassword, {
    summary: 'Sets a password by a link',
    body: ResetPassword,
    answers: { 200: asJson('A message.', Told), 400: asJson('The link is not good.', Nothing) },
    refused: onInvalidReset,
  }),
  authed('GET', '/api/user', (api) => api.auth.me(), {
    summary: 'Who is signed in',
    answers: { 200: asJson('The user.', RestUser) },
    isForLimited: true,
  }),
  authed('PUT', '/api/user', (api, { body }) => api.auth.updateProfile(body), {
    summary: 'Changes the name or the user name',
    body: Profile,
    answers: { 200: asJson('The user.', RestUser), 409: 'Another account has the user name.' },
  }),
  authed('GET', '/api/balance', async (api) => plain(await api.auth.balance()), {
    summary: 'The credits that are left',
    answers: { 200: asText('A number; empty for who never had any.') },
  }),
];

async function logout(api: Api): Promise<{ message: string }> {
  await api.auth.logout();
  return { message: 'Logout successful' };
}

/** Returns the access token only in a header: clients go on with the cookie. */
async function register(api: Api, { body }: Call): Promise<Response> {
  const { user, token } = await api.auth.register(body);
  return Response.json({ user }, { headers: { Authorization: `Bearer ${token}` } });
}

async function refresh(api: Api) {
  return (await api.auth.refresh().catch(asSignedOut)) ?? plain('Refresh token not provided');
}

/** Returns the link only where the operator allows showing it to the requester. */
async function requestReset(api: Api, { body }: Call): Promise<{ link: string }> {
  return api.auth.requestPasswordReset(body);
}

async function resetPassword(api: Api, { body }: Call): Promise<{ message: string }> {
  await api.auth.resetPassword(body);
  return { message: 'Password reset was successful' };
}

/** Reports a ban as an ended session. */
function asSignedOut(error: unknown): never {
  if (refusedRequest(error)?.reason.type === 'banned') refuse({ type: 'unauthorized' });
  throw error;
}
