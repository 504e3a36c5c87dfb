// Words of a person's role and state.
import type { PersonRow } from '@parley/schema/accounts/people';
import { SIGN_IN_SITES } from '@parley/schema/catalog/sign-in-sites';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../lib/format-date.ts';
import { StateTag } from '../admin-list.tsx';

export function roleWord(role: PersonRow['role'], t: TFunction): string {
  return role === 'ADMIN' ? t('com_people_role_admin') : t('com_people_role_user');
}

export function StateMark({ person: { state, deletionDueAt } }: { person: PersonRow }) {
  const { t, i18n } = useTranslation();
  if (deletionDueAt !== null) {
    return (
      <StateTag tone="bad">{t('com_people_state_deleted', { 0: formatDate(deletionDueAt, i18n.language) })}</StateTag>
    );
  }
  const tone = state === 'active' ? 'good' : state === 'disabled' ? 'bad' : 'quiet';
  return <StateTag tone={tone}>{t(`com_people_state_${state}`)}</StateTag>;
}

/** By which a person came: a password, or the name of a site. */
export function waysIn(provider: string, t: TFunction): string {
  if (provider === 'local') return t('com_auth_password');
  const names: Record<string, string | null> = SIGN_IN_SITES;
  return names[provider] ?? 'OpenID';
}
