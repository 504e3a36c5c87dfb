import { BUDGET_CREDITS_MAX } from '@parley/schema/accounts/budget-rules';
import { BUDGET_PERIODS, type BudgetPeriod, type BudgetScope } from '@parley/schema/reasons';
import type { BudgetRow } from '@parley/schema/accounts/usage';
import { useTranslation } from 'react-i18next';
import { currentCurrency, DOLLAR, formatTyped, withAsciiSigns } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import classes from '../admin.module.css';
import { FormDialog, useAdminForm } from '../admin-form.tsx';
import { describeAddressError } from '../use-admin-action.ts';

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

export function BudgetDialog({ edited, onClose }: BudgetDialogProps) {
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
