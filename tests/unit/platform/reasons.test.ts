import type { Reason } from '@parley/schema/reasons';
import { describe, expect, it } from 'vitest';
import { reasonStatus } from '@parley/server/platform/reasons';

/** One of each, with the status that an existing client of the REST API expects. */
const reasons: { [T in Reason['type']]: [Extract<Reason, { type: T }>, number] } = {
  unauthorized: [{ type: 'unauthorized' }, 401],
  invalid_credentials: [{ type: 'invalid_credentials' }, 422],
  banned: [{ type: 'banned', until: null }, 403],
  account_disabled: [{ type: 'account_disabled' }, 403],
  account_waiting: [{ type: 'account_waiting' }, 403],
  factor_needed: [{ type: 'factor_needed', ticket: 'x' }, 403],
  wrong_code: [{ type: 'wrong_code' }, 422],
  sign_in_again: [{ type: 'sign_in_again' }, 403],
  invalid_invitation: [{ type: 'invalid_invitation' }, 400],
  registration_closed: [{ type: 'registration_closed' }, 403],
  email_login_closed: [{ type: 'email_login_closed' }, 403],
  email_domain_not_allowed: [{ type: 'email_domain_not_allowed' }, 403],
  registration_failed: [{ type: 'registration_failed' }, 500],
  username_taken: [{ type: 'username_taken' }, 409],
  social_login: [{ type: 'social_login', why: 'failed' }, 403],
  invalid_reset_token: [{ type: 'invalid_reset_token' }, 400],
  too_many_attempts: [{ type: 'too_many_attempts', retryAfterSeconds: 1 }, 429],
  forbidden: [{ type: 'forbidden' }, 403],
  last_administrator: [{ type: 'last_administrator' }, 409],
  own_account: [{ type: 'own_account' }, 409],
  builder_disabled: [{ type: 'builder_disabled' }, 403],
  non_browser: [{ type: 'non_browser' }, 403],
  invalid_input: [{ type: 'invalid_input', text: '' }, 422],
  not_found: [{ type: 'not_found', what: 'convo' }, 404],
  conflict: [{ type: 'conflict', text: '' }, 409],
  model_not_yours: [{ type: 'model_not_yours', endpoint: 'openAI', model: 'x' }, 403],
  illegal_model_request: [{ type: 'illegal_model_request', endpoint: 'openAI', model: 'x' }, 400],
  context_too_long: [{ type: 'context_too_long', tokens: 2, window: 1 }, 400],
  files_too_long: [{ type: 'files_too_long', passages: 2, max: 1 }, 400],
  moderation: [{ type: 'moderation' }, 400],
  no_user_key: [{ type: 'no_user_key', endpoint: 'openAI' }, 400],
  invalid_user_key: [{ type: 'invalid_user_key', endpoint: 'openAI' }, 400],
  no_service_key: [{ type: 'no_service_key', endpoint: 'google', model: 'chat-bison' }, 400],
  no_base_url: [{ type: 'no_base_url', endpoint: 'openAI' }, 400],
  expired_user_key: [{ type: 'expired_user_key', endpoint: 'openAI', expiredAt: '' }, 400],
  forbidden_base_url: [{ type: 'forbidden_base_url', host: 'localhost' }, 400],
  concurrent: [{ type: 'concurrent', limit: 1 }, 429],
  message_limit: [{ type: 'message_limit', max: 1, windowInMinutes: 1, limiter: 'user' }, 429],
  token_balance: [{ type: 'token_balance', balance: 0, promptTokens: 1, tokenCost: 1 }, 402],
  budget: [
    { type: 'budget', scope: 'person', period: 'month', budget: 9, left: 0, renewsAt: '2026-12-01T00:00:00.000Z' },
    402,
  ],
  invalid_api_key: [{ type: 'invalid_api_key', endpoint: 'openAI' }, 502],
  insufficient_quota: [{ type: 'insufficient_quota', endpoint: 'openAI' }, 502],
  provider_rate_limited: [{ type: 'provider_rate_limited', retryAfterSeconds: null }, 502],
  provider_refused: [{ type: 'provider_refused', status: 400, text: '' }, 502],
  provider_unavailable: [{ type: 'provider_unavailable', status: null }, 502],
  provider_broke_off: [{ type: 'provider_broke_off' }, 502],
  provider_stalled: [{ type: 'provider_stalled', seconds: 1 }, 502],
  provider_malformed: [{ type: 'provider_malformed' }, 502],
  content_filtered: [{ type: 'content_filtered' }, 502],
  empty_answer: [{ type: 'empty_answer' }, 502],
  answer_too_long: [{ type: 'answer_too_long' }, 502],
  answer_too_slow: [{ type: 'answer_too_slow' }, 502],
  storage_full: [{ type: 'storage_full' }, 507],
  interrupted: [{ type: 'interrupted' }, 503],
  unexpected_answer: [{ type: 'unexpected_answer', status: 502, statusText: '' }, 500],
  unavailable: [{ type: 'unavailable' }, 503],
  unknown: [{ type: 'unknown', text: '' }, 500],
};

describe('a reason', () => {
  it.each(Object.entries(reasons))('%s has an HTTP status', (_, [reason, status]) => {
    expect(reasonStatus(reason)).toBe(status);
  });
});
