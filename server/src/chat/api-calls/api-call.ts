// A call without a conversation: of a program, or of a person for speech.
import type { Chargeable } from '../../billing/reservation.ts';
import type { KeyHolder } from '../../platform/requests/key-holder.ts';
import type { Client } from '../../platform/requests/client.ts';

/** Who calls from the page itself. */
export interface Person {
  userId: string;
  keyId: null;
}

/** Describes a call before it begins. */
export interface ApiCall {
  id: string;
  /** `api` counts as a message; `speech` is counted by its own limits. */
  kind: 'api' | 'speech';
  holder: KeyHolder | Person;
  client: Client | null;
  endpoint: string;
  model: string;
  /** Billing reads it. */
  charge: Chargeable;
}
