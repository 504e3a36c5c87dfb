import { USAGE_GROUPS, type UsageGroup } from '@parley/schema/accounts/budget-rules';
import type { DayUsage, UsageLine, UsagePage, UsageRow } from '@parley/schema/accounts/usage';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExportButton, MoreButton, Read } from '../admin-list.tsx';
import { BudgetList } from './budget-list.tsx';
import { endpointLabel } from '../../catalog/choose-model.ts';
import pageClasses from '../../layout/page/page.module.css';
import { csvLine } from '../../lib/csv.ts';
import { DOLLAR, currentCurrency, formatCredits } from '../../lib/format-number.ts';
import { trpc } from '../../trpc.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { DayBars } from '../../usage/day-bars.tsx';
import { MonthSelect } from '../../usage/month-select.tsx';
import { UsageTable } from '../../usage/usage-table.tsx';
import { dayName, describeDay, describeFigures, describeUsed, monthName } from '../../usage/usage-words.ts';
import classes from '../../usage/usage.module.css';

/** What the people of this server use, by month, and how much they may. */
export function UsageSection() {
  return (
    <>
      <Usage />
      <BudgetList />
    </>
  );
}

function Usage() {
  const [month, setMonth] = useState<string>();
  const of = { ...(month !== undefined && { month }) };
  const found = trpc.admin.usage.list.useQuery(
    { ...of, by: 'day' },
    { refetchOnMount: 'always', placeholderData: (before) => before },
  );
  return (
    <Read query={found} rows={6}>
      {(days) => <Month days={days} onChange={setMonth} />}
    </Read>
  );
}

function Month({ days, onChange }: { days: UsagePage; onChange: (month: string) => void }) {
  const { t, i18n } = useTranslation();
  const [by, setBy] = useState<UsageGroup>('person');
  const { cost, tokens, asks } = describeFigures(days.total, t, i18n.language);
  const used = days.rows.filter(isOfDay);
  const [only] = used.length === 1 ? used : [];
  return (
    <section>
      <div className={classes.head}>
        <MonthSelect month={days.month} months={days.months} onChange={onChange} />
        <SelectField
          aria-label={t('com_admin_usage_by')}
          value={by}
          options={USAGE_GROUPS.map((value) => ({ value, label: t(`com_admin_usage_by_${value}`) }))}
          onChange={setBy}
        />
        {days.total.asks > 0 && <ExportMonth month={days.month} />}
      </div>
      <div className={classes.cards}>
        <div className={classes.card}>
          <h2 className={classes.cardTitle}>{monthName(days.month, i18n.language)}</h2>
          <p className={classes.sum}>{cost === '–' ? formatCredits(0, i18n.language) : cost}</p>
          <p className={classes.note}>
            {t('com_usage_asks')}: {asks} ·{' '}
            {only ? describeDay(only, t, i18n.language) : `${t('com_usage_tokens')}: ${tokens}`}
          </p>
        </div>
        {used.length > 1 && (
          <div className={classes.card}>
            <h2 className={classes.cardTitle}>{t('com_usage_by_day')}</h2>
            <DayBars month={days.month} days={used} />
          </div>
        )}
      </div>
      {days.total.asks === 0 ? (
        <p className={pageClasses.note}>{t('com_admin_usage_none')}</p>
      ) : (
        <Rows by={by} month={days.month} />
      )}
    </section>
  );
}

function isOfDay(row: UsageRow): row is UsageRow & DayUsage {
  return row.day !== undefined;
}

const TITLES = {
  person: 'com_people_person',
  model: 'com_usage_model',
  provider: 'com_admin_providers_provider',
  day: 'com_admin_usage_day',
} as const;

function Rows({ by, month }: { by: UsageGroup; month: string }) {
  const { t, i18n } = useTranslation();
  const found = trpc.admin.usage.list.useInfiniteQuery(
    { by, month },
    { getNextPageParam: ({ next }) => next, initialCursor: undefined, refetchOnMount: 'always' },
  );
  return (
    <Read query={found} rows={6}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        return (
          <>
            <UsageTable
              title={t(TITLES[by])}
              rows={rows.map((row) => ({ ...row, ...nameOf(row, t, i18n.language) }))}
            />
            <MoreButton pages={found} />
          </>
        );
      }}
    </Read>
  );
}

function nameOf(row: UsageRow, t: TFunction, language: string): { name: string; of?: string } {
  const { person, endpoint, model = null, kind, day } = row;
  if (day !== undefined) return { name: dayName(day, language) };
  if (endpoint !== undefined) {
    return kind === undefined ? { name: endpointLabel(endpoint) } : describeUsed({ endpoint, model, kind }, t);
  }
  return person ? { name: person.name, of: person.email } : { name: t('com_admin_usage_gone') };
}

/** A month as a file: a line for each day, person, model and kind of call. */
function ExportMonth({ month }: { month: string }) {
  const { admin } = trpc.useUtils().client;

  async function read(): Promise<string[]> {
    const lines = [csvLine(['day', 'name', 'email', 'endpoint', 'model', 'kind', ...FIGURES, currentCurrency().code])];
    for (let cursor: number | null = 0; cursor !== null;) {
      const page: { lines: UsageLine[]; next: number | null } = await admin.usage.lines.query({ month, cursor });
      for (const line of page.lines) lines.push(lineOf(line));
      cursor = page.next;
    }
    return lines;
  }

  return <ExportButton fileName={`usage-${month}.csv`} read={read} />;
}

/** The figures of a line, in the order of its columns. */
const FIGURES = [
  'asks',
  'input',
  'cachedRead',
  'cachedWrite',
  'output',
  'reasoning',
  'estimated',
  'unpriced',
  'credits',
] as const;

function lineOf({ day, name, email, endpoint, model, kind, ...line }: UsageLine): string {
  const figures = FIGURES.map((figure) => String(line[figure]));
  const amount = ((line.credits / DOLLAR) * currentCurrency().perDollar).toFixed(6);
  return csvLine([day, name, email, endpoint, model ?? '', kind, ...figures, amount]);
}
