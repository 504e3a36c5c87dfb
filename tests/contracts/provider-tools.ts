// The contract of providers whose models call tools: what they are sent, how calls arrive, and how results go back.
import type { FakeProvider } from '@parley/scripts/fake-provider';
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { Endpoints } from '@parley/server/catalog/endpoint';
import type { Delta } from '@parley/server/generation/delta';
import type { ChatMessage, FinishedCall } from '@parley/server/providers/provider';
import type { ToolSpec } from '@parley/server/providers/tool-spec';
import { describe, expect, it } from 'vitest';
import { hear, type Heard, type Question } from '../support/endpoints.ts';
import { foreignTools } from '../support/tools/foreign/foreign-tools.ts';

export interface ToolCase {
  endpoint: string;
  /** Undefined where the scenario is the model. */
  model: string | undefined;
  lacks: (part: ToolsLack) => boolean;
  /** Both are there when the tests run. */
  provider(): FakeProvider;
  endpoints(): Endpoints;
}

/**
 * What a protocol cannot express: `broken-arguments` arguments that are no JSON, `tool-errors` whether a result is an
 * error, `signatures` anything that goes back with calls.
 */
export type ToolsLack = 'broken-arguments' | 'tool-errors' | 'signatures';

const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
const tools: ToolSpec[] = [
  { name: 'calculator', description: 'Calculates.', parameters },
  { name: 'web_page', description: 'Reads a page.', parameters },
];
/** No provider but OpenAI takes these names. */
const searching: ToolSpec = {
  name: '2nd_search',
  description: 'Searches.',
  parameters: {
    type: 'object',
    properties: { 'filter[name]': { type: 'string' }, $top: { type: 'integer' } },
    required: ['filter[name]', '$top'],
    oneOf: [{ required: ['$top'] }],
  },
};
const image = { mime: 'image/png', data: 'AAAA', detail: 'auto' as const };

type Answered = Pick<FinishedCall, 'output'> & Partial<FinishedCall>;

