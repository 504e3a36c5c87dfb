/** Interfaces: a site implements one provider's protocol; `AuthorizationServer` is what all sites share. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AuthorizationServer, Grant } from './grants.ts';

export interface SiteRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface SiteResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Site {
  authorizePath: string;
  tokenPath: string;
  /** The scopes required to get the needed data. */
  scopes: string[];
  takesChallenge: boolean;
  /** The client authentication methods it accepts. */
  auth: () => ('basic' | 'post')[];
  /** Its response to an invalid code. */
  refusal(error: string): SiteResponse;
  /** The tokens beside the access token. */
  tokens?(desk: AuthorizationServer, grant: Grant): Record<string, unknown>;
  /** Public endpoints. */
  open?(desk: AuthorizationServer, asked: SiteRequest): SiteResponse | null;
  /** Endpoints that need a token. */
  about(grant: Grant, asked: SiteRequest): SiteResponse | null;
}

export function json(body: unknown, status = 200): SiteResponse {
  return { status, body };
}
