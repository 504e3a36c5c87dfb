import type { PricedCall } from '@parley/schema/catalog/rates';
import type { Settings } from '@parley/schema/catalog/params';
import type { ReportedRates } from '@parley/schema/catalog/usage';
import type { KeyHolder } from '../platform/requests/key-holder.ts';

/** Holds the credits reserved for an ask, and the tokens that its prompt was estimated to have. */
export interface Reservation {
  credits: number;
  promptTokens: number;
  /** They are of its user's balance, which is charged at the end. */
  isOfBalance: boolean;
  /** They are of the budgets that hold for its user. */
  isOfBudget: boolean;
  /** The key whose limit they are of; null without one. */
  ofKey: KeyHolder | null;
}

/** Lists what billing needs to know of an ask. */
export interface Chargeable extends PricedCall {
  userId: string;
  owner: string;
  generationId: string;
  model: string;
  settings: Settings;
  /** The most tokens that the answer may have, where the ask says so. */
  maxTokens?: number | undefined;
  /** The prices the provider reports. */
  rates: ReportedRates | undefined;
  /** Says whether the provider's server is the user's own: it could report any usage. */
  isUsersServer: boolean;
  countPromptTokens(): Promise<number>;
}
