// Asks for a research and starts its plan, as a browser does; and a web to search, whose pages say what a test wants.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AskInput } from '@parley/schema/chat/ask';
import { PLAN_CALL, readShownPlan, type ShownPlan } from '@parley/schema/chat/research';
import { blockOfCall } from '@parley/schema/artifacts/artifact-call';
import { findArtifacts } from '@parley/schema/artifacts/find-artifacts';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type LoopCall, type Message } from '@parley/schema/messages/messages';
import { exchange, question } from '../../support/exchange.ts';
import type { TestServices } from '../../support/services.ts';

export interface FakeWeb {
  url: string;
  /** What was searched for. */
  searches: string[];
  /** The paths that were opened. */
  opened: string[];
  /** What each result and each page says. */
  says: string;
  close(): Promise<void>;
}

/** A SearXNG, and the pages that it finds. */
export async function startWeb(): Promise<FakeWeb> {
  const web: FakeWeb = { url: '', searches: [], opened: [], says: 'There are 42 of them.', close };
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://web.example');
    if (pathname === '/search') {
      const query = searchParams.get('q') ?? '';
      web.searches.push(query);
      const n = web.searches.length;
      const results = [1, 2].map((k) => ({ title: `${query} ${k}`, url: `${web.url}/${n}/${k}`, content: web.says }));
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
    }
    web.opened.push(request.url ?? '');
    return response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(web.says);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  web.url = `http://127.0.0.1:${port}`;
  return web;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

let asked = 0;

/** A question for a report; `options` are those of the scenario `research`. */
export function researchAsk(options: string, over: Partial<AskInput> = {}): AskInput {
  asked += 1;
  return question(`What of the parts, number ${asked}? [[research:${options}]]`, {
    model: 'gpt-4',
    research: {},
    ...over,
  });
}

export function planOf({ reply }: Pick<FinalEvent, 'reply'>): ShownPlan {
  const plan = readShownPlan(callsOf(reply).find(({ id }) => id === PLAN_CALL)?.input ?? '');
  if (!plan) throw new Error('The reply shows no plan');
  return plan;
}

/** Starts the plan of a reply, changed by `over`. */
export function started(planned: Pick<FinalEvent, 'convo' | 'reply'>, over: Partial<ShownPlan> = {}): AskInput {
  const { convo, reply } = planned;
  const { version, steps, budget } = { ...planOf(planned), ...over };
  return {
    ...question('', { model: 'gpt-4', settings: convo.settings }),
    generationId: randomUUID(),
    conversationId: convo.conversationId,
    replyId: reply.messageId,
    research: { start: { version, steps, budget } },
    target: { kind: 'resume', messageId: reply.messageId, decisions: { [PLAN_CALL]: 'allow' } },
  };
}

/** Plans a research and carries it out, to its end. */
export async function researched(
  services: TestServices,
  userId: string,
  options: string,
  over: Partial<ShownPlan> = {},
): Promise<{ planned: FinalEvent; final: FinalEvent }> {
  const planned = await exchange(services, userId, researchAsk(options));
  return { planned, final: await exchange(services, userId, started(planned, over)) };
}

export function callsOf({ parts }: Pick<Message, 'parts'>): LoopCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

/** The calls that show the steps of a plan. */
export function stepsOf(reply: Pick<Message, 'parts'>): LoopCall[] {
  return callsOf(reply).filter(({ name }) => name === 'research_step');
}

export function reportOf(reply: Pick<Message, 'parts'>): string {
  const blocks = callsOf(reply).flatMap((call) => blockOfCall(call) ?? []);
  const [report] = findArtifacts([messageText(reply), ...blocks]).filter(({ kind }) => kind === 'markdown');
  return report?.source ?? '';
}
