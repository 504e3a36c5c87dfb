import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import type { Convo } from './convos.ts';
import { cutQuery } from './cut-query.ts';

/** A stretch of text that is what was searched for, or is not. Joined they are the text that is shown. */
export interface TextPart {
  text: string;
  isHit: boolean;
}

/** A message that was found. */
export interface SearchHit {
  messageId: string;
  isCreatedByUser: boolean;
  createdAt: string;
  /** About 200 characters around the first hit; an ellipsis stands where text was left out. */
  snippet: TextPart[];
}

/** What was found in one conversation. */
export interface SearchGroup {
  convo: Convo;
  /** The title, also when nothing in it was found; empty while there is none. */
  titleParts: TextPart[];
  /** The best first, at most `HITS_PER_GROUP`. Empty when only the title was found. */
  hits: SearchHit[];
  /** How many more messages of the conversation were found. */
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

/** Not strict: infinite queries send a direction along. */
export const SearchConvos = z.object({
  query: Query,
  /** `nextCursor` of the page before. */
  cursor: z.string().max(300).nullish(),
  limit: z.int().min(1).max(100).default(25),
});
export type SearchConvos = z.infer<typeof SearchConvos>;

/** A page by its number, as REST clients ask for it. */
export const SearchNumberedPage = z.strictObject({
  query: Query,
  pageNumber: z.int().min(1).max(1_000_000).default(1),
});
export type SearchNumberedPage = z.infer<typeof SearchNumberedPage>;
