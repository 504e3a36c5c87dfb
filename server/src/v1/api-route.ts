import type { ApiScope } from '@parley/schema/accounts/api-key-rules';
import type * as z from 'zod';
import type { Deps } from '../deps.ts';
import type { ApiRequest } from './api-request.ts';

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
    /** Whether it may be answered by events. */
    streams?: true;
  };
  answer(deps: Deps, request: ApiRequest): Promise<Response>;
}
