import { BUDGET_CREDITS_MAX } from '@parley/schema/accounts/budget-rules';
import { BUDGET_PERIODS, type BudgetPeriod, type BudgetScope } from '@parley/schema/reasons';
import type { BudgetRow } from '@parley/schema/accounts/usage';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currentCurrency, DOLLAR, formatTyped, withAsciiSigns } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import classes from '../admin.module.css';
import { describeAddressError, useAdminAction } from '../use-admin-action.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';

interface Values extends Owner {
  period: BudgetPeriod;
  /** As typed. */
  amount: string;
}

interface BudgetDialogProps {
  /** Null for a new one. */
  edited: BudgetRow | null;
  onClose: () => void;
}

export function BudgetDialog({ edited, onClose }: BudgetDialogProps) {
  const { t, i18n } = useTranslation();
  const { admin, client } = trpc.useUtils();
  const { act, isBusy } = useAdminAction(admin.usage.budgets, { describe: describeAddressError });
  const [values, setValues] = useState<Values>({
    scope: edited?.scope ?? 'each',
    email: edited?.person?.email ?? '',
    groupId: edited?.group?.id ?? null,
    period: edited?.period ?? 'month',
    amount: edited ? amountOf(edited.credits, i18n.language) : '',
  });
  const [isTried, setTried] = useState(false);
  const { period, amount } = values;
  const change = (changed: Partial<Values>) => setValues({ ...values, ...changed });
  const credits = creditsOf(amount);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    const whose = budgetTarget(values);
    if (credits === null || whose === null || isBusy) return;
    const budget = { ...whose, period, credits, version: edited?.version ?? null };
    if (await act(() => client.admin.usage.setBudget.mutate(budget))) onClose();
  }

  return (
    <Modal title={t(edited ? 'com_admin_budgets_change' : 'com_admin_budgets_add')} onClose={onClose}>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <BudgetOwner values={values} isFixed={edited !== null} isTried={isTried} onChange={change} />
        <SelectField
          label={t('com_admin_budgets_period')}
          value={period}
          options={BUDGET_PERIODS.map((value) => ({ value, label: t(`com_admin_budgets_period_${value}`) }))}
          onChange={(picked) => change({ period: picked })}
          disabled={edited !== null}
        />
        <TextField
          label={t('com_admin_budgets_amount', { 0: currentCurrency().code })}
          value={amount}
          onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
          error={isTried && credits === null && t('com_admin_budgets_amount_invalid')}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
        />
        <ButtonRow end>
          <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
          <BusyButton type="submit" variant="filled" isBusy={isBusy}>
            {t('com_ui_save')}
          </BusyButton>
        </ButtonRow>
      </form>
    </Modal>
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

/** Whose budget it is. */
interface Owner {
  scope: BudgetScope;
  email: string;
  /** Null for none yet. */
  groupId: string | null;
}

interface BudgetOwnerProps {
  values: Owner;
  /** A budget that is there stays whose it is. */
  isFixed: boolean;
  /** Whether to say what is missing. */
  isTried: boolean;
  onChange: (changed: Partial<Owner>) => void;
}

function BudgetOwner({ values: { scope, email, groupId }, isFixed, isTried, onChange }: BudgetOwnerProps) {
  const { t } = useTranslation();
  return (
    <>
      <SelectField
        label={t('com_admin_budgets_whose')}
        description={t(`com_admin_budgets_scope_${scope}_hint`)}
        value={scope}
        options={SCOPES.map((value) => ({ value, label: t(`com_admin_budgets_scope_${value}`) }))}
        onChange={(picked) => onChange({ scope: picked })}
        disabled={isFixed}
      />
      {scope === 'person' && (
        <TextField
          type="email"
          label={t('com_auth_email')}
          value={email}
          onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
          disabled={isFixed}
          error={isTried && email.trim() === '' && t('com_admin_budgets_no_person')}
          autoComplete="off"
          dir="ltr"
        />
      )}
      {scope === 'group' && (
        <GroupField
          groupId={groupId}
          isFixed={isFixed}
          isMissing={isTried && groupId === null}
          onChange={(picked) => onChange({ groupId: picked })}
        />
      )}
    </>
  );
}

interface GroupFieldProps {
  groupId: string | null;
  isFixed: boolean;
  isMissing: boolean;
  onChange: (groupId: string) => void;
}

function GroupField({ groupId, isFixed, isMissing, onChange }: GroupFieldProps) {
  const { t } = useTranslation();
  const { data: groups = [] } = trpc.admin.groups.list.useQuery();
  return (
    <>
      <SelectField
        label={t('com_admin_budgets_group')}
        value={groupId}
        placeholder={t('com_admin_budgets_pick_group')}
        options={groups.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={onChange}
        disabled={isFixed}
      />
      {isMissing && (
        <p className={classes.hint} role="alert">
          {t('com_admin_budgets_pick_group')}
        </p>
      )}
    </>
  );
}

/** Null while nobody is named. */
function budgetTarget({ scope, email, groupId }: Owner) {
  switch (scope) {
    case 'person':
      return email.trim() === '' ? null : { scope, email: email.trim() };
    case 'group':
      return groupId === null ? null : { scope, groupId };
    default:
      return { scope };
  }
}
