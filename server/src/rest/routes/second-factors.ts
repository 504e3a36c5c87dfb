// REST handlers for two-step sign-in and the confirmation of addresses, as clients of 0.7.5 and 0.7.8 ask for them
// (docs/rest-compat.md, Accounts and sessions).
import * as z from 'zod';
import { refuse } from '../../platform/errors.ts';
import type { Api } from '../../router.ts';
import { asJson } from '../responses.ts';
import { authed, public_, type Call, type Refused } from '../route.ts';
import { ConfirmedApp, FactorCode, NewApp, RenewedCodes, SignedIn, Verified } from '../shapes/account.ts';
import { Told } from '../shapes/shapes.ts';

const Verify = z.object({ token: z.string('token is required'), email: z.string().nullish() });
const Resend = z.object({ email: z.string('email is required') });
const Second = FactorCode.extend({ tempToken: z.string('tempToken is required') });

const onInvalid: Refused = ({ reason, text }) =>
  reason.type === 'invalid_confirmation' ? Response.json({ message: text }, { status: 400 }) : null;

const WRONG = 'The code is wrong.';

export const secondFactorRoutes = [
  public_('POST', '/api/user/verify', verifyAddress, {
    summary: 'Confirms the address of an account by the token of its mail',
    body: Verify,
    answers: { 200: asJson('A message.', Verified), 400: 'The link is not good.' },
    refused: onInvalid,
  }),
  public_('POST', '/api/user/verify/resend', resend, {
    summary: 'Sends that mail again',
    body: Resend,
    answers: { 200: asJson('The same message for every address.', Told) },
  }),
  public_('POST', '/api/auth/2fa/verify-temp', secondStep, {
    summary: 'Signs in with the ticket of a sign-in that needs a second factor',
    body: Second,
    answers: { 200: asJson('The token and the user; the session is in the cookie.', SignedIn), 422: WRONG },
  }),
  authed('GET', '/api/auth/2fa/enable', enable, {
    summary: 'What an authenticator app is set up with',
    description: 'Recovery codes come once a code of the app was seen, from `confirm`.',
    answers: { 200: asJson('The address for the app.', NewApp), 403: 'The sign-in is too long ago.' },
    isForLimited: true,
  }),
  authed('POST', '/api/auth/2fa/verify', confirm, {
    summary: 'Switches two-step sign-in on with a code of the app that was begun',
    body: FactorCode,
    answers: { 200: asJson('A message, and the recovery codes if it is the first factor.', ConfirmedApp), 422: WRONG },
    isForLimited: true,
  }),
  authed('POST', '/api/auth/2fa/confirm', confirm, {
    summary: 'The same; where `verify` has done it already, it only says so',
    body: FactorCode,
    answers: { 200: asJson('A message, and the recovery codes if it is the first factor.', ConfirmedApp), 422: WRONG },
    isForLimited: true,
  }),
  authed('POST', '/api/auth/2fa/disable', disable, {
    summary: 'Takes the authenticator app away',
    description: 'The last factor is taken away on the page only, where the password is asked for, too.',
    answers: { 200: asJson('A message, also where there is none.', Told), 403: 'A recent proof is needed.' },
  }),
  authed('POST', '/api/auth/2fa/backup/regenerate', renewCodes, {
    summary: 'Makes the recovery codes anew',
    answers: { 200: asJson('The codes, which are shown this once.', RenewedCodes), 403: 'A recent proof is needed.' },
  }),
];

async function verifyAddress(api: Api, { body }: Call) {
  await api.auth.confirmEmail({ token: Verify.parse(body).token });
  return { message: 'Email verification was successful', status: 'success' as const };
}

async function resend(api: Api, { body }: Call) {
  await api.auth.resendConfirmation({ email: Resend.parse(body).email });
  return { message: 'Verification link has been sent if the address needs one' };
}

async function secondStep(api: Api, { body }: Call) {
  const { tempToken: ticket, ...given } = Second.parse(body);
  const { token, user } = await api.auth.factors.prove({ ticket, code: codeIn(given) });
  return { token, user };
}

async function enable(api: Api) {
  const { uri } = await api.auth.factors.beginApp();
  return { otpauthUrl: uri, backupCodes: [] };
}

/** These clients call `verify` and then `confirm` with the same code, which is good once. */
async function confirm(api: Api, { body }: Call) {
  const { app } = await api.auth.factors.status();
  const codes = app ? null : await api.auth.factors.confirmApp({ code: codeIn(FactorCode.parse(body)) });
  return { message: 'Two-step sign-in is on', ...(codes && { backupCodes: codes }) };
}

async function disable(api: Api) {
  const { app } = await api.auth.factors.status();
  if (app) await api.auth.factors.remove({ id: app.id });
  return { message: 'The authenticator app is taken away' };
}

async function renewCodes(api: Api) {
  return { backupCodes: await api.auth.factors.renewRecoveryCodes() };
}

function codeIn({ token, backupCode }: z.infer<typeof FactorCode>): string {
  return token || backupCode || refuse({ type: 'wrong_code' });
}
