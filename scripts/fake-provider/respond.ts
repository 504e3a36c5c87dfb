/** Shared by the protocols other than OpenAI's: answers a conversation with its scenario, or with a title. */
import { demoTitle, userTextOfTitlePrompt } from '@parley/server/providers/demo/title';
import { lastUserText, type Turn } from '@parley/server/providers/demo/turns';
import { streamScript } from './stream-script.ts';
import type { Frames } from './stream-script.ts';
import { scriptedStream } from './scenario.ts';
import type { Refusal, StreamScript } from './scenario.ts';
import type { ToolsInRequest } from './tools/tools-in-request.ts';
import { respondWhole } from './protocol.ts';
import type { FakeCall } from './protocol.ts';

export type Talk = {
  model: string;
  messages: Turn[];
  maxTokens: number | undefined;
  /** Absent in protocols without tools. */
  tools?: ToolsInRequest;
};

export type Dialect = {
  frames(script: StreamScript): Frames;
  /** The protocol's own status and error text. */
  refused(refusal: Refusal): Refusal;
  errorBody(refusal: Refusal): unknown;
};

/** Plays the scenario that a conversation selects, in a protocol's frames. */
export async function respondAsScripted(exchange: FakeCall, talk: Talk, dialect: Dialect): Promise<void> {
  if (asksForTitle(talk)) {
    exchange.request.scenario = 'title';
    const text = demoTitle(userTextOfTitlePrompt(talk.messages));
    const script = scriptedStream([{ type: 'text', text }]);
    return streamScript(script, dialect.frames(script), exchange.line);
  }
  const question = lastUserText(talk.messages);
  const script = exchange.script(exchange.choose(talk.model, question), question, talk.tools);
  if (script.kind === 'stream') return streamScript(script, dialect.frames(script), exchange.line);
  return refuseWith(exchange, script, dialect);
}

/**
 * Detects title requests by their text: these protocols allow more tokens than a title needs, so the limit is no
 * sign of one.
 */
function asksForTitle({ messages }: Talk): boolean {
  return messages.length === 1 && /^write a title\b/i.test(messages[0]?.text ?? '');
}

/** Plays a scenario that is not a stream, with the protocol's errors. */
export function refuseWith(
  { line }: FakeCall,
  script: Parameters<typeof respondWhole>[0],
  { refused, errorBody }: Pick<Dialect, 'refused' | 'errorBody'>,
): Promise<void> {
  return respondWhole(script.kind === 'refusal' ? refused(script) : script, line, errorBody);
}
