// The calls of a service that indexes files and finds passages in them, at RAG_API_URL (LibreChat's rag_api).
import { openAsBlob } from 'node:fs';
import type { DocumentReason } from '@parley/schema/files/documents';
import { SignJWT } from 'jose';
import * as z from 'zod';
import { fetchUnredirected, readBounded, withDeadline } from '../platform/deadline.ts';
import type { FileToExtract } from './extracted.ts';

export interface RagSettings {
  /** Without a trailing slash. */
  url: string;
  /** Whether files that fit are shown whole, by the service's text of them. */
  usesFullContext: boolean;
}

/** A passage as the service returns it. */
export interface RagPassage {
  text: string;
  /** From 1; null where the service returns none. */
  page: number | null;
}

export interface RagApi {
  /** Whether the service answers. */
  isUp(): Promise<boolean>;
  /**
   * Indexes a file; a file that the service cannot index is an outcome, not an error.
   * @throws Error when the service fails or cannot be reached
   */
  embed(userId: string, fileId: string, file: FileToExtract, signal: AbortSignal): Promise<DocumentReason | null>;
  /** The passages of a file that are closest to a question, the best first. @throws Error */
  query(userId: string, fileId: string, question: string, signal: AbortSignal): Promise<RagPassage[]>;
  /** The whole text of a file; null when the service does not have it. @throws Error */
  context(userId: string, fileId: string, signal: AbortSignal): Promise<string | null>;
  /** Succeeds also for files that the service does not have. @throws Error */
  remove(userId: string, fileIds: readonly string[], signal: AbortSignal): Promise<void>;
}

/** How many passages of a file are asked for. */
const PASSAGES_MAX = 4;
const EMBED_MS = 5 * 60_000;
const ANSWER_MS = 15_000;
/** Of a token: as long as the longest call may take to begin. */
const TOKEN_SECONDS = 5 * 60;
/** In bytes; the text of a file that is shown whole is far shorter. */
const ANSWER_MAX = 16 * 1024 * 1024;

const Embedded = z.object({ status: z.boolean(), known_type: z.boolean().nullish() });
const Found = z.array(
  z.tuple([
    z.object({
      page_content: z.string(),
      metadata: z.object({ page: z.unknown() }).partial().nullish(),
    }),
    z.number(),
  ]),
);

/** `secret` signs the tokens of users; the service verifies them by the same JWT_SECRET. */
export function createRagApi({ url }: RagSettings, secret: string): RagApi {
  return {
    async isUp() {
      const response = await send('/health', {}, withDeadline(ANSWER_MS)).catch(() => null);
      await response?.body?.cancel();
      return response?.ok === true;
    },
    async embed(userId, fileId, { path, mime, name }, signal) {
      const form = new FormData();
      form.set('file_id', fileId);
      form.set('file', await openAsBlob(path, { type: mime }), name);
      const response = await sendAs(userId, '/embed', { method: 'POST', body: form }, withDeadline(EMBED_MS, signal));
      if (!response.ok) return rejectedFor(response);
      const { status, known_type: isKnown } = Embedded.parse(JSON.parse(await readText(response)));
      if (isKnown === false) return 'unsupported';
      return status ? null : 'damaged';
    },
    async query(userId, fileId, query, signal) {
      const body = JSON.stringify({ file_id: fileId, query, k: PASSAGES_MAX });
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body };
      const response = await sendAs(userId, '/query', init, withDeadline(ANSWER_MS, signal));
      const found = Found.parse(JSON.parse(await readText(assertOk(response))));
      return found.map(([{ page_content: text, metadata }]) => ({ text, page: pageOf(metadata?.page) }));
    },
    async context(userId, fileId, signal) {
      const path = `/documents/${encodeURIComponent(fileId)}/context`;
      const response = await sendAs(userId, path, {}, withDeadline(ANSWER_MS, signal));
      if (response.status === 404) return response.body?.cancel().then(() => null) ?? null;
      const text = await readText(assertOk(response));
      return response.headers.get('content-type')?.includes('json') ? z.string().parse(JSON.parse(text)) : text;
    },
    async remove(userId, fileIds, signal) {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'DELETE', headers, body: JSON.stringify(fileIds) };
      const response = await sendAs(userId, '/documents', init, withDeadline(ANSWER_MS, signal));
      await response.body?.cancel();
      if (response.status !== 404) assertOk(response);
    },
  };

  async function sendAs(userId: string, path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await tokenFor(userId, secret)}`);
    return send(path, { ...init, headers }, signal);
  }

  function send(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    return fetchUnredirected(url + path, { ...init, signal });
  }
}

/** Has no session and no audience, so this server itself does not take it for a sign-in. */
function tokenFor(userId: string, secret: string): Promise<string> {
  return new SignJWT({ id: userId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .sign(new TextEncoder().encode(secret));
}

/** What a refused file is; a failure that may pass, and a token that is refused, are errors. */
async function rejectedFor(response: Response): Promise<DocumentReason> {
  await response.body?.cancel();
  switch (response.status) {
    case 400:
    case 422:
      return 'damaged';
    case 413:
      return 'too_large';
    case 415:
      return 'unsupported';
    default:
      throw new Error(`The service at RAG_API_URL answers ${response.status}`);
  }
}

function assertOk(response: Response): Response {
  if (!response.ok) throw new Error(`The service at RAG_API_URL answers ${response.status}`);
  return response;
}

/** Its readers of PDFs count pages from 0. */
function pageOf(page: unknown): number | null {
  return typeof page === 'number' && Number.isInteger(page) && page >= 0 ? page + 1 : null;
}

async function readText(response: Response): Promise<string> {
  const tooLong = () => new Error(`The service at RAG_API_URL answers more than ${ANSWER_MAX} bytes`);
  return (await readBounded(response, ANSWER_MAX, tooLong)).toString();
}
