// The error catalog of these paths: for each reason the text that clients read, and the frames of an ask that is
// refused with it. A new reason has to be added here.
import type { Reason } from '@parley/schema/reasons';
import { reasonFailureText } from '@parley/server/rest/present/failure-text';
import { rejectionFrames } from '@parley/server/rest/present/rejection-frames';
import { reasonStatus, reasonText } from '@parley/server/platform/reasons';
import { describe, expect, it } from 'vitest';

const FAILED = 'An error occurred while processing your request. Please contact the administrator.';
const counts = { prev_count: 4, violation_count: 5, date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) };

/**
 * `told` follows its question, `shown` is an error message by itself, `said` is only text: a sentence without a
 * message.
 */
type Way = 'told' | 'shown' | 'said';
type Row<T extends Reason['type']> = [reason: Extract<Reason, { type: T }>, text: string | object, way: Way];

const endpoint = 'openAI';
const rows: { [T in Reason['type']]: Row<T> } = {
  unauthorized: [{ type: 'unauthorized' }, 'Unauthorized', 'shown'],
  invalid_credentials: [{ type: 'invalid_credentials' }, 'The e-mail address or the password is incorrect.', 'shown'],
  banned: [{ type: 'banned', until: '2024-05-01T12:00:00.000Z' }, { type: 'ban' }, 'told'],
  account_disabled: [{ type: 'account_disabled' }, 'An administrator has disabled this account.', 'shown'],
  account_waiting: [{ type: 'account_waiting' }, 'This account waits for the approval of an administrator.', 'shown'],
  email_unconfirmed: [
    { type: 'email_unconfirmed' },
    'The address of this account is not confirmed yet: please follow the link in the mail that was sent to it.',
    'shown',
  ],
  invalid_confirmation: [
    { type: 'invalid_confirmation' },
    'This link is no longer valid. Please ask for another one on the sign-in page.',
    'shown',
  ],
  factor_needed: [
    { type: 'factor_needed', ticket: 'x', kinds: ['totp'] },
    'This account also asks for a code of an authenticator app or a passkey. Please sign in on the site itself.',
    'shown',
  ],
  factor_missing: [
    { type: 'factor_missing' },
    'This server asks for a second factor. Please sign in on the site itself and add an authenticator app or a passkey.',
    'shown',
  ],
  last_factor: [
    { type: 'last_factor' },
    'This server asks for a second factor: add another one before you remove this one.',
    'shown',
  ],
  step_up_needed: [
    { type: 'step_up_needed', by: 'factor', kinds: ['totp'] },
    'This needs a fresh proof of who asks. Please do it on the site itself.',
    'shown',
  ],
  passkey_refused: [{ type: 'passkey_refused' }, 'The passkey was not accepted.', 'shown'],
  wrong_code: [{ type: 'wrong_code' }, 'The code is wrong, or was used already.', 'shown'],
  sign_in_again: [
    { type: 'sign_in_again' },
    'It took too long, or there were too many wrong codes. Please sign in again.',
    'shown',
  ],
  invalid_invitation: [
    { type: 'invalid_invitation' },
    'This invitation is no longer valid, or is for another e-mail address.',
    'shown',
  ],
  registration_closed: [{ type: 'registration_closed' }, 'Registration is not allowed.', 'shown'],
  email_login_closed: [{ type: 'email_login_closed' }, 'Sign-in by e-mail is not allowed.', 'shown'],
  directory_unreachable: [
    { type: 'directory_unreachable' },
    'The directory of this organization cannot be reached at the moment.',
    'shown',
  ],
  password_expired: [
    { type: 'password_expired' },
    'The password has expired. Please choose a new one in the directory of this organization.',
    'shown',
  ],
  email_domain_not_allowed: [
    { type: 'email_domain_not_allowed' },
    'The e-mail address must belong to a domain that may register here.',
    'shown',
  ],
  registration_failed: [{ type: 'registration_failed' }, 'The account could not be created.', 'shown'],
  username_taken: [{ type: 'username_taken' }, 'Another account has this user name.', 'shown'],
  social_login: [{ type: 'social_login', why: 'failed' }, 'The sign-in at the other site did not succeed.', 'shown'],
  invalid_reset_token: [{ type: 'invalid_reset_token' }, 'This password reset token is no longer valid.', 'shown'],
  too_many_attempts: [
    { type: 'too_many_attempts', retryAfterSeconds: 60 },
    'Too many attempts. Please try again in 60 second(s).',
    'shown',
  ],
  forbidden: [{ type: 'forbidden' }, 'This request may only come from our own site.', 'shown'],
  last_administrator: [
    { type: 'last_administrator' },
    'There is always at least one administrator: give somebody else the role first.',
    'shown',
  ],
  own_account: [{ type: 'own_account' }, 'Another administrator has to do this to your account.', 'shown'],
  builder_disabled: [{ type: 'builder_disabled' }, 'Assistants cannot be created or changed on this server.', 'shown'],
  non_browser: [{ type: 'non_browser' }, 'Illegal request', 'said'],
  invalid_input: [{ type: 'invalid_input', text: 'The text is empty' }, 'The text is empty', 'said'],
  not_found: [{ type: 'not_found', what: 'endpoint' }, 'The endpoint was not found.', 'said'],
  conflict: [{ type: 'conflict', text: 'This answer is complete' }, 'This answer is complete', 'shown'],
  model_not_yours: [
    { type: 'model_not_yours', endpoint, model: 'gpt-9' },
    'The model gpt-9 is not available to you. An administrator can change that.',
    'said',
  ],
  illegal_model_request: [
    { type: 'illegal_model_request', endpoint, model: 'gpt-9' },
    'The model gpt-9 is not available for openAI.',
    'said',
  ],
  context_too_long: [
    { type: 'context_too_long', tokens: 9000, window: 8000 },
    'The message has 9000 tokens, more than the 8000 that the model takes.',
    'shown',
  ],
  files_too_long: [
    { type: 'files_too_long', passages: 120000, max: 100000 },
    'The attached files have 120000 passages, more than the 100000 that one question can search.',
    'shown',
  ],
  moderation: [{ type: 'moderation' }, { type: 'moderation' }, 'told'],
  memory_off: [{ type: 'memory_off' }, 'Memory is off: nothing is saved.', 'shown'],
  memory_full: [
    { type: 'memory_full', max: 1000 },
    'At most 1000 entries can be remembered: delete some first.',
    'shown',
  ],
  no_user_key: [{ type: 'no_user_key', endpoint }, { type: 'no_user_key' }, 'shown'],
  invalid_user_key: [{ type: 'invalid_user_key', endpoint }, { type: 'invalid_user_key' }, 'shown'],
  no_base_url: [{ type: 'no_base_url', endpoint }, { type: 'no_base_url' }, 'shown'],
  no_service_key: [
    { type: 'no_service_key', endpoint, model: 'chat-bison' },
    'chat-bison answers by a Google service key only.',
    'shown',
  ],
  forbidden_base_url: [
    { type: 'forbidden_base_url', host: '10.0.0.1' },
    'The base URL at 10.0.0.1 may not be called: it must be a public https address.',
    'shown',
  ],
  expired_user_key: [
    { type: 'expired_user_key', endpoint, expiredAt: '2024-05-01T12:00:00.000Z' },
    { type: 'expired_user_key', expiredAt: expect.stringMatching(/^[45]\/\d+\/2024, /), endpoint },
    'shown',
  ],
  concurrent: [
    { type: 'concurrent', limit: 2 },
    { type: 'concurrent', limit: 2, pendingRequests: 2, ...counts },
    'told',
  ],
  message_limit: [
    { type: 'message_limit', max: 40, windowInMinutes: 1, limiter: 'ip', retryAfterSeconds: 9 },
    { type: 'message_limit', max: 40, limiter: 'ip', windowInMinutes: 1, ...counts },
    'told',
  ],
  token_balance: [
    { type: 'token_balance', balance: 1, promptTokens: 2, tokenCost: 12 },
    { type: 'token_balance', balance: 1, tokenCost: 12, promptTokens: 2, ...counts },
    'told',
  ],
  budget: [
    { type: 'budget', scope: 'person', period: 'month', budget: 9, left: 0, renewsAt: '2026-12-01T00:00:00.000Z' },
    'The budget for this month is used up. It begins again at 2026-12-01T00:00:00.000Z.',
    'shown',
  ],
  credits_reserved: [
    { type: 'credits_reserved', retryAfterSeconds: 9 },
    'Other answers that are being written have reserved the credits that are left. What they do not use comes back: please try again in 9 second(s).',
    'shown',
  ],
  invalid_api_key: [{ type: 'invalid_api_key', endpoint }, { type: 'invalid_api_key' }, 'shown'],
  insufficient_quota: [{ type: 'insufficient_quota', endpoint }, { type: 'insufficient_quota' }, 'shown'],
  provider_rate_limited: [{ type: 'provider_rate_limited', retryAfterSeconds: 7 }, FAILED, 'shown'],
  provider_refused: [{ type: 'provider_refused', status: 400, text: 'Not like this' }, 'Not like this', 'shown'],
  provider_unavailable: [{ type: 'provider_unavailable', status: 503 }, FAILED, 'shown'],
  provider_broke_off: [{ type: 'provider_broke_off' }, FAILED, 'shown'],
  provider_stalled: [{ type: 'provider_stalled', seconds: 60 }, FAILED, 'shown'],
  provider_malformed: [{ type: 'provider_malformed' }, FAILED, 'shown'],
  content_filtered: [{ type: 'content_filtered' }, FAILED, 'shown'],
  empty_answer: [{ type: 'empty_answer' }, FAILED, 'shown'],
  answer_too_long: [{ type: 'answer_too_long' }, FAILED, 'shown'],
  answer_too_slow: [{ type: 'answer_too_slow' }, FAILED, 'shown'],
  storage_full: [
    { type: 'storage_full' },
    "The server's disk is full. Nothing can be saved until there is room.",
    'shown',
  ],
  interrupted: [{ type: 'interrupted' }, FAILED, 'shown'],
  unexpected_answer: [{ type: 'unexpected_answer', status: 502, statusText: 'Bad Gateway' }, FAILED, 'shown'],
  unavailable: [{ type: 'unavailable' }, 'The server is busy. Please try again in a moment.', 'shown'],
  unknown: [{ type: 'unknown', text: 'secret' }, FAILED, 'shown'],
};

