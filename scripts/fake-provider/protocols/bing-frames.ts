/** The records of Bing's chat. */
import type { Frames } from '../stream-script.ts';
import type { StreamScript } from '../scenario.ts';
import { SEPARATOR } from '../socket-connection.ts';

const SUGGESTIONS = ['Tell me more', 'Why is that so?', 'Give me an example'];
/** Sent with every answer that has citations. */
const SOURCES = [
  { providerDisplayName: 'Wells [a guide]', seeMoreUrl: 'https://wells.example/how(deep)' },
  { providerDisplayName: '', seeMoreUrl: 'https://rivers.example/' },
];

interface Result {
  value: string;
  message: string | null;
  error?: string;
}

/** The records of one answer: each update has the whole text so far. */
export function createBingFrames(_play: StreamScript): Frames {
  let said = '';
  return {
    headers: {},
    open: () => update({ author: 'bot', messageType: 'InternalSearchQuery', text: 'Searching the web for: wells' }),
    text(text) {
      said += text;
      return update(messageOf(said));
    },
    reasoning: () => '',
    tool: () => '',
    edgeCase: () =>
      record({ type: 6 }) +
      record({ type: 1, target: 'update', arguments: [{ throttling: { maxNumUserMessagesInConversation: 30 } }] }) +
      update({ author: 'user', text: 'not the bot' }) +
      update({ author: 'bot', messageType: 'InternalLoaderMessage', text: 'Generating answers for you...' }) +
      record({ type: 99, x: null }),
    broken: () => `{"type":1,"target":"update","arguments":[{"messages":[{"text":"bro${SEPARATOR}`,
    keepAlive: () => record({ type: 6 }),
    error: (message) => record(bingEndRecord(said, { value: 'InternalError', message, error: message })),
    close(finish) {
      if (finish === null) return '';
      const isTakenBack = finish === 'content_filter';
      const origin = isTakenBack ? { contentOrigin: 'Apology', text: 'I’m sorry, I prefer not to go on.' } : {};
      const end = bingEndRecord(said, { value: 'Success', message: said }, { ...origin, ...suggested });
      return (isTakenBack ? update({ ...messageOf(said), ...origin }) : '') + record(end) + record({ type: 3 });
    },
  };
}

const suggested = { suggestedResponses: SUGGESTIONS.map((text) => ({ text, author: 'user' })) };

/** The last record of an answer. */
export function bingEndRecord(said: string, result: Result, about: object = {}): object {
  const messages = [
    { author: 'user', text: 'the question' },
    { ...messageOf(said), ...about },
  ];
  return { type: 2, invocationId: '0', item: { messages: said === '' && result.error ? [] : messages, result } };
}

function messageOf(text: string): object {
  const sources = text.includes('[^') ? { sourceAttributions: SOURCES } : {};
  return { author: 'bot', messageId: 'answer-1', text, ...sources };
}

function update(message: object): string {
  return record({ type: 1, target: 'update', arguments: [{ messages: [message] }] });
}

function record(value: object): string {
  return JSON.stringify(value) + SEPARATOR;
}
