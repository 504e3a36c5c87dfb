// Services of tools that fail in every way: the model is told a sentence, and the answer goes on.
import { isLoopCall, messageText, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { createEgress } from '@parley/server/platform/egress';
import { callServiceForJson } from '@parley/server/tools/call-service';
import { runForOutcome } from '@parley/server/tools/outcome';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

const SECRET = 'the-key-of-the-service';

let services: TestServices;
let upstreams: PluginUpstreams;
let alice: Person;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4' }, { toolStopMs: 100 }, undefined, [
    sourceOf(serviceTool('own', null), serviceTool('foreign', createEgress(['127.0.0.1']))),
  ]);
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await upstreams.close();
});

/** Asks the service as plugins do, at an address of the operator or, through the guard, of a person. */
function serviceTool(name: string, egress: ReturnType<typeof createEgress> | null) {
  return createTool(name, {
    run: ({ args, signal }) =>
      runForOutcome(async () => {
        const isSilent = args.input === 'fake:hang';
        const request = { url: `${upstreams.url}/search`, body: { query: args.input, api_key: SECRET }, signal };
        const service = { name: 'The service', secrets: [SECRET], egress };
        return JSON.stringify(
          await callServiceForJson(service, z.object({ query: z.string() }), {
            ...request,
            timeoutMs: isSilent ? 1000 : 30_000,
          }),
        );
      }),
  });
}

let asked = 0;

async function answerWith(
  tool: string,
  word: string,
): Promise<{ call: ToolCall | undefined; reply: Message; told: string }> {
  asked += 1;
  const text = `Number ${asked}: call ${tool} ${JSON.stringify({ input: word })}\n[[tool-steps]]`;
  const { reply } = await exchange(services, alice.id, question(text, { model: 'gpt-4', settings: { tools: [tool] } }));
  return { call: reply.parts.find(isLoopCall)?.call, reply, told: messageText(reply) };
}

describe.each(['own', 'foreign'])('a service at an address of %s kind', (tool) => {
  it.each([
    ['fake:large', 'The service answers with more than is read.'],
    ['fake:reset', 'The service cannot be reached.'],
    ['fake:redirect', 'The service answers with status 302.'],
    ['fake:html', 'The service answers in a form that is not understood: Welcome'],
    ['fake:hang', 'The service did not answer within 1 seconds.'],
    ['fake:refuse', 'The service answers with status 401: {"error":"The key … is not valid"}'],
  ])('that does %s is a sentence to the model, which goes on', async (word, sentence) => {
    const { call, reply, told } = await answerWith(tool, word);
    expect(call).toMatchObject({ state: 'failed', output: `error processing tool: ${sentence}`, progress: 1 });
    expect(told).toContain(`error processing tool: ${sentence}`);
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null, unfinished: false });
    expect(JSON.stringify(reply)).not.toContain(SECRET);
  });
});
