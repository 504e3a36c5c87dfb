import * as z from 'zod';
import { cleanText } from './clean-text.ts';
import type { EndpointType } from './endpoints.ts';
import { Id } from './ids.ts';
import type { Settings } from './params.ts';

/** A row in the sidebar. */
export interface Convo {
  conversationId: string;
  /** Null until the title is generated or given: "New Chat" is a translation, not data. */
  title: string | null;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
  /** The generation that is writing in it now. */
  running: string | null;
  createdAt: string;
  updatedAt: string;
}

/** What the per-user feed says. `seq` is the cursor to resume from. */
export type Change =
  | { type: 'convo'; seq: number; convo: Convo }
  | { type: 'removed'; seq: number; conversationId: string }
  /** The cursor is too old to catch up from: read everything again. */
  | { type: 'reset'; seq: number };

export const TITLE_MAX = 255;

/** Not strict: infinite queries send a direction along. */
export const ConvoPage = z.object({
  /** `nextCursor` of the page before. */
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(100).default(25),
});

export const RenameConvo = z.strictObject({
  conversationId: Id,
  title: z.string().overwrite(cleanText).trim().min(1, 'A title is required').max(TITLE_MAX),
});

export const ConvoRef = z.strictObject({ conversationId: Id });
