// A call of a program: a row of `generations` that is its own conversation and its own reply.
import type { Rates } from '@parley/schema/catalog/rates';
import type { Chargeable } from '../../billing/billing.ts';
import type { Reservation } from '../../billing/reservation.ts';
import type { KeyHolder } from '../../api-keys/key-holders.ts';
import type { Client } from '../../platform/requests/client.ts';

/** What a call is about, before it begins. */
export interface ApiCall {
  id: string;
  holder: KeyHolder;
  client: Client | null;
  endpoint: string;
  model: string;
  /** For billing. */
  charge: Chargeable;
  /** What its tokens cost. */
  rates: Rates;
  /** A fast guess at its prompt. */
  promptTokens: number;
}

/** What was set aside for it. */
export interface Begun {
  /** Of its person's balance and budgets; null where nothing limits it. */
  reserved: Reservation | null;
  /** Of the limit of its key; null without one. */
  ofKey: Pick<Reservation, 'credits' | 'promptTokens'> | null;
}
