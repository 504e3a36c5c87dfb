// What speech takes of a server.
import type { ModelAccess } from '../catalog/access/model-access.ts';
import type { CallDeps } from '../chat/api-calls/run-call.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export interface SpeechServices extends CoreServices {
  /** Holds a call to limits and budgets, and charges it. */
  apiCalls: CallDeps;
  access: ModelAccess;
}
