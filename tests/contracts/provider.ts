// The contract of every provider, whatever its protocol. The tests call each through its endpoint, with the address and
// key of a configuration, over real HTTP.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reason } from '@parley/schema/reasons';
import { startFakeProvider, scenarioText, type FakeProvider, type ScenarioName } from '@parley/scripts/fake-provider';
import type { Endpoints } from '@parley/server/catalog/endpoint';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hear, openEndpoints, type Setup } from '../support/endpoints.ts';
import { describeNoTools, describeTools, type ToolsLack } from './provider-tools.ts';

export interface ProviderCase {
  /** How the test calls the endpoint. */
  endpoint: string;
  /** The configuration, for the fake provider's address. */
  setup(url: string): Setup;
  /** The model to ask for; by default the scenario is the model. */
  model?: string;
  /**
   * What the protocol cannot express: `finish` is a reason other than length for an early end, `status` the HTTP status
   * of a failure, `offers` tools that are offered to the model, `retry` when to ask again, `quota` that the account is
   * spent, `truncation` that an answer ends before its end.
   */
  lacks?: Lack[];
}

type Lack =
  | 'reasoning'
  | 'tools'
  | 'offers'
  | 'usage'
  | 'finish'
  | 'length'
  | 'truncation'
  | 'retry'
  | 'quota'
  | 'status'
  | ToolsLack;

const asked = 'Wie heißt das? 😀 你好';

