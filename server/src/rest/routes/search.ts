// REST handler for searching (docs/rest-compat.md, Search).
import { PAGE_NUMBER_MAX, type TextPart } from '@parley/schema/search/search';
import type { Api } from '../../router.ts';
import { presentConvo } from '../present/present-convo.ts';
import { presentMessage } from '../present/present-message.ts';
import type { Call, Route } from '../route.ts';

/** Conversations, most matches first, and the matching messages with matches in bold (docs/rest-compat.md, Search). */
export async function search(api: Api, { query, userId }: Call) {
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

/** REST clients expect status 500 for failures of this path, except a missing session and a rate limit. */
export const asFailure: Route['refused'] = ({ reason, text }) =>
  reason.type === 'unauthorized' || reason.type === 'too_many_attempts'
    ? null
    : Response.json({ message: text }, { status: 500 });

function bold({ text, isHit }: TextPart): string {
  return isHit ? `**${text}**` : text;
}
