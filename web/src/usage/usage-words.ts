// Words and figures of usage, the same for a person and for administrators.
import type { BudgetPeriod, BudgetScope } from '@parley/schema/reasons';
import { USAGE_FIGURES, type DayUsage, type ModelUsage, type UsageFigures } from '@parley/schema/accounts/usage';
import { recordBy } from '@parley/schema/entries';
import type { TFunction } from 'i18next';
import { endpointLabel } from '../catalog/choose-model.ts';
import { formatCredits, formatNumber } from '../lib/format-number.ts';

/** What stands in a row of models: its name, and what it belongs to. */
export function describeUsed(
  { endpoint, model, kind }: Pick<ModelUsage, 'endpoint' | 'model' | 'kind'>,
  t: TFunction,
): { name: string; of: string } {
  const of = endpointLabel(endpoint);
  switch (kind) {
    case 'title':
      return { name: t('com_usage_titles'), of: model ?? of };
    case 'summary':
      return { name: t('com_usage_summaries'), of: model ?? of };
    case 'picture':
      return { name: t('com_usage_pictures'), of };
    case 'speech':
      return { name: t('com_usage_speech'), of: model ?? of };
    case 'chat':
    case 'api':
      return { name: model ?? of, of };
    default:
      return kind satisfies never;
  }
}

export function sumOfUsage(rows: readonly UsageFigures[]): UsageFigures {
  return recordBy(USAGE_FIGURES, (name) => rows.reduce((total, row) => total + row[name], 0));
}

/** Of a row: how often, how many tokens, and what they cost; a line where there is nothing to say. */
export function describeFigures({ asks, input, output, ...money }: UsageFigures, t: TFunction, language: string) {
  const tokens = input + output;
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return {
    asks: formatNumber(asks, language),
    tokens: tokens === 0 ? '–' : short.format(tokens),
    cost: money.credits === 0 ? '–' : describeCredits(money, t, language),
  };
}

/** An amount, marked by the word where some of it has no known price. */
export function describeCredits(
  { credits, unpriced }: Pick<UsageFigures, 'credits' | 'unpriced'>,
  t: TFunction,
  language: string,
): string {
  const amount = formatCredits(credits, language);
  return unpriced > 0 && credits > 0 ? t('com_cost_estimated', { 0: amount }) : amount;
}

/** `2026-11` as people write it. */
export function monthName(month: string, language: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(date);
}

/** `2026-11-27` as people write it within its month. */
export function dayName(day: string, language: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(date);
}

/** What was used on a day. */
export function describeDay({ day, ...figures }: DayUsage, t: TFunction, language: string): string {
  const { cost, tokens } = describeFigures(figures, t, language);
  return `${dayName(day, language)}: ${cost}, ${t('com_usage_tokens')} ${tokens}`;
}

export function budgetName({ scope, period }: { scope: BudgetScope; period: BudgetPeriod }, t: TFunction): string {
  if (scope === 'all') return t(period === 'day' ? 'com_usage_budget_all_day' : 'com_usage_budget_all_month');
  if (scope === 'group') return t(period === 'day' ? 'com_usage_budget_group_day' : 'com_usage_budget_group_month');
  return t(period === 'day' ? 'com_usage_budget_day' : 'com_usage_budget_month');
}
