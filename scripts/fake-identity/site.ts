/** A site is one provider's wire; the desk is what all of them do alike. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Desk, Grant } from './desk.ts';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface Said {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Site {
  authorizePath: string;
  tokenPath: string;
  /** Scopes without which it would not tell what is needed. */
  scopes: string[];
  takesChallenge: boolean;
  /** The ways in which a client may say who it is. */
  auth: () => ('basic' | 'post')[];
  /** How it refuses a code. */
  refusal(error: string): Said;
  /** What a code is exchanged for, beside the access token. */
  tokens?(desk: Desk, grant: Grant): Record<string, unknown>;
  /** What can be asked without a token. */
  open?(desk: Desk, asked: Asked): Said | null;
  /** What can be asked with one. */
  about(grant: Grant, asked: Asked): Said | null;
}

export function json(body: unknown, status = 200): Said {
  return { status, body };
}
