import type { TextPart } from '@parley/schema/search';
import type { Api } from '../router.ts';
import { presentConvo } from './present-convo.ts';
import { presentMessage } from './present-message.ts';
import type { Call, Row } from './row.ts';

/** Conversations, those with the most hits first, and the messages that were found in them, hits in bold. */
export async function search(api: Api, { query, userId }: Call) {
  const pageNumber = Number(query.get('pageNumber') || 1);
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

/** Whatever was wrong, clients of this path look for a failure of the server. */
export const asFailure: Row['refused'] = ({ reason, text }) =>
  reason.type === 'unauthorized' ? null : Response.json({ message: text }, { status: 500 });

function bold({ text, isHit }: TextPart): string {
  return isHit ? `**${text}**` : text;
}
