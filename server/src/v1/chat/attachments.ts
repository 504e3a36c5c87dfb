// What a request shows beside texts, made what its model takes: pictures and PDFs by their addresses are fetched, PDFs
// become text for models that read none, and failures of tools are told in words where a protocol has no place for them.
import { pdfRuleOf } from '@parley/schema/catalog/pdf';
import { detectType } from '@parley/schema/files/detect-type';
import { asFields } from '@parley/schema/json';
import { spokenType } from '../../chat/context/context-limits.ts';
import { Refusal } from '../../platform/errors.ts';
import { joinTexts } from '../../retrieval/passages.ts';
import { WHY_UNREADABLE } from '../../tools/web/read-page.ts';
import { refuseField } from '../api-error.ts';
import type { ChosenModel } from '../models.ts';
import type { GivenRequest, RequestMessage, RequestPart } from './chat-request.ts';
import type { Egress } from '../../platform/egress.ts';
import type { PdfReader } from '../../files/pdf-reader.ts';

/** Of one request: how many addresses it names, and the bytes behind them all. */
const ADDRESSES_MAX = 20;
const FETCHED_MAX = 16 * 1024 * 1024;
const FETCH_MS = 30_000;

interface Fetcher {
  /** What stands at an address, as `data:`. */
  fetch(address: string, where: string): Promise<string>;
}

/** @throws ApiError for what cannot be fetched or read */
export async function withAttachments(
  deps: { egress: Egress; readPdf: PdfReader },
  given: GivenRequest,
  { endpoint, model }: ChosenModel,
  signal: AbortSignal,
): Promise<GivenRequest> {
  const type = spokenType(endpoint);
  const fetcher = createFetcher(deps, signal);
  const readsPdfs = pdfRuleOf(type, model) !== null;
  const tellsErrors = type === 'anthropic' || type === 'google';
  const messages: RequestMessage[] = [];
  for (const [index, message] of given.asked.messages.entries()) {
    const where = `messages[${index}].content`;
    if (message.role === 'tool' && message.isError && !tellsErrors) messages.push(toldAsError(message));
    else if (message.role !== 'user' || typeof message.content === 'string') messages.push(message);
    else {
      const content: RequestPart[] = [];
      for (const part of message.content) {
        const whole = await fetched(part, fetcher, where);
        content.push(readsPdfs ? whole : await asText(deps, whole, where, signal));
      }
      messages.push({ ...message, content });
    }
  }
  return { ...given, asked: { ...given.asked, messages } };
}

function toldAsError(message: Extract<RequestMessage, { role: 'tool' }>): RequestMessage {
  const { content } = message;
  return {
    ...message,
    content: typeof content === 'string' ? `Error: ${content}` : [{ type: 'text', text: 'Error:' }, ...content],
  };
}

async function fetched(part: RequestPart, { fetch }: Fetcher, where: string): Promise<RequestPart> {
  if (part.type === 'image_url' && isAddress(part.image_url.url))
    return { ...part, image_url: { ...part.image_url, url: await fetch(part.image_url.url, where) } };
  if (part.type === 'file' && isAddress(part.file.file_data))
    return { ...part, file: { ...part.file, file_data: await fetch(part.file.file_data, where) } };
  return part;
}

function isAddress(text: string): boolean {
  return /^https?:/i.test(text.slice(0, 8));
}

/** Only public addresses are called, as everywhere where a person names one (`platform/egress.ts`). */
function createFetcher({ egress }: { egress: Egress }, signal: AbortSignal): Fetcher {
  let addresses = 0;
  let left = FETCHED_MAX;
  return { fetch };

  async function fetch(address: string, where: string): Promise<string> {
    if (++addresses > ADDRESSES_MAX) refuseField(where, `A request names at most ${ADDRESSES_MAX} addresses.`);
    const bytes = await egress.download(address, { maxBytes: left, timeoutMs: FETCH_MS, signal }).catch((error) => {
      signal.throwIfAborted();
      const isForbidden = error instanceof Refusal && error.reason.type === 'forbidden_base_url';
      const why = isForbidden ? 'only public https addresses are' : asFields(error).message;
      return refuseField(where, `${address.slice(0, 200)} cannot be fetched: ${why}.`);
    });
    left -= bytes.length;
    const source = { size: bytes.length, read: async (at: number, length: number) => bytes.subarray(at, at + length) };
    const { mime } = await detectType(source, '', '');
    return `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
  }
}

const PDF_DATA = 'data:application/pdf;base64,';

/** What is no PDF is refused later, with all other files. */
async function asText(
  { readPdf }: { readPdf: PdfReader },
  part: RequestPart,
  where: string,
  signal: AbortSignal,
): Promise<RequestPart> {
  if (part.type !== 'file' || !part.file.file_data.startsWith(PDF_DATA)) return part;
  const outcome = await readPdf(Buffer.from(part.file.file_data.slice(PDF_DATA.length), 'base64'), signal);
  if (outcome.type === 'unreadable')
    return refuseField(
      where,
      `This model takes no PDF, and this one has no text to send instead: ${WHY_UNREADABLE[outcome.reason]}.`,
    );
  return { type: 'text', text: outcome.chunks.map(({ body }) => body).reduce(joinTexts, '') };
}