export function describeTools(given: ToolCase): void {
  describe('with tools', () => {
    function ask(scenario: string, messages: ChatMessage[], more: Partial<Question> = {}, deltas: Delta[] = []) {
      const { endpoint, model = `fake:${scenario}` } = given;
      return hear(given.endpoints(), { endpoint, model, messages, tools, ...more }, (delta) => deltas.push(delta));
    }

    function question(scenario: string, text: string): ChatMessage {
      return { role: 'user', content: given.model === undefined ? text : `${text}\n[[${scenario}]]` };
    }

    const lastRequest = () => given.provider().requests.findLast(({ tools: asked }) => asked);
    const count = (scenario: string) =>
      given.provider().requests.filter(({ scenario: its }) => its === scenario).length;

    it('offers them, and tells a call with its arguments', async () => {
      const heard = await ask('tool-steps', [question('tool-steps', 'call calculator {"input":"2+2"}')]);
      expect(heard).toMatchObject({ text: '', finish: 'tool_calls', reason: null });
      expect(callsOf(heard)).toEqual([['calculator', { input: '2+2' }]]);
      expect([...heard.tools.values()]).toEqual([
        expect.objectContaining({ kind: 'function', output: null, progress: 0.1, state: 'writing' }),
      ]);
      expect(lastRequest()?.tools).toEqual({ offered: tools, mayCall: true, steps: [] });
    });

    it('gives results back, step by step, and tells the answer from them', async () => {
      const asked = question('tool-steps', 'call calculator {"input":"2+2"}\ncall web_page {"input":"http://a/"}');
      const first = await ask('tool-steps', [asked]);
      const one = stepOf(first, [{ output: '4' }]);
      const second = await ask('tool-steps', [asked, one]);
      expect(callsOf(second)).toEqual([['web_page', { input: 'http://a/' }]]);
      const settings = { promptPrefix: 'Be brief.' };
      const last = await ask('tool-steps', [asked, one, stepOf(second, [{ output: 'Page' }])], { settings });
      expect(last).toMatchObject({ text: 'The tools say:\n- calculator: 4\n- web_page: Page', finish: 'stop' });
      expect(last.reason).toBeNull();
    });

    it('tells parallel calls apart, and gives their results back together', async () => {
      const asked = question('tool-parallel', 'call web_page {"input":"a"} call web_page {"input":"b"}');
      const first = await ask('tool-parallel', [asked]);
      expect(callsOf(first)).toEqual([
        ['web_page', { input: 'a' }],
        ['web_page', { input: 'b' }],
        ['web_page', { input: 'a' }],
      ]);
      const results = [{ output: 'A' }, { output: 'B' }, { output: 'A again' }];
      const last = await ask('tool-parallel', [asked, stepOf(first, results)]);
      expect(last.text).toBe('The tools say:\n- web_page: A\n- web_page: B\n- web_page: A again');
      expect(lastRequest()?.tools?.steps).toHaveLength(1);
    });

    it('takes earlier answers with calls of the same ids, and words beside calls', async () => {
      const messages: ChatMessage[] = [
        { role: 'user', content: 'First.' },
        {
          role: 'assistant',
          content: 'Let me see.',
          calls: [finished({ output: '1' }), finished({ id: '0:1', output: '2' })],
        },
        { role: 'assistant', content: '', calls: [finished({ id: '1:0', output: '3' })] },
        { role: 'assistant', content: 'It is 3.' },
        question('tool-steps', 'call calculator {"input":"2+2"}'),
        { role: 'assistant', content: 'Again.', calls: [finished({ output: '4' })] },
      ];
      expect(await ask('tool-steps', messages)).toMatchObject({
        text: 'The tools say:\n- calculator: 4',
        reason: null,
      });
    });

    it('takes the tools of strangers, and tells and shows their arguments by the real names', async () => {
      const asked = question('tool-steps', 'Use a tool.');
      const strangers = [searching, ...foreignTools().slice(0, 100)];
      const first = await ask('tool-steps', [asked], { tools: strangers });
      expect(first.reason).toBeNull();
      expect(callsOf(first)).toEqual([['2nd_search', { 'filter[name]': 'x', $top: 1 }]]);
      const last = await ask('tool-steps', [asked, stepOf(first, [{ output: 'Found.' }])], { tools: strangers });
      const { offered, steps } = lastRequest()?.tools ?? { offered: [], steps: [] };
      expect(last.text).toBe(`The tools say:\n- ${offered[0]?.name}: Found.`);
      const shown = JSON.parse(steps[0]?.calls[0]?.input ?? '{}') as object;
      expect(offered[0]?.parameters).toMatchObject({ required: Object.keys(shown) });
    });

    it('says that a tool failed', async () => {
      const asked = question('tool-steps', 'call calculator {"input":"1/0"}');
      const first = await ask('tool-steps', [asked]);
      const last = await ask('tool-steps', [asked, stepOf(first, [{ output: 'No.', isError: true }])]);
      expect(last.text).toContain('No.');
      if (!given.lacks('tool-errors')) expect(last.text).toContain('calculator failed: No.');
    });

    it('shows images of results', async () => {
      const asked = question('tool-steps', 'call calculator {"input":"plot"}');
      const first = await ask('tool-steps', [asked]);
      const last = await ask('tool-steps', [asked, stepOf(first, [{ output: 'Drawn.', images: [image] }])]);
      expect(last.text).toBe('The tools say:\n- calculator: Drawn.\n[saw image/png of 3 bytes]');
    });

    it('forbids further calls where it is told so', async () => {
      const asked = question('tool-endless', 'call calculator {"input":"1"}');
      const first = await ask('tool-endless', [asked]);
      const step = stepOf(first, [{ output: '1' }]);
      expect((await ask('tool-endless', [asked, step])).finish).toBe('tool_calls');
      const last = await ask('tool-endless', [asked, step], { toolChoice: 'none' });
      expect(last).toMatchObject({ text: 'The tools say:\n- calculator: 1', finish: 'stop' });
    });

    it('shows calls of earlier answers where nothing is offered any more', async () => {
      const messages = [question('tool-steps', 'Hello.'), stepOf(null, [{ output: '4' }])];
      expect(await ask('tool-steps', messages, { tools: [] })).toMatchObject({
        text: 'The tools say:\n- calculator: 4',
        reason: null,
      });
    });

    it('tells long arguments once', async () => {
      const deltas: Delta[] = [];
      const asked = question('tool-long-arguments', 'call calculator {"input":"abc"}');
      const heard = await ask('tool-long-arguments', [asked], {}, deltas);
      expect(callsOf(heard)).toEqual([['calculator', { input: 'abc'.repeat(7_000).slice(0, 20_000) }]]);
      expect(deltas.filter(({ type }) => type === 'tool')).toHaveLength(1);
      const told = deltas.map((delta) => (delta.type === 'input' ? delta.text.length : 0));
      expect(told.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual('{"input":""}'.length + 20_000);
    });

    it('tells arguments that are no JSON as they are', async () => {
      const asked = question('tool-bad-json', 'call calculator {"input":"2+2"}');
      const heard = await ask('tool-bad-json', [asked]);
      if (given.lacks('broken-arguments')) return expect(heard.reason).toEqual({ type: 'provider_malformed' });
      expect([...heard.tools.values()].map(({ input }) => input)).toEqual(['{"input":"2+2",']);
      const step = stepOf(heard, [{ input: '{}', output: 'Not JSON.', isError: true }]);
      expect(callsOf(await ask('tool-bad-json', [asked, step]))).toEqual([['calculator', { input: '2+2' }]]);
    });

    it('tells calls of tools that were not offered', async () => {
      const heard = await ask('tool-unknown', [question('tool-unknown', 'Hello.')]);
      expect([...heard.tools.values()].map(({ name }) => name)).toEqual(['no_such_tool']);
    });

    it('skips what it does not know between calls', async () => {
      const call = (index: number) => ({
        type: 'tool' as const,
        call: { index, id: `call_${index}`, name: 'calculator', pieces: ['{"input":', `"${index}"}`] },
      });
      const odd = { type: 'odd' as const };
      given.provider().script('scripted', {
        about: 'calls among unusual events',
        script: () =>
          scriptedStream([odd, ...textSteps('Well. '), call(0), odd, call(1), odd], { finish: 'tool_calls' }),
      });
      const heard = await ask('scripted', [question('scripted', 'Hello.')]);
      expect(callsOf(heard)).toEqual([
        ['calculator', { input: '0' }],
        ['calculator', { input: '1' }],
      ]);
      expect(heard).toMatchObject({ finish: 'tool_calls', reason: null });
    });

    if (!given.lacks('signatures')) describeSignatures();

    function describeSignatures() {
      const text = 'call calculator {"input":"1"}\ncall calculator {"input":"2"}';

      it('gives back what is signed, unchanged', async () => {
        const asked = question('tool-signed', text);
        const first = await ask('tool-signed', [asked]);
        const one = stepOf(first, [{ output: '1' }]);
        const second = await ask('tool-signed', [asked, one]);
        expect(second.reason).toBeNull();
        const last = await ask('tool-signed', [asked, one, stepOf(second, [{ output: '2' }])]);
        expect(last).toMatchObject({ text: 'The tools say:\n- calculator: 1\n- calculator: 2', reason: null });
        expect(count('tool-signed')).toBe(3);
        const { type, name } = given.endpoints().assert(given.endpoint);
        expect(name).toBe(given.endpoint);
        const signatures = [first.signatures, [...first.tools.values()].flatMap(({ seal }) => seal ?? [])].flat();
        const model = given.model ?? 'fake:tool-signed';
        expect(signatures).toEqual([{ endpointType: type, model, data: expect.any(String) }]);
      });

      it('asks once more without signatures that are refused', async () => {
        const scenario = 'tool-signed:lenient';
        const asked = question(scenario, text);
        // The first step has the signature of the second.
        const first = await ask(scenario, [asked]);
        const second = await ask(scenario, [asked, stepOf(first, [{ output: '1' }])]);
        given.provider().clear();
        const last = await ask(scenario, [asked, stepOf(second, [{ output: '1' }])]);
        expect(last).toMatchObject({ finish: 'tool_calls', reason: null });
        expect(count(scenario)).toBe(2);
        expect(lastRequest()?.tools?.steps).toEqual([expect.objectContaining({ isUnsigned: true })]);
      });

      it('does not ask a third time', async () => {
        const asked = question('tool-signed', text);
        const first = await ask('tool-signed', [asked]);
        const second = await ask('tool-signed', [asked, stepOf(first, [{ output: '1' }])]);
        given.provider().clear();
        const last = await ask('tool-signed', [asked, stepOf(second, [{ output: '1' }])]);
        expect(last.reason).toMatchObject({ type: 'provider_refused', status: 400 });
        expect(count('tool-signed')).toBe(2);
      });
    }
  });
}

/** Providers without tools: a request with tools is the same as one without. */
export function describeNoTools({ endpoint, model = 'fake:plain', provider, endpoints }: ToolCase): void {
  it('leaves tools out', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: 'Hello.' }];
    const bodies = async (more: Partial<Question>) => {
      provider().clear();
      expect((await hear(endpoints(), { endpoint, model, messages, ...more })).reason).toBeNull();
      const bodies = provider().requests.flatMap(({ path, body }) => (path === '/token' ? [] : [JSON.stringify(body)]));
      return bodies.map((body) => body?.replaceAll(/[0-9a-f-]{32,36}|\d+/g, 'id'));
    };
    const without = await bodies({});
    expect(without.length).toBeGreaterThan(0);
    expect(await bodies({ tools })).toEqual(without);
  });
}

function callsOf({ tools: calls }: Heard): [string, unknown][] {
  return [...calls.values()].map(({ name, input }) => [name, JSON.parse(input)]);
}

/** The message of a step, as the loop makes it: with its own ids. */
function stepOf(heard: Heard | null, results: Answered[]): ChatMessage {
  const calls = heard ? [...heard.tools.values()] : [];
  return {
    role: 'assistant',
    content: heard?.text ?? '',
    calls: results.map((result, n) => {
      const { name = 'calculator', input = '{"input":"x"}', seal } = calls[n] ?? {};
      return finished({ id: `0:${n}`, name, input, ...(seal && { signature: seal.data }), ...result });
    }),
    signatures: heard?.signatures.map(({ data }) => data) ?? [],
  };
}

function finished(call: Answered): FinishedCall {
  return { id: '0:0', name: 'calculator', input: '{"input":"x"}', isError: false, ...call };
}
