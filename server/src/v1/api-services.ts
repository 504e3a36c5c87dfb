import type { CallDeps } from '../chat/api-calls/run-call.ts';
import type { Egress } from '../platform/egress.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import type { FindResponder } from '../assistants/find-responder.ts';
import type { KeyHolders } from '../api-keys/key-holders.ts';
import type { OpenCalls } from '../http/open-calls.ts';
import type { PdfReader } from '../files/pdf-reader.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

export interface ApiServices extends CoreServices {
  /** Calls of programs. */
  apiCalls: CallDeps;
  egress: Egress;
  endpoints: LiveEndpoints;
  findResponder: FindResponder;
  keyHolders: KeyHolders;
  openCalls: OpenCalls;
  readPdf: PdfReader;
}
