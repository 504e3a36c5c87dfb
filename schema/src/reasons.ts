// Reasons for refusals and failures. Thrown by the server, sent as they are, stored on messages, and put into words by
// one table on each side: the server’s `platform/reasons.ts` and the web app’s `errors/describe-reason.ts`.

/** The score of a violation type before and after this violation. */
export interface Violation {
  before: number;
  after: number;
}

/** The text of `invalid_input` where a change does not say which conversation it is for. */
export const CONVERSATION_ID_REQUIRED = 'conversationId is required';

/** Why a social sign-in is refused. */
export const SOCIAL_REFUSALS = [
  /** The user declined at the site. */
  'cancelled',
  /** It was begun in another browser, too long ago, or has ended already. */
  'expired',
  /** The provider's response is invalid. */
  'failed',
  'unreachable',
  'no_email',
  /** An account with this address exists, and the provider does not confirm that the address is theirs. */
  'email_taken',
  'no_account',
  'no_role',
] as const;
export type SocialRefusal = (typeof SOCIAL_REFUSALS)[number];

/** Whose budget it is: a person's, that of each person who has none of their own, or that of a group or of all together. */
export const BUDGET_SCOPES = ['person', 'each', 'group', 'all'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

export const BUDGET_PERIODS = ['day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Of a second factor: an authenticator app, or a passkey. */
export const FACTOR_KINDS = ['totp', 'passkey'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

/** What a session has to prove again: a factor where there is one, else the password; or both. */
export const STEP_UPS = ['password', 'factor', 'both'] as const;
export type StepUpBy = (typeof STEP_UPS)[number];

export type Reason =
  // who is asking
  | { type: 'unauthorized' }
  | { type: 'invalid_credentials' }
  | { type: 'banned'; until: string | null }
  /** By an administrator. */
  | { type: 'account_disabled' }
  /** For an administrator's approval. */
  | { type: 'account_waiting' }
  /** The link in the mail to its address was not followed yet. */
  | { type: 'email_unconfirmed' }
  /** It was used, has expired or never existed. */
  | { type: 'invalid_confirmation' }
  /** The password is right, and the second factor is asked for: the ticket stands for the password. */
  | { type: 'factor_needed'; ticket: string; kinds: FactorKind[] }
  /** The server asks this person for a second factor, and there is none: the session may only add it. */
  | { type: 'factor_missing' }
  /** The server asks this person for a second factor, and it is the only one. */
  | { type: 'last_factor' }
  /** What was asked for needs a recent proof of who asks; `kinds` are those of the second factors that there are. */
  | { type: 'step_up_needed'; by: StepUpBy; kinds: FactorKind[] }
  /** Unknown, removed, not verified, or answered too late. */
  | { type: 'passkey_refused' }
  /** A code of an authenticator app or for recovery is wrong, or was used already. */
  | { type: 'wrong_code' }
  /** The time between the password and the code is over, or there were too many wrong codes. */
  | { type: 'sign_in_again' }
  | { type: 'registration_closed' }
  /** The invitation was used, has expired, was taken back, or is for another address. */
  | { type: 'invalid_invitation' }
  | { type: 'email_login_closed' }
  /** The directory that knows the passwords does not answer, or not as it is set up. */
  | { type: 'directory_unreachable' }
  /** It is right, and the directory wants another one first. */
  | { type: 'password_expired' }
  | { type: 'email_domain_not_allowed' }
  | { type: 'registration_failed' }
  | { type: 'username_taken' }
  | { type: 'social_login'; why: SocialRefusal }
  /** The link was used, has expired, was replaced by a newer one or never existed. */
  | { type: 'invalid_reset_token' }
  | { type: 'too_many_attempts'; retryAfterSeconds: number }
  | { type: 'forbidden' }
  /** There would be no administrator left. */
  | { type: 'last_administrator' }
  /** Administrators change neither role nor state of themselves. */
  | { type: 'own_account' }
  /** The operator lets nobody make or change assistants. */
  | { type: 'builder_disabled' }
  | { type: 'non_browser' }
  // what was asked for
  | { type: 'invalid_input'; text: string }
  | {
      type: 'not_found';
      what:
        | 'convo'
        | 'message'
        | 'generation'
        | 'endpoint'
        | 'user'
        | 'file'
        | 'assistant'
        | 'action'
        | 'mcp_server'
        | 'folder'
        | 'title'
        | 'share'
        | 'prompt'
        | 'skill'
        | 'schedule';
    }
  | { type: 'conflict'; text: string }
  | { type: 'illegal_model_request'; endpoint: string; model: string }
  /** Administrators give it to others only. */
  | { type: 'model_not_yours'; endpoint: string; model: string }
  /** In tokens; null where the provider names no numbers. */
  | { type: 'context_too_long'; tokens: number | null; window: number | null }
  /** The attached files have more passages than one question can search. */
  | { type: 'files_too_long'; passages: number; max: number }
  | { type: 'moderation' }
  /** Of what people want their chats to remember. */
  | { type: 'memory_off' }
  | { type: 'memory_full'; max: number }
  // keys
  | { type: 'no_user_key'; endpoint: string }
  | { type: 'invalid_user_key'; endpoint: string }
  | { type: 'no_base_url'; endpoint: string }
  | { type: 'expired_user_key'; endpoint: string; expiredAt: string }
  /** A Google model that needs a service key when only an API key is saved. */
  | { type: 'no_service_key'; endpoint: string; model: string }
  /** An address set by a user that the server may not call. */
  | { type: 'forbidden_base_url'; host: string }
  // limits and credits; these are stored with their count
  | { type: 'concurrent'; limit: number; violation?: Violation }
  | {
      type: 'message_limit';
      max: number;
      windowInMinutes: number;
      limiter: 'ip' | 'user';
      retryAfterSeconds?: number;
      violation?: Violation;
    }
  | { type: 'token_balance'; balance: number; promptTokens: number; tokenCost: number }
  /** What may be spent in a day or a month; in credits. */
  | { type: 'budget'; scope: BudgetScope; period: BudgetPeriod; budget: number; left: number; renewsAt: string }
  /** The credits are there, but other answers that are being written have reserved them. */
  | { type: 'credits_reserved'; retryAfterSeconds: number }
  // the provider; `text` is what it says itself
  | { type: 'invalid_api_key'; endpoint: string; text?: string }
  | { type: 'insufficient_quota'; endpoint: string; text?: string }
  | { type: 'provider_rate_limited'; retryAfterSeconds: number | null; text?: string }
  | { type: 'provider_refused'; status: number; text: string }
  /** `why` is known of tool servers that cannot be reached. */
  | {
      type: 'provider_unavailable';
      status: number | null;
      text?: string;
      why?: 'no_host' | 'bad_certificate' | 'no_tls';
    }
  | { type: 'provider_broke_off' }
  | { type: 'provider_stalled'; seconds: number }
  /** Of a tool server, `why` is absent where a page answers. */
  | { type: 'provider_malformed'; why?: 'version' | 'not_mcp' | 'error' }
  | { type: 'content_filtered' }
  | { type: 'empty_answer' }
  /** The answer exceeded this server's limit on text or time. */
  | { type: 'answer_too_long' }
  | { type: 'answer_too_slow' }
  // the server itself
  | { type: 'interrupted' }
  /** The disk of the database or the server is full. */
  | { type: 'storage_full' }
  /** Made by the browser: a proxy answered instead of the server, or the server's answer was invalid. */
  | { type: 'unexpected_answer'; status: number; statusText: string }
  | { type: 'unavailable' }
  | { type: 'unknown'; text: string };
