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
import { BudgetDialog } from './budget-dialog.tsx';
import { describeAddressError, useAdminAction } from '../use-admin-action.ts';

/** The budgets of this server: to look at, to set and to remove. */
export function BudgetList() {
  const { t } = useTranslation();
  const titleId = useId();
  const { data, error } = trpc.admin.usage.budgets.useQuery(undefined, { refetchOnMount: 'always' });
  const [edited, setEdited] = useState<BudgetRow | 'new' | null>(null);
  const { admin, client } = trpc.useUtils();
  const { act } = useAdminAction(admin.usage.budgets, { describe: describeAddressError });
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {t('com_admin_budgets')}
        </h2>
      </div>
      <p className={pageClasses.note}>
        {t('com_admin_budgets_about')} {t('com_admin_budgets_utc')}
      </p>
      <FailureAlert sentence={error && describeError(error, t)} />
      {!data && !error && <SkeletonRows count={2} />}
      {data?.length === 0 && <p className={pageClasses.note}>{t('com_admin_budgets_none')}</p>}
      {data && data.length > 0 && (
        <ul className={classes.list}>
          {data.map((row) => (
            <Row
              key={row.id}
              row={row}
              onChange={() => setEdited(row)}
              onRemove={() =>
                void act(() => client.admin.usage.removeBudget.mutate({ id: row.id, version: row.version }))
              }
            />
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setEdited('new')}>{t('com_admin_budgets_add')}</Button>
      </div>
      {edited && <BudgetDialog edited={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </section>
  );
}

interface RowProps {
  row: BudgetRow;
  onChange: () => void;
  onRemove: () => void;
}

function Row({ row: { scope, person, group, period, credits, spent }, onChange, onRemove }: RowProps) {
  const { t, i18n } = useTranslation();
  const nameId = useId();
  const changeId = useId();
  const removeId = useId();
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
      <Button size="sm" id={changeId} aria-labelledby={`${changeId} ${nameId}`} onClick={onChange}>
        {t('com_admin_budgets_change')}
      </Button>
      <Button size="sm" id={removeId} aria-labelledby={`${removeId} ${nameId}`} onClick={onRemove}>
        {t('com_admin_providers_remove')}
      </Button>
    </li>
  );
}
