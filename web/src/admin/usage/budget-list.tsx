import type { BudgetRow } from '@parley/schema/accounts/usage';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { formatCredits } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import classes from '../admin.module.css';
import { Block, RowButton } from '../admin-list.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { describeAddressError, useAdminAction } from '../use-admin-action.ts';

/** The budgets of this server: to look at, to set and to remove. */
export function BudgetList() {
  const { t } = useTranslation();
  const { data, error } = trpc.admin.usage.budgets.useQuery(undefined, { refetchOnMount: 'always' });
  const [edited, setEdited] = useState<BudgetRow | 'new' | null>(null);
  return (
    <Block title={t('com_admin_budgets')}>
      <p className={pageClasses.note}>
        {t('com_admin_budgets_about')} {t('com_admin_budgets_utc')}
      </p>
      <FailureAlert sentence={error && describeError(error, t)} />
      {!data && !error && <SkeletonRows count={2} />}
      {data?.length === 0 && <p className={pageClasses.note}>{t('com_admin_budgets_none')}</p>}
      {data && data.length > 0 && (
        <ul className={classes.list}>
          {data.map((row) => (
            <Row key={row.id} row={row} onChange={() => setEdited(row)} />
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setEdited('new')}>{t('com_admin_budgets_add')}</Button>
      </div>
      {edited && <BudgetDialog edited={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Block>
  );
}

function Row({ row, onChange }: { row: BudgetRow; onChange: () => void }) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act } = useAdminAction(admin.usage.budgets, { describe: describeAddressError });
  const nameId = useId();
  const { id, version, scope, person, group, period, credits, spent } = row;
  return (
    <li className={classes.row}>
      <span id={nameId}>
        {person ? (
          <>
            <bdi className={classes.name}>{person.name}</bdi> <bdi className={classes.muted}>{person.email}</bdi>
          </>
        ) : (
          <bdi className={classes.name}>{group?.name ?? t(`com_admin_budgets_scope_${scope}`)}</bdi>
        )}
      </span>
      <span>
        {formatCredits(credits, i18n.language)} · {t(`com_admin_budgets_period_${period}`)}
      </span>
      {spent !== null && (
        <span className={classes.muted}>
          {t('com_admin_budgets_spent', { 0: formatCredits(spent, i18n.language) })}
        </span>
      )}
      <RowButton nameId={nameId} onClick={onChange}>
        {t('com_admin_budgets_change')}
      </RowButton>
      <RowButton
        nameId={nameId}
        onClick={() => void act(() => client.admin.usage.removeBudget.mutate({ id, version }))}
      >
        {t('com_admin_providers_remove')}
      </RowButton>
    </li>
  );
}
