import type { EndpointType } from './endpoints.ts';
import { isNamed, type NamePiece } from './model-names.ts';

/** How PDFs are sent as files to the models of an endpoint. */
export interface PdfRule {
  /** Of all PDFs of a call together: the request's limit, less the third that base64 adds. */
  bytesMax: number;
  /** Of all PDFs of a call together. */
  pagesMax: number;
  tokensPerPage: number;
}

interface Reader extends PdfRule {
  models: readonly NamePiece[];
}

const MEGABYTE = 1024 * 1024;

/**
 * Requests may have 32 MB at Anthropic and OpenAI and 20 MB at Gemini, and PDFs of 100 pages at Anthropic and OpenAI;
 * Gemini takes more, but no more is known to be useful. Tokens of a page: Anthropic's documentation names 1,500 to
 * 3,000 for its text beside its image; Google's page on media resolution
 * 560 for Gemini 3, and 256 and its text for 2.5; OpenAI bills the
 * text and an image of each page, which is about 500 for a full page and at most 1,105.
 */
const READERS: Partial<Record<EndpointType, Reader>> = {
  anthropic: {
    models: [/claude-3-[57]/, /claude-(?:opus|sonnet|haiku|fable|mythos)/],
    bytesMax: 23 * MEGABYTE,
    pagesMax: 100,
    tokensPerPage: 2500,
  },
  google: {
    models: [/gemini-(?:1\.5|[2-9]|(?:pro|flash)(?:-lite)?-latest)/],
    bytesMax: 14 * MEGABYTE,
    pagesMax: 100,
    tokensPerPage: 560,
  },
  openAI: {
    models: [/gpt-(?:4o|4\.[15]|[5-9])/, /(?:^|\/)o(?:[13](?!-mini|-preview)|4-mini)/],
    bytesMax: 23 * MEGABYTE,
    pagesMax: 100,
    tokensPerPage: 1600,
  },
};

/** Null where a model accepts no PDFs, judged by its name: it is sent their text. */
export function pdfRuleOf(type: EndpointType, model: string): PdfRule | null {
  const reader = READERS[type];
  return reader?.models.some((piece) => isNamed(model, piece)) ? reader : null;
}
