// Reads a page of the web through the egress guard, and finds the passages that a question is about.
import type { PdfReader } from '../../files/pdf-reader.ts';
import type { Egress } from '../../platform/egress.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { Refusal } from '../../platform/errors.ts';
import { createChunker, joinBodies } from '../../retrieval/chunk.ts';
import type { Chunk, UnreadableReason } from '../../retrieval/extracted.ts';
import { knownEncoding, markedEncoding } from '../../retrieval/extract/encodings/decode.ts';
import { readHtml } from '../../retrieval/extract/html.ts';
import { scoreByWords, textTokens, distinctWords } from '../../retrieval/rank.ts';
import { ServiceFailure, throwIfStopped } from '../call-service.ts';
import { isListed, pageAddress } from './page-address.ts';

export interface PageAccess {
  egress: Pick<Egress, 'call'>;
  readPdf: PdfReader;
}

export interface PageRequest {
  url: string;
  /** What is looked for; empty: the page from its beginning. */
  question: string;
  /** Of the operator: a redirect to them is followed. */
  hosts: readonly string[];
  signal: AbortSignal;
}

const MAX_BYTES = 2 * 1024 * 1024;
/** Its table of contents stands at its end: the beginning of a PDF cannot be read. */
const PDF_MAX_MB = 20;
const TIMEOUT_MS = 20_000;
const REDIRECTS_MAX = 5;
/** How much of a page the model gets, in characters. */
const TEXT_MAX = 12_000;
const PASSAGES_MAX = 6;
/** The least share of the best score that a passage has. */
const SCORE_SHARE_MIN = 0.25;
const CHUNKS_MAX = 4000;
/** Between two stretches of this length other work has its turn. */
const STRETCH_BYTES = 64 * 1024;

/** The text of the page, or its best passages, below its address. @throws ServiceFailure */
export async function readPage({ egress, readPdf }: PageAccess, request: PageRequest): Promise<string> {
  const page = await fetchPage(egress, request);
  if ('leadsTo' in page)
    return `${page.url} leads to ${page.leadsTo} on another host, which was not opened. To read it, call this tool with that address.`;
  const { url, type, bytes } = page;
  const chunks = isPdf(type, url)
    ? (await readPdfChunks(readPdf, url, bytes, request.signal)).map(pdfPassage)
    : await readText(page);
  const text = joinPassages(chunks, request.question);
  return text === '' ? `${url}\n\nThe page has no text.` : `${url}\n\n${text}`;
}

interface FetchedPage {
  /** Where it was, after redirects on its host. */
  url: string;
  /** Its media type, with parameters. */
  type: string;
  bytes: Uint8Array;
}

/** A page that leads to another host, which the person may have to be asked about. */
interface LeavingPage {
  url: string;
  leadsTo: string;
}

async function fetchPage(
  egress: Pick<Egress, 'call'>,
  { url: given, hosts, signal }: PageRequest,
): Promise<FetchedPage | LeavingPage> {
  const deadline = withDeadline(TIMEOUT_MS, signal);
  let url = given.trim();
  try {
    for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
      const response = await call(egress, url, deadline);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        if (!response.ok) throw new ServiceFailure(`${url} answers with status ${response.status}.`);
        return { url, type: response.headers.get('content-type') ?? '', bytes: await readBody(response, url) };
      }
      await response.body?.cancel();
      const next = new URL(location, url);
      const leadsTo = withoutFragment(next);
      if (next.host !== new URL(url).host && !isListed(next, hosts)) return { url, leadsTo };
      url = leadsTo;
    }
    throw new ServiceFailure(`${given} leads from one address to the next without end.`);
  } catch (error) {
    throwIfStopped(signal);
    if (error instanceof ServiceFailure) throw error;
    if (error instanceof Refusal || error instanceof TypeError)
      throw new ServiceFailure(`${url} cannot be opened: only public https addresses can.`);
    if (deadline.aborted) throw new ServiceFailure(`${url} did not answer within ${TIMEOUT_MS / 1000} seconds.`);
    throw new ServiceFailure(`${url} cannot be reached.`);
  }
}

/** A page at http is asked for at https, unless the operator exempts its host. */
async function call(egress: Pick<Egress, 'call'>, url: string, signal: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5', 'user-agent': 'Parley' };
  const limits = { maxBytes: Number.MAX_SAFE_INTEGER, timeoutMs: TIMEOUT_MS * 2, signal };
  const address = pageAddress(url)?.href;
  if (address === undefined) throw new TypeError('This is no address of a page');
  try {
    return await egress.call(address, { method: 'GET', headers }, limits);
  } catch (error) {
    if (!(error instanceof Refusal) || !address.startsWith('http://')) throw error;
    return egress.call(address.replace('http://', 'https://'), { method: 'GET', headers }, limits);
  }
}

function withoutFragment(url: URL): string {
  url.hash = '';
  return url.href;
}

