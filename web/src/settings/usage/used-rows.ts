import type { ModelUsage, UsageFigures } from '@parley/schema/accounts/usage';
import type { TFunction } from 'i18next';
import type { UsageLineProps } from '../../usage/usage-table.tsx';
import { describeUsed } from '../../usage/usage-words.ts';

/** A row for each model, and below them one for titles and summaries, whichever models write them. */
export function usedRows(models: readonly ModelUsage[], t: TFunction): UsageLineProps[] {
  const isBeside = ({ kind }: ModelUsage) => kind === 'title' || kind === 'summary';
  const own = models.filter((row) => !isBeside(row));
  const beside = models.filter(isBeside);
  const rows = own.map((row) => ({ ...row, ...describeUsed(row, t), key: keyOf(row) }));
  if (beside.length === 0) return rows;
  const sum = beside.reduce<UsageFigures>(
    (total, { asks, input, output, credits }) => ({
      asks: total.asks + asks,
      input: total.input + input,
      output: total.output + output,
      credits: total.credits + credits,
    }),
    { asks: 0, input: 0, output: 0, credits: 0 },
  );
  return [...rows, { key: 'beside', name: t('com_usage_beside'), ...sum }];
}

function keyOf({ endpoint, model, kind }: ModelUsage): string {
  return JSON.stringify([endpoint, model, kind]);
}
