import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../lib/format-date.ts';
import { trpc } from '../../trpc.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import classes from './people.module.css';
import { roleWord } from './person-facts.tsx';
import { usePersonAction } from './use-person-action.ts';

/** Invitations that can still be used; nothing when there are none. */
export function InvitationList() {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  const act = usePersonAction();
  const { people } = trpc.useUtils().client.admin;
  const { data } = trpc.admin.people.invitations.useQuery(undefined, { refetchOnMount: 'always' });
  if (!data || data.length === 0) return null;
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {t('com_people_invitations')}
      </h2>
      <ul className={classes.list}>
        {data.map(({ id, email, role, expiresAt }) => (
          <li key={id} className={classes.row}>
            <span className={classes.person}>
              <bdi className={classes.name}>{email ?? t('com_people_anybody')}</bdi>
              <span className={classes.muted}>
                {roleWord(role, t)} · {t('com_people_until', { 0: formatDateTime(expiresAt, i18n.language) })}
              </span>
            </span>
            <TwoClickButton
              label={t('com_people_revoke')}
              confirm={t('com_people_revoke_confirm')}
              run={() => act(() => people.revokeInvitation.mutate({ id }))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
