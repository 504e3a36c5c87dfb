import type { Logger } from 'pino';
import type { Db } from '@parley/db/client';
import type { CallDeps } from '../chat/api-calls/run-call.ts';
import type { Config } from '../config.ts';
import type { Egress } from '../platform/egress.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import type { FindResponder } from '../assistants/find-responder.ts';
import type { KeyHolders } from '../api-keys/key-holders.ts';
import type { OpenCalls } from '../http/open-calls.ts';
import type { PdfReader } from '../files/pdf-reader.ts';

export interface ApiServices {
  /** Calls of programs. */
  apiCalls: CallDeps;
  config: Config;
  db: Db;
  egress: Egress;
  endpoints: LiveEndpoints;
  findResponder: FindResponder;
  keyHolders: KeyHolders;
  log: Logger;
  openCalls: OpenCalls;
  readPdf: PdfReader;
}
