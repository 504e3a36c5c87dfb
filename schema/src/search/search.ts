import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import type { Convo } from '../convos/convos.ts';
import { cutQuery } from './cut-query.ts';

/** A piece of text that matches the search or does not. Joined, the pieces are the displayed text. */
export interface TextPart {
  text: string;
  isHit: boolean;
}

/** A matching message. */
export interface SearchHit {
  messageId: string;
  isCreatedByUser: boolean;
  createdAt: string;
  /** About 200 characters around the first match; an ellipsis marks omitted text. */
  snippet: TextPart[];
}

/** The matches in one conversation. */
export interface SearchGroup {
  convo: Convo;
  /** The title, also when it does not match; empty when there is none. */
  titleParts: TextPart[];
  /** Best first, at most `HITS_PER_GROUP`. Empty when only the title matches. */
  hits: SearchHit[];
  /** How many more messages of the conversation match. */
  more: number;
}

export interface SearchPage {
  groups: SearchGroup[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export const HITS_PER_GROUP = 3;

const Query = z
  .string()
  .max(100_000)
  .overwrite((text) => cutQuery(cleanText(text)));

/** Not strict: infinite queries also send a direction. */
export const SearchConvos = z.object({
  query: Query,
  /** `nextCursor` of the page before. */
  cursor: z.string().max(300).nullish(),
  limit: z.int().min(1).max(100).default(25),
});
export type SearchConvos = z.infer<typeof SearchConvos>;

/** More pages than any user has. */
export const PAGE_NUMBER_MAX = 1_000_000;

/** A page by its number, as REST clients ask for it. */
export const SearchNumberedPage = z.strictObject({
  query: Query,
  pageNumber: z.int().min(1).max(PAGE_NUMBER_MAX).default(1),
});
export type SearchNumberedPage = z.infer<typeof SearchNumberedPage>;
