// An ask that may begin, and what beginning it gives.
import type { AskInput } from '@parley/schema/chat/ask';
import type { CreatedEvent } from '@parley/schema/generation/events';
import type { Settings } from '@parley/schema/catalog/params';
import type { RespondingAssistant } from '../../assistants/find-responder.ts';
import type { Reservation } from '../../billing/reservation.ts';
import type { Endpoint } from '../../catalog/endpoint.ts';
import type { Asker } from '../../convos/changes.ts';
import type { ConvoRow } from '../../convos/present.ts';
import type { PicturePlan } from '../../pictures/plan-picture.ts';
import type { ModelMetadata } from '../../providers/model-metadata.ts';

/** Names the endpoint, the model and the settings of a conversation. */
export type KeptModel = Pick<ConvoRow, 'endpoint' | 'endpointType' | 'model' | 'settings'>;

/** Holds a validated ask: the endpoint exists, the model is available, the settings are in bounds. */
export interface Ask {
  userId: string;
  owner: string;
  input: AskInput;
  endpoint: Endpoint;
  model: string;
  /** Holds the provider's metadata of that model. */
  metadata: ModelMetadata;
  settings: Settings;
  /** Names what the conversation continues with if something else answers. */
  kept: KeptModel | null;
  /** Names who answers for that endpoint; null without an assistant. */
  assistant: RespondingAssistant | null;
  /** Says whether calls of chosen plugins and actions run without a question, unless each of them needs one. */
  callsUnasked: boolean;
  /** Which pictures it is answered with; null for words. */
  picture: PicturePlan | null;
  /** Names the key with which a program asks. */
  apiKeyId?: string | undefined;
}

export interface AskResult {
  created: CreatedEvent;
  asker: Asker;
  /** Holds the conversation's row if a single statement has written it: nothing else has taken a change number then. */
  written: ConvoRow | null;
  /** False when there is no run to start: the same ask had begun before, or its reply has failed already. */
  isNew: boolean;
  stopRequested: boolean;
  /** Holds the reserved credits; null when nothing is charged. */
  reserved: Reservation | null;
  /** Says whether the conversation still needs a title, as after its first exchange. */
  untitled: boolean;
}
