import type { CountedUsage } from '@parley/schema/accounts/usage';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { costInCredits, isCharged, modelRates } from '@parley/schema/catalog/rates';

export interface ModelUsage {
  endpoint: string;
  model: string | null;
  answers: number;
  tokens: number;
  /** In credits; null where no price is known. */
  cost: number | null;
}

export interface Month {
  month: string;
  models: ModelUsage[];
}

/** The newest month first, in it the model with the most tokens. */
export function byMonth(counted: readonly CountedUsage[], typeOf: (endpoint: string) => EndpointType): Month[] {
  const months = groupBy(counted, ({ month }) => month);
  return [...months]
    .toSorted(([a], [b]) => b.localeCompare(a))
    .map(([month, rows]) => ({ month, models: byModel(rows, typeOf) }));
}

function byModel(rows: readonly CountedUsage[], typeOf: (endpoint: string) => EndpointType): ModelUsage[] {
  const models = groupBy(rows, ({ endpoint, model }) => JSON.stringify([endpoint, model]));
  const sums = [...models.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { endpoint, model } = first;
    const type = typeOf(endpoint);
    const cost = isCharged(type)
      ? sum(group, (row) => costInCredits(row, modelRates(type, model, row.rates ?? undefined)))
      : null;
    const tokens = sum(group, ({ input, output }) => input + output);
    return [{ endpoint, model, answers: sum(group, ({ answers }) => answers), tokens, cost }];
  });
  return sums.toSorted((a, b) => b.tokens - a.tokens);
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
