import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import type * as z from 'zod';
import type { Fault } from './api-error.ts';
import type { ApiRequest } from './api-request.ts';
import type { ApiServices } from './api-services.ts';

/** A row of `/v1`: what is called, what answers it, and what its document says. */
export interface ApiRoute {
  method: 'GET' | 'POST';
  /** With `{name}` for what varies. */
  path: string;
  scope: ApiScope;
  doc: {
    id: string;
    summary: string;
    description?: string;
    request?: z.ZodType;
    answer: z.ZodType;
    /** Of refusals; absent: that of chat completions. */
    error?: z.ZodType;
    /** Whether it may be answered by events. */
    streams?: true;
  };
  /** Errors in the words of its protocol; absent: in those of chat completions. */
  errorBody?: (fault: Fault) => object;
  answer(deps: ApiServices, request: ApiRequest): Promise<Response>;
}
