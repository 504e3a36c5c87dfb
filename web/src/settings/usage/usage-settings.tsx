import type { BudgetState, OwnUsage, ModelUsage } from '@parley/schema/accounts/usage';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { MyComparisons } from '../../compare/my-comparisons.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { formatDate } from '../../lib/format-date.ts';
import { formatCredits } from '../../lib/format-number.ts';
import { useStartup } from '../../startup.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { trpc } from '../../trpc.ts';
import { DayBars } from '../../usage/day-bars.tsx';
import { MonthSelect } from '../../usage/month-select.tsx';
import { UsageTable, type UsageLineProps } from '../../usage/usage-table.tsx';
import {
  budgetName,
  describeCredits,
  describeDay,
  describeFigures,
  monthName,
  describeUsed,
  sumOfUsage,
} from '../../usage/usage-words.ts';
import { Findable } from '../search/findable.tsx';
import { Setting } from '../setting.tsx';
import classes from '../../usage/usage.module.css';
import { cssVars } from '../../lib/css-vars.ts';

/** What the person has used, by month, day and model; what is left of the budgets, and of the balance where there is one. */
export function UsageSettings() {
  const { t } = useTranslation();
  return (
    <>
      <BalanceRow />
      <Findable words={`${t('com_settings_usage')} ${t('com_usage_tokens')} ${t('com_usage_cost')}`}>
        <Usage />
      </Findable>
      <Findable words={t('com_compare_mine')}>
        <MyComparisons />
      </Findable>
    </>
  );
}

function BalanceRow() {
  const isChecked = useStartup()?.checkBalance === true;
  return isChecked ? <Balance /> : null;
}

function Balance() {
  const { t, i18n } = useTranslation();
  const { data } = trpc.auth.balance.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <Setting name={t('com_usage_balance')} hint={t('com_usage_balance_hint')}>
      <span className={classes.sum}>{data === undefined ? '…' : formatCredits(Number(data), i18n.language)}</span>
    </Setting>
  );
}

function Usage() {
  const { t } = useTranslation();
  const [month, setMonth] = useState<string>();
  const { data, error } = trpc.usage.mine.useQuery(
    { ...(month !== undefined && { month }) },
    { staleTime: 0, placeholderData: (before) => before },
  );
  if (error) return <p className={classes.note}>{describeError(error, t)}</p>;
  if (!data) return <SkeletonRows count={4} />;
  return (
    <>
      {data.months.length > 1 && (
        <Setting name={t('com_usage_month')}>
          <MonthSelect month={data.month} months={data.months} onChange={setMonth} />
        </Setting>
      )}
      <Cards usage={data} />
      {data.models.length === 0 ? (
        <p className={classes.note}>{t('com_usage_nothing')}</p>
      ) : (
        <>
          <UsageTable title={t('com_usage_model')} rows={usedRows(data.models, t)} />
          <p className={classes.note}>{t('com_usage_list_prices')}</p>
        </>
      )}
    </>
  );
}

function Cards({ usage }: { usage: OwnUsage }) {
  const { t, i18n } = useTranslation();
  const { month, months, days, budgets } = usage;
  const sum = sumOfUsage(days);
  const { tokens } = describeFigures(sum, t, i18n.language);
  const [only] = days.length === 1 ? days : [];
  const isNow = month === months[0];
  return (
    <div className={classes.cards}>
      <section className={classes.card}>
        <h3 className={classes.cardTitle}>{monthName(month, i18n.language)}</h3>
        <p className={classes.sum}>{describeCredits(sum, t, i18n.language)}</p>
        <p className={classes.note}>
          {only ? describeDay(only, t, i18n.language) : `${t('com_usage_tokens')}: ${tokens}`}
        </p>
        {isNow && budgets.map((budget) => <Budget key={`${budget.scope} ${budget.period}`} budget={budget} />)}
      </section>
      {days.length > 1 && (
        <section className={classes.card}>
          <h3 className={classes.cardTitle}>{t('com_usage_by_day')}</h3>
          <DayBars month={month} days={days} />
        </section>
      )}
    </div>
  );
}

function Budget({ budget }: { budget: BudgetState }) {
  const { t, i18n } = useTranslation();
  const { credits, left, renewsAt } = budget;
  const share = credits === 0 ? 1 : 1 - left / credits;
  return (
    <div className={classes.budget}>
      <span>{budgetName(budget, t)}</span>
      <div className={classes.meter} data-full={left === 0 || undefined} aria-hidden>
        <span style={cssVars({ '--share': share })} />
      </div>
      <span className={classes.note}>
        {t('com_usage_budget_left', {
          0: formatCredits(left, i18n.language),
          1: formatCredits(credits, i18n.language),
          2: formatDate(renewsAt, i18n.language),
        })}
      </span>
    </div>
  );
}

/** A row for each model, and below them one for titles and summaries, whichever models write them. */
function usedRows(models: readonly ModelUsage[], t: TFunction): UsageLineProps[] {
  const isBeside = ({ kind }: ModelUsage) => kind === 'title' || kind === 'summary';
  const own = models.filter((row) => !isBeside(row));
  const beside = models.filter(isBeside);
  const rows = own.map((row) => ({ ...row, ...describeUsed(row, t), key: keyOf(row) }));
  if (beside.length === 0) return rows;
  return [...rows, { key: 'beside', name: t('com_usage_beside'), ...sumOfUsage(beside) }];
}

function keyOf({ endpoint, model, kind }: ModelUsage): string {
  return JSON.stringify([endpoint, model, kind]);
}
