import type { ApiKeyInfo } from '@parley/schema/accounts/api-key-rules';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { relativeTime } from '../../../chat/message-time/relative-time.ts';
import { describeError } from '../../../errors/describe-error.ts';
import { formatDate } from '../../../lib/format-date.ts';
import { formatCredits } from '../../../lib/format-number.ts';
import { trpc } from '../../../trpc.ts';
import { showToast } from '../../../ui/toast/toast.ts';
import { TwoClickButton } from '../../../ui/two-click-button.tsx';
import classes from './program-keys.module.css';

export function ProgramKeyRow({ apiKey, now }: { apiKey: ApiKeyInfo; now: number }) {
  const { t } = useTranslation();
  const id = useId();
  const { apiKeys } = trpc.useUtils();
  const revoke = trpc.apiKeys.revoke.useMutation({
    onSuccess: () => showToast({ message: t('com_program_keys_revoked', { 0: apiKey.name }), severity: 'success' }),
    onError: (error) => showToast({ message: describeError(error, t), severity: 'error' }),
    onSettled: () => apiKeys.invalidate(),
  });
  const { name, shown, scopes } = apiKey;
  return (
    <li className={classes.row}>
      <div className={classes.names}>
        <span id={id}>
          <bdi>{name}</bdi>
        </span>
        <p className={classes.hint}>
          <code dir="ltr">{shown}…</code> · {scopes.map((scope) => t(`com_program_keys_scope_${scope}`)).join(', ')}
        </p>
        <p className={classes.hint}>{useFacts(apiKey, now).join(' · ')}</p>
      </div>
      <TwoClickButton
        label={t('com_program_keys_revoke')}
        confirm={t('com_program_keys_revoke_confirm')}
        describedBy={id}
        run={() => revoke.mutateAsync({ id: apiKey.id })}
      />
    </li>
  );
}

/** When it was used, what it has spent, and when it ends. */
function useFacts({ lastUsedAt, spentCredits, monthlyCredits, expiresAt }: ApiKeyInfo, now: number): string[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const spent = formatCredits(spentCredits, language);
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= now;
  const ends = expiresAt && { 0: formatDate(expiresAt, language, new Date(now)) };
  return [
    lastUsedAt
      ? t('com_program_keys_used', { 0: relativeTime(lastUsedAt, language, now) })
      : t('com_program_keys_unused'),
    monthlyCredits === null
      ? t('com_program_keys_spent', { 0: spent })
      : t('com_program_keys_spent_of', { 0: spent, 1: formatCredits(monthlyCredits, language) }),
    ends ? t(hasEnded ? 'com_program_keys_ended' : 'com_program_keys_until', ends) : t('com_program_keys_endless'),
  ];
}
