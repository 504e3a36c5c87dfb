// A call of a program: a row of `generations` that is its own conversation and its own reply.
import type { Chargeable } from '../../billing/reservation.ts';
import type { KeyHolder } from '../../platform/requests/key-holder.ts';
import type { Client } from '../../platform/requests/client.ts';

/** Describes a call before it begins. */
export interface ApiCall {
  id: string;
  holder: KeyHolder;
  client: Client | null;
  endpoint: string;
  model: string;
  /** Billing reads it. */
  charge: Chargeable;
}