export function describeProvider(name: string, given: ProviderCase): void {
  describe(name, () => {
    let provider: FakeProvider;
    let endpoints: Endpoints;
    const { endpoint } = given;
    const has = (part: Lack) => !given.lacks?.includes(part);

    beforeAll(async () => {
      provider = await startFakeProvider();
      endpoints = await openEndpoints(given.setup(provider.url));
    });
    beforeEach(() => provider.clear());
    afterAll(() => provider.close());

    function ask(scenario: string, signal?: AbortSignal) {
      const content = given.model === undefined ? asked : `${asked} [[${scenario}]]`;
      const model = given.model ?? `fake:${scenario}`;
      return hear(endpoints, { endpoint, model, messages: [{ role: 'user', content }], ...(signal && { signal }) });
    }

    function said(scenario: ScenarioName, arg?: string) {
      const suffix = arg === undefined ? '' : `:${arg}`;
      const question = given.model === undefined ? asked : `${asked} [[${scenario}${suffix}]]`;
      return scenarioText(scenario, arg, question);
    }

    it.each<ScenarioName>(['plain', 'echo', 'emoji', 'surrogates', 'unicode', 'null-content', 'big-line'])(
      'says the text of %s, byte for byte',
      async (scenario) => {
        const heard = await ask(scenario);
        expect(heard.reason).toBeNull();
        expect(heard.text === said(scenario)).toBe(true);
        expect(heard.finish).toBe('stop');
      },
    );

    it('says nothing where nothing was said', async () => {
      expect(await ask('empty')).toMatchObject({ text: '', finish: 'stop', reason: null });
    });

    it('tells why an answer ends early', async () => {
      if (has('finish')) expect((await ask('refusal')).finish).toBe('content_filter');
      if (has('length')) expect((await ask('length')).finish).toBe('length');
    });

    if (has('reasoning'))
      it('keeps reasoning apart from the answer', async () => {
        const heard = await ask('reasoning');
        expect(heard.reasoning).toContain('think about it first');
        expect(heard.text).toBe(said('reasoning'));
      });

    if (has('tools'))
      it('tells tool calls with their whole arguments', async () => {
        const heard = await ask('tool');
        const calls = [...heard.tools.values()].map((call) => [call.name, JSON.parse(call.input)]);
        expect(calls).toEqual([
          ['get_weather', { city: 'Berlin' }],
          ['get_time', { zone: 'Europe/Berlin' }],
        ]);
      });

    const withTools = {
      endpoint,
      model: given.model,
      lacks: (part: ToolsLack) => !has(part),
      provider: () => provider,
      endpoints: () => endpoints,
    };
    if (has('tools') && has('offers')) describeTools(withTools);
    else describeNoTools(withTools);

    if (has('usage'))
      it('tells the usage, and none where there is none', async () => {
        const { usage } = await ask('usage');
        expect(usage?.input).toBeGreaterThan(0);
        expect(usage?.output).toBeGreaterThan(1);
        expect((await ask('no-usage')).usage).toBeNull();
        expect((await ask('usage-odd')).usage).toBeNull();
      });

    const statusOf = (status: number) => (has('status') ? status : null);
    const failures: [scenario: string, reason: Reason, unless?: Lack][] = [
      ['error-401', { type: 'invalid_api_key', endpoint }],
      [
        'error-403',
        { type: 'provider_refused', status: 403, text: expect.stringContaining('not have access') },
        'status',
      ],
      ['error-429', { type: 'provider_rate_limited', retryAfterSeconds: 7 }, 'retry'],
      ['quota', { type: 'insufficient_quota', endpoint }, 'quota'],
      ['error-402', { type: 'insufficient_quota', endpoint }, 'quota'],
      ['error-500', { type: 'provider_unavailable', status: statusOf(500) }],
      ['error-503', { type: 'provider_unavailable', status: statusOf(503) }],
      ['error-529', { type: 'provider_unavailable', status: statusOf(529) }],
      [
        'error-404',
        { type: 'provider_refused', status: 404, text: expect.stringContaining('does not exist') },
        'status',
      ],
      ['context-too-long', { type: 'context_too_long', tokens: 9001, window: 8192 }],
      ['html-502', { type: 'provider_unavailable', status: 502 }, 'status'],
      ['cut:0', { type: 'provider_unavailable', status: null }],
    ];

    it.each(failures.filter(([, , unless]) => !unless || has(unless)))(
      '%s before the first word has its reason',
      async (scenario, reason) => {
        const heard = await ask(scenario);
        expect(heard.reason).toMatchObject(reason);
        expect(heard.text).toBe('');
      },
    );

    it.each([
      ['cut', 'provider_broke_off'],
      ['reset', 'provider_broke_off'],
      ['error-midstream', 'provider_unavailable'],
      ['malformed', 'provider_malformed'],
    ])('%s after some words keeps them and has its reason', async (scenario, type) => {
      const heard = await ask(scenario);
      expect(heard.reason?.type).toBe(type);
      expect(heard.text.length).toBeGreaterThan(0);
      expect(said(scenario as ScenarioName).startsWith(heard.text)).toBe(true);
      expect(heard.finish).toBeNull();
    });

    if (has('truncation'))
      it('does not take a stream that just ends for an answer', async () => {
        const heard = await ask('truncated');
        expect(heard).toMatchObject({ text: said('truncated'), finish: null });
      });

    for (const scenario of has('truncation') ? ['html-200', 'json-200'] : [])
      it(`does not take somebody’s page for an answer: ${scenario}`, async () => {
        expect(await ask(scenario)).toMatchObject({ text: '', finish: null });
      });

    it('asks once: what failed is not asked again behind the person’s back', async () => {
      await ask('error-503');
      expect(provider.requests.filter(({ scenario }) => scenario === 'error-503')).toHaveLength(1);
    });

    it.each(['never-ending', 'silent', 'stall'])('closes the connection of %s when it is aborted', async (scenario) => {
      const controller = new AbortController();
      const heard = ask(scenario, controller.signal);
      const request = await provider.waitForRequest((known) => known.scenario === scenario);
      await sleep(50);
      expect(request.closedEarly).toBeUndefined();
      controller.abort();
      await heard;
      await expect.poll(() => request.closedEarly, { interval: 5 }).toBe(true);
    });

    it('ends at once when it was aborted before it began', async () => {
      const { text } = await ask('never-ending', AbortSignal.abort());
      expect(text).toBe('');
      await sleep(20);
      expect(provider.openStreams()).toBe(0);
    });
  });
}
