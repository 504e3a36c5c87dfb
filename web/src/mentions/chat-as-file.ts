// Tests of this room: tests/unit/web/mentions.

// An earlier chat as a text file, which goes along with a question.
import { messageText, type Message } from '@parley/schema/messages/messages';
import { buildTree } from '@parley/schema/messages/tree';
import { shownPath } from '../chat/cache/branches.ts';
import { api } from '../trpc.ts';

/** Characters: what the longest questions have, too. Of a longer chat the newest messages go along. */
const TEXT_MAX = 400_000;

/** The newest branch of a conversation as Markdown. */
export async function chatAsFile(conversationId: string, title: string): Promise<File> {
  const messages = await api.messages.list.query({ conversationId });
  const tree = buildTree(messages.map((message) => ({ ...message, size: 0, version: 0 })));
  const path = shownPath(tree, {}).flatMap(({ messageId }) => tree.byId.get(messageId) ?? []);
  const text = path.map(paragraphOf).join('\n').slice(-TEXT_MAX);
  return new File([`# ${title}\n\n${text}`], `${title.replaceAll(/[/\\:]+/g, ' ')}.md`, { type: 'text/markdown' });
}

function paragraphOf(message: Message): string {
  return `**${message.sender}:**\n\n${messageText(message)}\n`;
}
