import { typedKeys } from '../entries.ts';
import type { BudgetPeriod, BudgetScope } from '../reasons.ts';

/** Calls that write a reply, calls beside one, pictures of tools, calls with an API key of Parley, and speech. */
export type UsageKind = 'chat' | 'title' | 'summary' | 'picture' | 'api' | 'speech';

export interface UsageFigures {
  asks: number;
  /** Tokens, as `TokenCounts` has them. */
  input: number;
  cachedRead: number;
  cachedWrite: number;
  output: number;
  reasoning: number;
  credits: number;
  /** Asks whose price is an estimate: `credits` has that of them. */
  unpriced: number;
}

export const NO_USAGE: UsageFigures = {
  asks: 0,
  input: 0,
  cachedRead: 0,
  cachedWrite: 0,
  output: 0,
  reasoning: 0,
  credits: 0,
  unpriced: 0,
};

export const USAGE_FIGURES = typedKeys(NO_USAGE);

export interface ModelUsage extends UsageFigures {
  endpoint: string;
  /** Null where there is none. */
  model: string | null;
  kind: UsageKind;
}

export interface DayUsage extends UsageFigures {
  /** `2026-11-27`, in UTC. */
  day: string;
}

/** What is left of a budget; in credits. */
export interface BudgetState {
  scope: BudgetScope;
  period: BudgetPeriod;
  credits: number;
  spent: number;
  left: number;
  /** An ISO date. */
  renewsAt: string;
}

export interface OwnUsage {
  /** `2026-11`, in UTC. */
  month: string;
  /** Those of which there is something to see, and this one; the newest first. */
  months: string[];
  /** Only those with usage, the first of the month first. */
  days: DayUsage[];
  /** The dearest first. */
  models: ModelUsage[];
  /** Of now, whatever the month is. */
  budgets: BudgetState[];
}

/** What an administrator sees of a month: a row for each person, model, provider or day. */
export interface UsageRow extends UsageFigures {
  /** Of the row in its list. */
  key: string;
  userId?: string;
  /** Null for accounts that are gone. */
  person?: { name: string; email: string } | null;
  endpoint?: string;
  model?: string | null;
  kind?: UsageKind;
  day?: string;
}

export interface UsagePage {
  month: string;
  months: string[];
  total: UsageFigures;
  rows: UsageRow[];
  /** Given back as `cursor`, for the next page; null on the last one. */
  next: number | null;
}

/** A line of the file for spreadsheets. */
export interface UsageLine extends ModelUsage {
  day: string;
  userId: string;
  name: string;
  email: string;
  /** Asks whose tokens are an estimate. */
  estimated: number;
}

export interface BudgetRow {
  id: string;
  scope: BudgetScope;
  /** Of a person's. */
  person: { name: string; email: string } | null;
  /** Of a group's. */
  group: { id: string; name: string } | null;
  period: BudgetPeriod;
  credits: number;
  version: number;
  /** In this period; null for each person's, where there are as many answers as people. */
  spent: number | null;
}
