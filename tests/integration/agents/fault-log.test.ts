// What the operator's log has of answers with tools: one line for a tool that is broken, none for what people cause.
import { isLoopCall } from '@parley/schema/messages/messages';
import { createServices, type Services } from '@parley/server/services';
import { callService, ServiceFailure } from '@parley/server/tools/call-service';
import { runForOutcome } from '@parley/server/tools/outcome';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type TestServices } from '../../support/services.ts';
import { createGate, createTool, sourceOf } from '../../support/tools/agents.ts';

let base: TestServices;
let services: Services;
let userId: string;
let gate = createGate();
const lines: string[] = [];

const tools = sourceOf(
  createTool('broken', { run: () => Promise.reject(new TypeError('It is not a function')) }),
  createTool('refused', {
    run: () => runForOutcome(() => Promise.reject(new ServiceFailure('The service answers with status 500.'))),
  }),
  createTool('unreachable', {
    run: (call) =>
      runForOutcome(() =>
        callService(
          { name: 'Search', secrets: [], egress: null },
          { url: 'http://127.0.0.1:1/find', query: { key: 'a secret key' }, signal: call.signal },
        ),
      ),
  }),
  createTool('slow', { run: (call) => gate.run(call) }),
);

beforeAll(async () => {
  base = await openTestServices({ OPENAI_MODELS: 'gpt-4' });
  const { config, secrets, db } = base.deps;
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  services = await createServices({ config, secrets, db, log, demo: null, toolSources: [tools] });
  ({ id: userId } = await base.as('alice'));
});
afterAll(async () => {
  await services.close();
  await base.close();
});

function asking(tool: string) {
  const text = `Use it: call ${tool} {"input":"private words"}\n[[tool-steps]]`;
  return question(text, { model: 'gpt-4', settings: { tools: [tool] } });
}

it('has one line for a tool that throws, with ids and without content', async () => {
  lines.length = 0;
  const input = asking('broken');
  const { reply } = await exchange({ ...base, deps: services.deps }, userId, input);
  expect(reply.parts.find(isLoopCall)?.call).toMatchObject({
    state: 'failed',
    output: 'error processing tool: The tool failed unexpectedly.',
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'tool.failed',
    generationId: input.generationId,
    userId,
    error: 'TypeError',
  });
  expect(lines.join('')).not.toContain('private words');
});

it('has one for a service that fails, with its host and without content or secrets', async () => {
  lines.length = 0;
  const input = asking('unreachable');
  await exchange({ ...base, deps: services.deps }, userId, input);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    event: 'tool.service_failed',
    generationId: input.generationId,
    userId,
    tool: 'unreachable',
    host: '127.0.0.1:1',
    status: null,
    ms: expect.any(Number),
  });
  expect(lines.join('')).not.toMatch(/private words|secret key/);
});

it("has none for what is no service's fault, or a tool that a person stops", async () => {
  lines.length = 0;
  await exchange({ ...base, deps: services.deps }, userId, asking('refused'));
  gate = createGate();
  const input = asking('slow');
  await services.deps.askService.ask(userId, input);
  await gate.begun;
  const stopped = await services.deps.askService.stop(userId, input.generationId);
  expect(stopped?.reply.parts.find(isLoopCall)?.call.state).toBe('stopped');
  expect(lines).toEqual([]);
});
