// Reads Bing's records leniently: unknown ones are ignored.
import { refuse } from '../../platform/errors.ts';
import type { Delta } from '../../generation/delta.ts';
import { createCumulativeReader } from '../cumulative-text.ts';
import { bingThreadIds, type BingThread } from './thread.ts';
import { isForgotten, reasonOfResult, type LooseResult } from './result.ts';

/** A citation that the next update may complete. */
const BEGUN = /\[(?:\^(?:\d+\^?)?)?$/;

/** One record of the chat. */
export interface LooseFrame {
  type?: number;
  error?: string | null;
  /** Of an update. */
  arguments?: ({ messages?: (LooseMessage | null)[] | null } | null)[] | null;
  /** Of the end. */
  item?: { messages?: (LooseMessage | null)[] | null; result?: LooseResult | null } | null;
}

interface LooseMessage {
  author?: string | null;
  text?: string | null;
  /** Set for searches and the like; absent for an answer. */
  messageType?: string | null;
  messageId?: string | null;
  contentType?: string | null;
  /** `Apology` when Bing withdraws or refuses an answer. */
  contentOrigin?: string | null;
  sourceAttributions?: (LooseSource | null)[] | null;
  suggestedResponses?: ({ text?: string | null } | null)[] | null;
}

export interface ChatReader {
  read(frame: LooseFrame): Generator<Delta>;
  /** `whole` when the answer is complete, `forgotten` when Bing does not know the conversation. */
  end(): 'whole' | 'forgotten' | null;
  hasSpoken(): boolean;
}

/** The answer is cut here, where a model begins to write the user's next turn. */
const NEXT_TURN = '\n\n[user](#message)';

export function createChatReader(
  thread: BingThread,
  { isJailbroken, endpoint }: { isJailbroken: boolean; endpoint: string },
): ChatReader {
  const reply = createCumulativeReader();
  let images = '';
  let isTakenBack = false;
  let end: ReturnType<ChatReader['end']> = null;
  return { read, end: () => end, hasSpoken: () => reply.said() !== '' };

  function* read(frame: LooseFrame): Generator<Delta> {
    if (end !== null) return;
    switch (frame.type) {
      case 1:
        for (const argument of frame.arguments ?? [])
          for (const message of argument?.messages ?? []) yield* readUpdate(message);
        return;
      case 2:
        return yield* readEnd(frame.item ?? {});
      case 7:
        return refuse(reply.said() === '' ? unavailable : { type: 'provider_broke_off' });
    }
  }

  function* readUpdate(message: LooseMessage | null): Generator<Delta> {
    if (message?.author !== 'bot') return;
    if (message.contentType === 'IMAGE' && message.text) images += imageFrame(message.text, message.messageId);
    if (message.messageType || isTakenBack) return;
    if (reply.said() === '') yield { type: 'thread', thread: { ids: bingThreadIds(thread) } };
    yield* say(message, false);
  }

  function* readEnd({ messages, result }: NonNullable<LooseFrame['item']>): Generator<Delta> {
    if (result && isForgotten(result)) {
      if (reply.said() !== '') refuse(unavailable);
      end = 'forgotten';
      return;
    }
    if (result?.value && result.value !== 'Success') refuse(reasonOfResult(result, endpoint));
    const last = messages?.findLast((message) => message?.author === 'bot' && !message.messageType);
    if (last && !isTakenBack) yield* say(last, true);
    const suggestions = (last?.suggestedResponses ?? []).flatMap((one) => (one?.text ? [one.text] : []));
    const position = { ids: bingThreadIds(thread), ...(suggestions.length > 0 && { suggestions }) };
    yield { type: 'thread', thread: position };
    yield { type: 'finish', reason: isTakenBack ? 'content_filter' : 'stop' };
    end = 'whole';
  }

  function* say(message: LooseMessage, isLast: boolean): Generator<Delta> {
    if (message.contentOrigin === 'Apology') isTakenBack = true;
    // Text already sent stays: an apology must not replace it.
    if (isTakenBack && reply.said() !== '') return;
    const text = message.text ?? '';
    const stop = isJailbroken ? text.indexOf(NEXT_TURN) : -1;
    const sources = (message.sourceAttributions ?? []).filter((source) => source !== null);
    const linkedText = linked(stop < 0 ? text : text.slice(0, stop), sources, isLast || stop >= 0);
    yield* reply.read(isLast ? linkedText + sourcesIn(sources) + images : linkedText);
    if (stop < 0 || isLast) return;
    yield { type: 'finish', reason: 'stop' };
    end = 'whole';
  }
}

const unavailable = { type: 'provider_unavailable', status: null } as const;

/** Bing's image creator as an embedded frame; the user's browser displays it only if it passes its own check. */
function imageFrame(prompt: string, messageId: string | null | undefined): string {
  const query = new URLSearchParams({
    partner: 'sydney',
    re: '1',
    showselective: '1',
    sude: '1',
    q: prompt,
    ...(messageId && { iframeid: messageId }),
  });
  return `\n\n<iframe role="presentation" src="https://www.bing.com/images/create?${query.toString()}"></iframe>`;
}

// Turns Bing's citations into links: the text has `[^1^]`, and the addresses come separately.

interface LooseSource {
  providerDisplayName?: string | null;
  seeMoreUrl?: string | null;
}

/** The text with citations as links; one without a known source stays as it is. */
function linked(text: string, sources: readonly LooseSource[], isLast: boolean): string {
  const whole = isLast ? text : text.replace(BEGUN, '');
  return whole.replace(/\[\^(\d+)\^\]/g, (citation: string, number: string) => {
    const url = addressOf(sources[Number(number) - 1]);
    return url === null ? citation : ` [[${number}]](${url})`;
  });
}

/** The sources as a line of links after the answer; empty when there are none. */
function sourcesIn(sources: readonly LooseSource[]): string {
  const links = sources.flatMap((source, index) => {
    const url = addressOf(source);
    return url === null ? [] : [`[${index + 1}. ${nameOf(source, url)}](${url})`];
  });
  return links.length === 0 ? '' : `\n\nLearn more: ${links.join(' ')}`;
}

function addressOf(source: LooseSource | undefined): string | null {
  const given = source?.seeMoreUrl ?? '';
  if (!/^https?:/i.test(given) || !URL.canParse(given)) return null;
  return new URL(given).href.replaceAll('(', '%28').replaceAll(')', '%29');
}

function nameOf({ providerDisplayName }: LooseSource, url: string): string {
  const name = (providerDisplayName ?? '').replaceAll('[', '(').replaceAll(']', ')');
  // Not escaped: a backslash before a bracket would begin a formula.
  return name.replace(/[\s\\`*_<>$]+/g, ' ').trim() || new URL(url).hostname;
}