/** What follows after the limit is left out, but of a PDF: the beginning of a long page is better than none of it. */
async function readBody(response: Response, url: string): Promise<Uint8Array> {
  const isWhole = isPdf(response.headers.get('content-type') ?? '', url);
  const maxBytes = isWhole ? PDF_MAX_MB * 1024 * 1024 : MAX_BYTES;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxBytes && isWhole) throw new ServiceFailure(`The PDF at ${url} is larger than ${PDF_MAX_MB} MB.`);
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** @throws ServiceFailure for what is no text */
async function readText({ url, type, bytes }: FetchedPage): Promise<PageChunk[]> {
  if (!/^(text\/|application\/(xhtml\+xml|xml|json))/.test(type))
    throw new ServiceFailure(`${url} is no page that can be read: its type is ${type || 'unknown'}.`);
  const chunker = createChunker(CHUNKS_MAX);
  const texts = stretches(bytes, encodingOf(bytes, type));
  if (/^(text\/html|application\/xhtml)/.test(type)) await readHtml(texts, { sink: chunker, title: null });
  else for await (const text of texts) chunker.write({ page: null, heading: null, text });
  return chunker.finish().chunks.map(({ n, heading, body }) => ({ n, heading, text: body }));
}

function pdfPassage({ n, page, body }: Chunk): PageChunk {
  return { n, heading: `Page ${page}`, text: body };
}

/** Those of the question, or the first ones, each below its heading. */
function joinPassages(chunks: readonly PageChunk[], question: string): string {
  return neighboursOf(chooseChunks(chunks, question))
    .map(([first, ...others]) => {
      const text = joinBodies([first, ...others].map((chunk) => chunk.text));
      const isShown = first.heading === null || text.startsWith(first.heading.split(' > ').at(-1) ?? '');
      return isShown ? text : `${first.heading}\n${text}`;
    })
    .join('\n\n');
}

interface PageChunk {
  n: number;
  heading: string | null;
  text: string;
}

/** Chunks that follow each other under one heading, together. */
function neighboursOf(chunks: readonly PageChunk[]): [PageChunk, ...PageChunk[]][] {
  const groups: [PageChunk, ...PageChunk[]][] = [];
  for (const chunk of chunks) {
    const last = groups.at(-1)?.at(-1);
    if (last && last.n + 1 === chunk.n && last.heading === chunk.heading) groups.at(-1)?.push(chunk);
    else groups.push([chunk]);
  }
  return groups;
}

/** Those that fit, in the order of the page: the best for the question, or the first ones. */
function chooseChunks(chunks: readonly PageChunk[], question: string): PageChunk[] {
  const length = chunks.reduce((sum, { text }) => sum + text.length, 0);
  const words = distinctWords(question);
  if (length <= TEXT_MAX || words.length === 0) return withinLength(chunks);
  const frequencies = new Map<string, number>();
  for (const { text } of chunks) {
    const has = new Set(textTokens(text));
    for (const word of words) if (has.has(word)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const scored = scoreByWords(chunks, words, { frequencies, total: chunks.length }).slice(0, PASSAGES_MAX);
  const worthy = scored.filter(({ score }) => score >= (scored[0]?.score ?? 0) * SCORE_SHARE_MIN);
  const best = withinLength(worthy.map(({ item }) => item)).toSorted((a, b) => a.n - b.n);
  return best.length > 0 ? best : withinLength(chunks);
}

function withinLength(chunks: readonly PageChunk[]): PageChunk[] {
  let left = TEXT_MAX;
  return chunks.filter(({ text }) => (left -= text.length) >= 0);
}

function encodingOf(bytes: Uint8Array, type: string): string {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const declared = /charset\s*=\s*["']?([\w.:-]+)/i;
  return (
    markedEncoding(bytes) ??
    knownEncoding(declared.exec(type)?.[1]) ??
    knownEncoding(declared.exec(head)?.[1]) ??
    'utf-8'
  );
}

async function* stretches(bytes: Uint8Array, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + STRETCH_BYTES), { stream: true });
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield decoder.decode();
}

/** Why a PDF has no text: what may stand behind "because". */
export const WHY_UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  unsupported: 'its bytes are no PDF',
  no_text: 'it has pictures of pages, and no text',
  encrypted: 'it is locked with a password',
  damaged: 'it is damaged',
  too_large: 'it is too large',
  timed_out: 'reading it takes too long',
  out_of_memory: 'reading it takes too much memory',
};

/** Whether the page is a PDF by its media type, or by its name where the type says nothing. */
function isPdf(type: string, url: string): boolean {
  if (/^application\/octet-stream\b/.test(type)) return new URL(url).pathname.toLowerCase().endsWith('.pdf');
  return /^application\/(x-)?pdf\b/.test(type);
}

/** The text of the PDF at `url`. @throws ServiceFailure that says why it has none */
async function readPdfChunks(
  readPdf: PdfReader,
  url: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Chunk[]> {
  const outcome = await readPdf(bytes, signal);
  if (outcome.type === 'text') return outcome.chunks;
  throw new ServiceFailure(`The PDF at ${url} cannot be read: ${WHY_UNREADABLE[outcome.reason]}.`);
}
