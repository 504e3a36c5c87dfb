// Every field of every procedure with text that PostgreSQL refuses, values of the wrong kind, and nesting that recursion
// could not bear: refused or accepted, never an internal error.
import { randomUUID } from 'node:crypto';
import { appRouter } from '@parley/server/router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inFullRun } from '../../support/extent.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';

let clients: HttpClients;
let alice: Browser;

beforeAll(async () => {
  clients = await openHttpClients({ env: { MCP_USER_SERVERS: 'on', ASSISTANTS_API_KEY: 'x' } });
  alice = await clients.signUp('alice');
});
afterAll(async () => {
  await alice.close();
  await clients.close();
});

const NESTED = 20_000;
const HOSTILE = [
  '"a\\u0000b"',
  '"\\ud800"',
  `${'['.repeat(NESTED)}${']'.repeat(NESTED)}`,
  ...inFullRun(['"\\u0000"', '-1', '1e999', 'null']),
];
const ORDINARY: Record<string, unknown> = {
  id: randomUUID(),
  conversationId: randomUUID(),
  messageId: randomUUID(),
  generationId: randomUUID(),
  replyId: randomUUID(),
  parentMessageId: null,
  deletionId: randomUUID(),
  forkId: randomUUID(),
  fileId: randomUUID(),
  assistantId: 'asst_unknown',
  actionId: 'unknown',
  operation: 'unknown',
  endpoint: 'openAI',
  model: 'gpt-4',
  name: 'name',
  key: 'google',
  text: 'Hello',
  title: 'Title',
  tool: 'tool',
  isOn: true,
  query: 'word',
  settings: {},
};

/** Procedures that end the session or never answer. */
const LEFT_OUT = /^auth\.|\.changes$|\.attach$|^convos\.title$/;

interface Schema {
  _zod?: { def: { shape?: object; innerType?: Schema; in?: Schema; options?: Schema[] } };
}

it('no procedure answers hostile values with an internal error', async () => {
  const failed: string[] = [];
  for (const [path, procedure] of Object.entries(appRouter._def.procedures)) {
    if (LEFT_OUT.test(path)) continue;
    // tRPC's types hide the schemas that a procedure was made with.
    const { inputs } = (procedure as unknown as { _def: { inputs: Schema[] } })._def;
    const fields = [...new Set(inputs.flatMap(fieldsOf))];
    const given = fields.filter((field) => field in ORDINARY);
    for (const field of fields)
      for (const value of HOSTILE) {
        const others = given.filter((other) => other !== field);
        const pairs = others.map((other) => `${JSON.stringify(other)}:${JSON.stringify(ORDINARY[other])}`);
        const body = `{${[...pairs, `${JSON.stringify(field)}:${value}`].join()}}`;
        if ((await post(path, body)) >= 500) failed.push(`${path}: ${field} ${value.slice(0, 20)}`);
      }
  }
  expect(failed).toEqual([]);
});

it('values inside values are no different', async () => {
  const deep = `${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}`;
  const tool = `{"type":"function","function":{"name":"x","parameters":{"a":${deep}}}}`;
  for (const [path, body] of [
    ['presets.save', `{"title":"t","endpoint":"openAI","model":"gpt-4","settings":{"stop":${deep}}}`],
    ['actions.tryOut', `{"actionId":"x","operation":"y","args":{"a":${deep}}}`],
    ['assistants.create', `{"model":"gpt-4","tools":[${tool}]}`],
  ] as const)
    expect([path, await post(path, body)]).toEqual([path, 422]);
});

async function post(path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${alice.token}`, 'x-app': '1' };
  const answer = await fetch(`http://${clients.host}/trpc/${path}`, { method: 'POST', headers, body });
  await answer.text();
  return answer.status;
}

function fieldsOf(schema: Schema | undefined): string[] {
  const { shape, innerType, in: inner, options = [] } = schema?._zod?.def ?? {};
  return [...Object.keys(shape ?? {}), ...[innerType, inner, ...options].flatMap((one) => (one ? fieldsOf(one) : []))];
}
