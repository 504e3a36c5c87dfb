// What is known of a provider, in words.
import type { ProviderRow, Tried } from '@parley/schema/catalog/saved-providers';
import type { Reason } from '@parley/schema/reasons';
import type { ParseKeys, TFunction } from 'i18next';
import { describeError } from '../../errors/describe-error.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { errorReason } from '../../errors/error-reason.ts';

/** Why the server refused a try or a change. */
export function describeProviderError(error: unknown, t: TFunction): string {
  const reason = errorReason(error);
  switch (reason?.type) {
    case 'conflict':
      return t('com_admin_providers_conflict');
    case 'forbidden_base_url':
      return t('com_admin_providers_forbidden', { 0: reason.host });
    default:
      return describeError(error, t);
  }
}

/** What a try has said: how many models there are and what one of them answered, or why there is none. */
export function describeTry(tried: Tried, name: string, hasAddress: boolean, language: string, t: TFunction) {
  if (!tried.ok) {
    const otherwise = tried.step === 'answer' ? 'com_admin_providers_no_answer' : undefined;
    return { sentence: describeFailure(tried.reason, name, t, { otherwise, hasAddress }), words: tried.words };
  }
  const { models, answer } = tried;
  const seconds = new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(answer.ms / 1000);
  const found = t('com_admin_providers_models_found', { 0: new Intl.NumberFormat(language).format(models.length) });
  return {
    sentence: `${found} · ${t('com_admin_providers_answered', { 0: seconds })}`,
    words: `\u2068${answer.model}\u2069: \u2068${answer.text}\u2069`,
  };
}

interface FailureOptions {
  otherwise?: ParseKeys | undefined;
  /** Whether its address is one that the reader can change. */
  hasAddress?: boolean;
}

/** As its administrator reads it: there is nobody else to tell. */
export function describeFailure(
  reason: Reason,
  name: string,
  t: TFunction,
  { otherwise, hasAddress = true }: FailureOptions = {},
): string {
  switch (reason.type) {
    case 'invalid_api_key':
      return t('com_admin_providers_key_refused', { 0: name });
    case 'insufficient_quota':
      return t('com_admin_providers_no_credit', { 0: name });
    case 'provider_unavailable':
      if (reason.status !== null) return t('com_admin_providers_down', { 0: name });
      return t(hasAddress ? 'com_admin_providers_unreachable' : 'com_admin_providers_unreachable_here', { 0: name });
    case 'provider_malformed':
      return t(hasAddress ? 'com_admin_providers_malformed' : 'com_admin_providers_malformed_here', { 0: name });
    case 'forbidden_base_url':
      return t('com_admin_providers_forbidden', { 0: reason.host });
    case 'provider_refused':
      return otherwise ? t(otherwise, { 0: name }) : t('com_admin_providers_refused', { 0: name });
    default:
      return describeReason(reason, t, { endpoint: name });
  }
}

export interface State {
  tone: 'good' | 'quiet' | 'bad';
  word: string;
  /** More than a word. */
  sentence: string | null;
}

export function describeState({ state, failure, unused, saved }: ProviderRow, label: string, t: TFunction): State {
  switch (state) {
    case 'on':
      return { tone: 'good', word: t('com_admin_providers_on'), sentence: null };
    case 'off':
      return { tone: 'quiet', word: t('com_admin_providers_off'), sentence: null };
    case 'users_keys':
      return { tone: 'good', word: t('com_admin_providers_on'), sentence: t('com_admin_providers_users_keys') };
    case 'failed':
      return {
        tone: 'bad',
        word: t('com_admin_providers_failed'),
        sentence: failure && describeFailure(failure.reason, label, t, { hasAddress: saved?.type === 'custom' }),
      };
    case 'unused':
      return { tone: 'bad', word: t('com_admin_providers_unused'), sentence: unused && t(UNUSED[unused]) };
    default:
      return state satisfies never;
  }
}

const UNUSED = {
  operator: 'com_admin_providers_unused_operator',
  left_out: 'com_admin_providers_unused_left_out',
  key: 'com_admin_providers_unused_key',
  settings: 'com_admin_providers_unused_settings',
} as const;

/** What is not sent to it, by the names of its protocol. */
export function describeLeftOut(leftOut: ProviderRow['leftOut'], language: string, t: TFunction): string {
  const names = leftOut.map(({ name, model }) => (model === null ? name : `${name} (${model})`));
  return t('com_admin_providers_leaves_out', { 0: new Intl.ListFormat(language, { type: 'unit' }).format(names) });
}

/** Where its key, or all of it, comes from. */
export function describeSource({ source, saved, hasKey }: ProviderRow, language: string, t: TFunction): string {
  switch (source) {
    case 'environment':
      return t('com_admin_providers_from_environment');
    case 'yaml':
      return t('com_admin_providers_from_yaml');
    case 'found':
      return t('com_admin_providers_from_found');
    case 'saved': {
      if (!saved) return '';
      return hasKey ? describeChange(saved, language, t) : t('com_admin_providers_no_key');
    }
    default:
      return source satisfies never;
  }
}

/** When something was saved, and by whom. */
export function describeChange(
  { changedAt, changedBy }: { changedAt: string; changedBy: string | null },
  language: string,
  t: TFunction,
): string {
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(new Date(changedAt));
  return changedBy === null
    ? t('com_admin_providers_saved', { 0: day })
    : t('com_admin_providers_saved_by', { 0: day, 1: changedBy });
}
