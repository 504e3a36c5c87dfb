// REST handler for searching (docs/rest-compat.md, Search).
import { PAGE_NUMBER_MAX, type TextPart } from '@parley/schema/search/search';
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { presentConvo } from '../present/present-convo.ts';
import { presentMessage } from '../present/present-message.ts';
import { asJson } from '../responses.ts';
import { SearchPage } from '../shapes/search.ts';
import { authed, byKey, type Call, type Refused } from '../route.ts';

/** REST clients expect status 500 for failures of this path, except a missing session and a rate limit. */
const asFailure: Refused = ({ reason, text }) =>
  reason.type === 'unauthorized' || reason.type === 'too_many_attempts'
    ? null
    : Response.json({ message: text }, { status: 500 });

export const searchRoutes = [
  authed('GET', '/api/search', search, {
    summary: 'Searches titles and messages of all branches',
    query: { q: 'The words.', pageNumber: 'From 1 on; anything else is 1.' },
    answers: {
      200: asJson('Conversations, those with most hits first, and messages with the hits in `**`.', SearchPage),
    },
    refused: asFailure,
    ...byKey,
  }),
  authed('GET', '/api/search/enable', (api) => api.convos.searchEnabled(), {
    summary: 'Whether the server searches',
    answers: { 200: asJson('Whether it does.', z.boolean()) },
    ...byKey,
  }),
];

/** Conversations, most matches first, and the matching messages with matches in bold (docs/rest-compat.md, Search). */
async function search(api: Api, { query, userId }: Call): Promise<z.infer<typeof SearchPage>> {
  const pageNumber = pageNumberIn(query.get('pageNumber'));
  const page = await api.convos.searchPage({ query: query.get('q') ?? '', pageNumber });
  return {
    conversations: page.convos.map((convo) => presentConvo(userId, convo)),
    pages: page.pages,
    pageNumber,
    pageSize: page.pageSize,
    messages: page.messages.map(({ message, convo, textParts }) => {
      const { title, model } = presentConvo(userId, convo);
      const { chatGptLabel } = convo.settings;
      const text = textParts.map(bold).join('');
      return { ...presentMessage(userId, message), searchResult: true, text, title, chatGptLabel, model };
    }),
  };
}

/** The page number; 1 for anything invalid. */
function pageNumberIn(text: string | null): number {
  const asked = Math.trunc(Number(text));
  return asked >= 1 ? Math.min(asked, PAGE_NUMBER_MAX) : 1;
}

function bold({ text, isHit }: TextPart): string {
  return isHit ? `**${text}**` : text;
}