const violation = { before: 4, after: 5 };
const messageId = '5d2c8a3e-0000-4000-8000-000000000001';
const input = {
  generationId: '5d2c8a3e-0000-4000-8000-000000000002',
  conversationId: '5d2c8a3e-0000-4000-8000-000000000003',
  replyId: '5d2c8a3e-0000-4000-8000-000000000004',
  endpoint,
  model: 'gpt-4',
  settings: {},
  target: { kind: 'send' as const, messageId, parentMessageId: null, text: 'Hello' },
};
const question = {
  messageId,
  conversationId: input.conversationId,
  parentMessageId: null,
  parts: [{ type: 'text' as const, text: 'Hello' }],
};

describe.each(Object.values(rows))('%j', (reason, text, way) => {
  it('has its text', () => {
    const told = reasonFailureText(reason, { violation });
    expect(typeof text === 'string' ? told : JSON.parse(told)).toEqual(text);
  });

  it('has its frames when an ask is refused with it', async () => {
    const refused = { reason, status: reasonStatus(reason), text: reasonText(reason), violation };
    const frames = [];
    const rejection = { read: { input, question }, refused, sender: 'GPT-4' };
    for await (const frame of rejectionFrames(rejection)) frames.push(frame);
    expect(frames.map(parsed)).toEqual(expectedFrames(reason, text, way));
  });
});

function expectedFrames(reason: Reason, text: string | object, way: Way): object[] {
  const spoken = reason.type === 'non_browser' ? { message: text } : { text: reasonText(reason) };
  if (way === 'said') return [{ event: 'error', data: spoken }];
  const created = {
    created: true,
    message: {
      messageId,
      parentMessageId: '00000000-0000-0000-0000-000000000000',
      conversationId: input.conversationId,
      sender: 'User',
      text: 'Hello',
      isCreatedByUser: true,
    },
  };
  const failure = {
    sender: 'GPT-4',
    messageId: input.replyId,
    conversationId: input.conversationId,
    parentMessageId: messageId,
    unfinished: false,
    error: true,
    final: true,
    isCreatedByUser: false,
    text,
  };
  return [...(way === 'told' ? [{ event: 'message', data: created }] : []), { event: 'error', data: failure }];
}

/** A frame, with the JSON in its text read. */
function parsed(frame: string): { event: string; data: object } {
  const [, event = '', json = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(frame) ?? [];
  const data = JSON.parse(json) as { text?: string };
  return { event, data: data.text?.startsWith('{') ? { ...data, text: JSON.parse(data.text) as unknown } : data };
}
