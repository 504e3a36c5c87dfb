import { BUDGET_CREDITS_MAX } from '@parley/schema/accounts/budget-rules';
import type { BudgetRow } from '@parley/schema/accounts/usage';
import { BUDGET_PERIODS, type BudgetPeriod, type BudgetScope } from '@parley/schema/reasons';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog, useAdminForm } from '../admin-form.tsx';
import { Block, RowButton } from '../admin-list.tsx';
import classes from '../admin.module.css';
import { describeAddressError, useAdminAction } from '../use-admin-action.ts';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import pageClasses from '../../layout/page/page.module.css';
import { DOLLAR, currentCurrency, formatCredits, formatTyped, withAsciiSigns } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

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

interface Values {
  scope: BudgetScope;
  email: string;
  /** Null for none yet. */
  groupId: string | null;
  period: BudgetPeriod;
  /** As typed. */
  amount: string;
}

interface BudgetDialogProps {
  /** It stays whose it is; null for a new one. */
  edited: BudgetRow | null;
  onClose: () => void;
}

function BudgetDialog({ edited, onClose }: BudgetDialogProps) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const form = useAdminForm<Values>({
    initial: {
      scope: edited?.scope ?? 'each',
      email: edited?.person?.email ?? '',
      groupId: edited?.group?.id ?? null,
      period: edited?.period ?? 'month',
      amount: edited ? amountOf(edited.credits, i18n.language) : '',
    },
    check: ({ scope, email, groupId, amount }) => ({
      email: scope === 'person' && email.trim() === '' && t('com_admin_budgets_no_person'),
      groupId: scope === 'group' && groupId === null && t('com_admin_budgets_pick_group'),
      amount: creditsOf(amount) === null && t('com_admin_budgets_amount_invalid'),
    }),
    save: ({ scope, email, groupId, period, amount }) =>
      client.admin.usage.setBudget.mutate({
        scope,
        ...(scope === 'person' && { email: email.trim() }),
        ...(scope === 'group' && groupId !== null && { groupId }),
        period,
        credits: creditsOf(amount) ?? 0,
        version: edited?.version ?? null,
      }),
    changed: admin.usage.budgets,
    describe: describeAddressError,
    onSaved: onClose,
  });
  return (
    <FormDialog
      title={t(edited ? 'com_admin_budgets_change' : 'com_admin_budgets_add')}
      verb={t('com_ui_save')}
      form={form}
      onCancel={onClose}
      onClose={onClose}
    >
      <BudgetOwner form={form} isFixed={edited !== null} />
      <SelectField
        label={t('com_admin_budgets_period')}
        {...form.picked('period')}
        options={BUDGET_PERIODS.map((value) => ({ value, label: t(`com_admin_budgets_period_${value}`) }))}
        disabled={edited !== null}
      />
      <TextField
        label={t('com_admin_budgets_amount', { 0: currentCurrency().code })}
        {...form.typed('amount')}
        inputMode="decimal"
        data-autofocus
      />
    </FormDialog>
  );
}

/** Null for what is no amount. */
function creditsOf(typed: string): number | null {
  const text = withAsciiSigns(typed.trim()).replace(',', '.');
  if (!/^\d{1,9}(?:\.\d{0,6})?$/.test(text)) return null;
  const credits = Math.round((Number(text) / currentCurrency().perDollar) * DOLLAR);
  return credits <= BUDGET_CREDITS_MAX ? credits : null;
}

function amountOf(credits: number, language: string): string {
  return formatTyped(Number(((credits / DOLLAR) * currentCurrency().perDollar).toFixed(6)), language);
}

const SCOPES: readonly BudgetScope[] = ['each', 'person', 'group', 'all'];

interface BudgetOwnerProps {
  form: ReturnType<typeof useAdminForm<Values>>;
  isFixed: boolean;
}

/** Whose budget it is. */
function BudgetOwner({ form, isFixed }: BudgetOwnerProps) {
  const { t } = useTranslation();
  const { scope } = form.values;
  return (
    <>
      <SelectField
        label={t('com_admin_budgets_whose')}
        description={t(`com_admin_budgets_scope_${scope}_hint`)}
        {...form.picked('scope')}
        options={SCOPES.map((value) => ({ value, label: t(`com_admin_budgets_scope_${value}`) }))}
        disabled={isFixed}
      />
      {scope === 'person' && (
        <TextField type="email" label={t('com_auth_email')} {...form.typed('email')} disabled={isFixed} dir="ltr" />
      )}
      {scope === 'group' && <GroupField form={form} isFixed={isFixed} />}
    </>
  );
}

function GroupField({ form, isFixed }: BudgetOwnerProps) {
  const { t } = useTranslation();
  const { data: groups = [] } = trpc.admin.groups.list.useQuery();
  const missing = form.error('groupId');
  return (
    <>
      <SelectField
        label={t('com_admin_budgets_group')}
        placeholder={t('com_admin_budgets_pick_group')}
        {...form.picked('groupId')}
        options={groups.map(({ id, name }) => ({ value: id, label: name }))}
        disabled={isFixed}
      />
      {missing && (
        <p className={classes.hint} role="alert">
          {missing}
        </p>
      )}
    </>
  );
}
