import type { KeyHolder } from '../platform/requests/key-holder.ts';
import type { Client } from '../platform/requests/client.ts';

/** A request of a program, as the handlers of `/v1` get it. */
export interface ApiRequest {
  holder: KeyHolder;
  client: Client;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  id: string;
  params: Record<string, string>;
  /** The body as it came: JSON of anything. */
  body: unknown;
  report(error: unknown): void;
}
