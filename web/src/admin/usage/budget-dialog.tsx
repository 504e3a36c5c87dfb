import { BUDGET_CREDITS_MAX } from '@parley/schema/accounts/budget-rules';
import { BUDGET_PERIODS, type BudgetPeriod } from '@parley/schema/reasons';
import type { BudgetRow } from '@parley/schema/accounts/usage';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currentCurrency, DOLLAR, formatTyped } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Modal } from '../../ui/modal.tsx';
import classes from '../people/people.module.css';
import { BudgetOwner, budgetTarget, type Owner } from './budget-owner.tsx';
import { useBudgetAction } from './use-budget-action.ts';
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
  const { client } = trpc.useUtils();
  const act = useBudgetAction();
  const [values, setValues] = useState<Values>({
    scope: edited?.scope ?? 'each',
    email: edited?.person?.email ?? '',
    groupId: edited?.group?.id ?? null,
    period: edited?.period ?? 'month',
    amount: edited ? amountOf(edited.credits, i18n.language) : '',
  });
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const { period, amount } = values;
  const change = (changed: Partial<Values>) => setValues({ ...values, ...changed });
  const credits = creditsOf(amount);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    const whose = budgetTarget(values);
    if (credits === null || whose === null || isBusy) return;
    setBusy(true);
    const budget = { ...whose, period, credits, version: edited?.version ?? null };
    if (await act(() => client.admin.usage.setBudget.mutate(budget))) onClose();
    setBusy(false);
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
  const text = typed.trim().replace(',', '.');
  if (!/^\d{1,9}(?:\.\d{0,6})?$/.test(text)) return null;
  const credits = Math.round((Number(text) / currentCurrency().perDollar) * DOLLAR);
  return credits <= BUDGET_CREDITS_MAX ? credits : null;
}

function amountOf(credits: number, language: string): string {
  return formatTyped(Number(((credits / DOLLAR) * currentCurrency().perDollar).toFixed(6)), language);
}
