/** What the wires share that are not OpenAI's: a talk is answered by its scenario, or given a title. */
import { titleOf, userTextOfTitlePrompt } from '@parley/server/endpoints/demo/title';
import type { ChatMessage, ChatRequest } from '@parley/server/endpoints/demo/request';
import { lastUserText } from '@parley/server/endpoints/demo/request';
import { perform } from './perform.ts';
import type { Frames } from './perform.ts';
import { speech } from './scenario.ts';
import type { Refusal, Speech } from './scenario.ts';
import { playOther } from './wire.ts';
import type { Exchange } from './wire.ts';

export type Talk = { model: string; messages: ChatMessage[]; maxTokens: number | undefined };

export type Dialect = {
  frames(play: Speech): Frames;
  /** The wire's own status and words for a failure. */
  refused(refusal: Refusal): Refusal;
  errorBody(refusal: Refusal): unknown;
};

/** Plays the scenario that a talk chooses, in the frames of a wire. */
export async function answer(exchange: Exchange, talk: Talk, dialect: Dialect): Promise<void> {
  if (asksForTitle(talk)) {
    const request: ChatRequest = { ...talk, stream: true, includeUsage: true, stop: [] };
    exchange.request.scenario = 'title';
    const text = titleOf(userTextOfTitlePrompt(request));
    const play = speech([{ type: 'text', text }]);
    return perform(play, dialect.frames(play), exchange.line);
  }
  const question = lastUserText(talk.messages);
  const play = exchange.play(exchange.choose(talk.model, question), question);
  if (play.kind === 'speech') return perform(play, dialect.frames(play), exchange.line);
  return refuseWith(exchange, play, dialect);
}

/** These wires give an answer more room than a title needs, so that its length tells nothing. */
function asksForTitle({ messages }: Talk): boolean {
  return messages.length === 1 && /^write a title\b/i.test(messages[0]?.text ?? '');
}

/** Plays what is not a speech, in the words of a wire. */
export function refuseWith(
  { line }: Exchange,
  play: Parameters<typeof playOther>[0],
  { refused, errorBody }: Pick<Dialect, 'refused' | 'errorBody'>,
): Promise<void> {
  return playOther(play.kind === 'refusal' ? refused(play) : play, line, errorBody);
}
