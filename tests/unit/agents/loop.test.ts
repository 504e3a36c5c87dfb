import type { Delta } from '@parley/server/generation/delta';
import { Refusal } from '@parley/server/platform/errors';
import type { ToolCall } from '@parley/schema/messages/messages';
import { describe, expect, it } from 'vitest';
import { calling, createGate, createTool, play, saying, type Script } from '../../support/tools/agents.ts';

const echo = createTool('echo');
const input = (text: string) => JSON.stringify({ input: text });
/** One step of calls, then words. */
const once =
  (...calls: [string, string][]): Script =>
  (_step, nth) =>
    nth === 0 ? calling(...calls) : saying('Done.');

function finishOf(deltas: readonly Delta[]) {
  return deltas.flatMap((delta) => (delta.type === 'finish' ? delta.reason : []));
}

describe('a reply without calls', () => {
  it('passes through, after one word that the model is asked', async () => {
    const { deltas, asked } = await play(() => saying('Hello.'), [echo]);
    expect(deltas).toEqual([{ type: 'asking' }, ...saying('Hello.')]);
    expect(asked).toEqual([{ messages: [{ role: 'user', content: 'Question' }] }]);
  });

  it('has no finish reason when it breaks off', async () => {
    const { deltas } = await play(() => [{ type: 'text', text: 'Half' }], [echo]);
    expect(finishOf(deltas)).toEqual([]);
  });
});

describe('calls', () => {
  it('are carried out, and their results are sent to the model in the next step', async () => {
    const script: Script = (_step, nth) => {
      if (nth === 0) return calling(['echo', input('a')], ['echo', input('b')]);
      return nth === 1 ? calling(['echo', input('c')]) : saying('Done.');
    };
    const { asked, calls, deltas } = await play(script, [echo]);
    expect([...calls.keys()]).toEqual(['0:0', '0:1', '1:0']);
    expect(calls.get('0:1')).toMatchObject({
      state: 'done',
      step: 0,
      input: input('b'),
      output: 'echo says b',
      progress: 1,
      from: { source: 'plugin', id: 'echo' },
      isRepeatable: true,
    });
    expect(asked[2]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'Let me see.', calls: [{ output: 'echo says a' }, { output: 'echo says b' }] },
      { role: 'assistant', calls: [{ output: 'echo says c', isError: false }] },
    ]);
    expect(finishOf(deltas)).toEqual(['stop']);
  });

  it('stream as text while their arguments are written, also from a provider that sends them whole', async () => {
    const whole = (text: string): Delta => ({
      type: 'tool',
      call: { id: 'x', kind: 'function', name: 'echo', input: text, output: null, progress: 0.1 },
    });
    const pieces = ['{"in', '{"input":"', '{"input":"a"}'].map(whole);
    const { deltas, calls } = await play(
      (_step, nth) => (nth === 0 ? [...pieces, { type: 'finish', reason: 'tool_calls' }] : saying('Done.')),
      [echo],
    );
    expect(deltas.slice(1, 4)).toMatchObject([
      { type: 'tool', call: { id: '0:0', input: '{"in', state: 'writing' } },
      { type: 'input', id: '0:0', text: 'put":"' },
      { type: 'input', id: '0:0', text: 'a"}' },
    ]);
    expect(calls.get('0:0')).toMatchObject({ state: 'done', input: '{"input":"a"}' });
  });

  it('are marked as running in the database before any of them begins', async () => {
    const order: string[] = [];
    const tool = createTool('echo', {
      run: async () => {
        order.push('run');
        return { type: 'done', text: '' };
      },
    });
    const flush = async () => {
      order.push('flush');
      return order.length > 1;
    };
    await play(once(['echo', input('a')], ['echo', input('b')]), [tool], { flush });
    expect(order).toEqual(['flush', 'flush', 'run', 'run']);
  });

  it('run four at a time, and the others follow', async () => {
    let running = 0;
    let most = 0;
    const tool = createTool('echo', {
      run: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return { type: 'done', text: '' };
      },
    });
    const six = Array.from({ length: 6 }, (_, n): [string, string] => ['echo', input(String(n))]);
    const { calls } = await play(once(...six), [tool]);
    expect(most).toBe(4);
    expect([...calls.values()].map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'done'));
  });

  it('the usage is passed on as the meter of the calls tells it', async () => {
    const { deltas } = await play(once(['echo', input('a')]), [echo]);
    expect(deltas.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', input: 10, output: 5 },
      { type: 'usage', input: 20, output: 3 },
    ]);
  });

  it('keep the signatures of their provider', async () => {
    const signature = { endpointType: 'google' as const, model: 'gemini', data: 'sealed' };
    const script: Script = (_step, nth) => {
      if (nth > 0) return saying('Done.');
      const [text, begun, ...rest] = calling(['echo', input('a')]) as [Delta, Delta, ...Delta[]];
      return [
        text,
        { type: 'signature', signature: { ...signature, data: 'thought' } },
        begun,
        { type: 'signature', id: 'call-0', signature },
        ...rest,
      ];
    };
    const { asked, calls, deltas } = await play(script, [echo]);
    expect(calls.get('0:0')?.seal).toEqual(signature);
    expect(deltas).toContainEqual({ type: 'signature', id: '0:0', signature });
    expect(asked[1]?.messages[1]).toMatchObject({ signatures: ['thought'] });
  });

  it('are only shown when the provider carries them out itself', async () => {
    const own: ToolCall = { id: 'search', kind: 'retrieval', name: 'search', input: '', output: null, progress: 0.5 };
    const { asked, deltas } = await play(() => [{ type: 'tool', call: own }, ...saying('Found.')], [echo]);
    expect(deltas).toContainEqual({ type: 'tool', call: own });
    expect(asked).toHaveLength(1);
  });
});

describe('errors are reported to the model, which goes on', () => {
  const failing = createTool('failing', { run: async () => ({ type: 'failed', text: 'No such city.' }) });
  const throwing = createTool('throwing', { run: () => Promise.reject(new Error('secret host')) });
  const strict = createTool('strict', {
    parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  });

  it.each([
    ['an unknown tool', ['nowhere', '{}'], 'There is no tool named nowhere.'],
    ['broken JSON', ['echo', '{"input":'], 'The arguments are not a JSON object.'],
    ['JSON of no object', ['echo', '[1]'], 'The arguments are not a JSON object.'],
    ['missing arguments', ['strict', '{}'], 'The arguments do not fit.'],
    ['arguments that are too long', ['echo', input('x'.repeat(100))], 'The arguments are too long.'],
    ['a failure', ['failing', '{}'], 'No such city.'],
    ['an error of the tool, without its words', ['throwing', '{}'], 'The tool failed unexpectedly.'],
  ] as [string, [string, string], string][])('%s', async (_what, call, sentence) => {
    const over = { limits: { inputChars: 60 } };
    const { asked, calls, deltas } = await play(once(call), [echo, failing, throwing, strict], over);
    expect(calls.get('0:0')).toMatchObject({ state: 'failed', progress: 1 });
    expect(calls.get('0:0')?.output).toContain(`error processing tool: ${sentence}`);
    expect(asked[1]?.messages[1]?.calls).toMatchObject([{ isError: true }]);
    expect(finishOf(deltas)).toEqual(['stop']);
  });

  it('a call that takes too long', async () => {
    const gate = createGate();
    const slow = createTool('slow', { run: gate.run, limits: { timeoutMs: 20, outputChars: 100 } });
    const { calls } = await play(once(['slow', '{}']), [slow]);
    expect(calls.get('0:0')).toMatchObject({ state: 'failed', output: expect.stringContaining('It took longer than') });
    expect(gate.isStopped()).toBe(true);
  });

  it('the third call with the same arguments, whatever their spaces', async () => {
    const script: Script = (_step, nth) =>
      nth < 3 ? calling(['echo', nth === 1 ? '{ "input": "a" }' : input('a')]) : saying('Done.');
    const { calls } = await play(script, [echo]);
    expect([...calls.values()].map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
  });

  it('more calls than one reply or one minute allows', async () => {
    const many: Script = (_step, nth) =>
      nth === 0 ? calling(['echo', input('a')], ['echo', input('b')], ['echo', input('c')]) : saying('Done.');
    const { calls, asked } = await play(many, [echo], { limits: { calls: 2 } });
    expect([...calls.values()].map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
    expect(asked[1]?.toolChoice).toBe('none');
    const limited = await play(once(['echo', input('a')]), [echo], { countCall: async () => 7 });
    expect(limited.calls.get('0:0')?.output).toContain('Try again in 7 seconds.');
  });

  it('a refusal of a tool ends the reply instead', async () => {
    const broke = createTool('broke', { run: () => Promise.reject(new Refusal({ type: 'unavailable' })) });
    await expect(play(once(['broke', '{}']), [broke])).rejects.toMatchObject({ reason: { type: 'unavailable' } });
  });

  it('a chosen tool that cannot be offered is reported to the reader alone', async () => {
    const from = { source: 'mcp' as const, id: 'm', label: 'Calendar' };
    const { deltas, asked } = await play(() => saying('Hello.'), [], { problems: [{ from, text: 'It is down.' }] });
    expect(deltas[0]).toMatchObject({ type: 'tool', call: { state: 'failed', output: 'It is down.', from } });
    expect(asked[0]?.messages).toHaveLength(1);
  });
});

describe('the output of a tool', () => {
  it('is cut for the model and for storage, its beginning and its end kept', async () => {
    const text = `${'a'.repeat(300_000)}z`;
    const loud = createTool('loud', {
      limits: { timeoutMs: 10_000, outputChars: 1_000_000 },
      async run({ report }) {
        report({ log: text });
        return { type: 'done', text };
      },
    });
    const { calls } = await play(once(['loud', '{}']), [loud]);
    const { output, outputs } = calls.get('0:0') ?? {};
    expect(output?.length).toBeLessThan(33_000);
    expect(output).toMatch(/^a+\n\[\d+ characters are left out here\]\na+z$/);
    expect(outputs).toEqual([{ type: 'logs', text: 'a'.repeat(256 * 1024) }]);
  });

  it('is neither run nor shown for hundreds of calls in one step', async () => {
    const many = Array.from({ length: 300 }, (_, n): [string, string] => ['echo', input(String(n))]);
    const { calls } = await play(once(...many), [echo]);
    expect(calls.size).toBe(128);
    expect([...calls.values()].filter(({ state }) => state === 'done')).toHaveLength(32);
  });
});

describe('a model that never stops calling', () => {
  it('is asked to answer in words in the last step, and its last calls are not carried out', async () => {
    const { asked, calls, deltas } = await play((_step, nth) => calling(['echo', input(String(nth))]), [echo], {
      limits: { steps: 3 },
    });
    expect(asked.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, 'none']);
    expect([...calls.values()].map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
    expect(finishOf(deltas)).toEqual(['length']);
  });

  it('is informed when the time of the run is over', async () => {
    const { asked } = await play((_step, nth) => calling(['echo', input(String(nth))]), [echo], {
      limits: { runMs: 0 },
    });
    expect(asked.map(({ toolChoice }) => toolChoice)).toEqual(['none']);
  });
});

describe('while a tool runs', () => {
  it('its log and its progress are streamed, and a heartbeat while it is silent', async () => {
    const gate = createGate();
    const slow = createTool('slow', {
      async run(call) {
        call.report({ log: 'line 1\n' });
        call.report({ progress: 0.5 });
        await gate.run(call);
        return { type: 'done', text: 'result' };
      },
    });
    let beats = 0;
    const flush = async () => true;
    const played = play(once(['slow', '{}']), [slow], { flush, limits: { heartbeatMs: 10 } });
    await gate.begun;
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.open();
    const { deltas, calls } = await played;
    for (const { type } of deltas) if (type === 'working') beats += 1;
    expect(beats).toBeGreaterThan(0);
    expect(deltas).toContainEqual({ type: 'log', id: '0:0', text: 'line 1\n' });
    const shown = deltas.flatMap((delta) => (delta.type === 'tool' ? delta.call.progress : []));
    expect(shown).toEqual([0.1, 0.2, 0.6, 1]);
    expect(calls.get('0:0')?.outputs).toEqual([{ type: 'logs', text: 'line 1\n' }]);
  });

  it('a stop ends it, and nothing more is asked', async () => {
    const gate = createGate();
    const controller = new AbortController();
    const played = play(once(['slow', '{}']), [createTool('slow', { run: gate.run })], {}, controller.signal);
    await gate.begun;
    controller.abort('stop');
    const { asked, calls, deltas } = await played;
    expect(gate.isStopped()).toBe(true);
    expect(calls.get('0:0')).toMatchObject({ state: 'stopped', output: 'The user stopped this.' });
    expect(asked).toHaveLength(1);
    expect(finishOf(deltas)).toEqual([]);
  });

  it('a tool that ignores the stop is left alone', async () => {
    const controller = new AbortController();
    const deaf = createTool('deaf', {
      run: () => {
        controller.abort('stop');
        return new Promise(() => undefined);
      },
    });
    const { calls } = await play(once(['deaf', '{}']), [deaf], {}, controller.signal);
    expect(calls.get('0:0')).toMatchObject({ state: 'stopped' });
  });

  it('the end of the process leaves the call running, for another to judge', async () => {
    const gate = createGate();
    const controller = new AbortController();
    const played = play(once(['slow', '{}']), [createTool('slow', { run: gate.run })], {}, controller.signal);
    await gate.begun;
    controller.abort('shutdown');
    expect((await played).calls.get('0:0')).toMatchObject({ state: 'running' });
  });
});

describe('a tool that asks first', () => {
  const asking = createTool('asking', { asks: 'first' });

  it('ends the run, after the calls beside it', async () => {
    const { asked, calls, deltas } = await play(once(['asking', input('a')], ['echo', input('b')]), [asking, echo]);
    expect(calls.get('0:0')).toMatchObject({ state: 'waiting', needs: 'approval', output: null });
    expect(calls.get('0:1')).toMatchObject({ state: 'done' });
    expect(asked).toHaveLength(1);
    expect(finishOf(deltas)).toEqual(['tool_calls']);
  });

  it('runs where it is always allowed; one that asks each time does not', async () => {
    const isGranted = async () => true;
    const each = createTool('each', { asks: 'always' });
    const { calls } = await play(once(['asking', input('a')], ['each', input('b')]), [asking, each], { isGranted });
    expect([...calls.values()].map(({ state }) => state)).toEqual(['done', 'waiting']);
  });

  it.each([
    ['allow', 'done', 'asking says a', []],
    ['always', 'done', 'asking says a', ['asking']],
    ['deny', 'denied', 'The user did not allow this.', []],
  ] as const)('goes on by the decision %s', async (decision, state, output, granted) => {
    const waiting: ToolCall = {
      id: '3:0',
      step: 3,
      kind: 'function',
      name: 'asking',
      input: input('a'),
      output: null,
      progress: 0.2,
      state: 'waiting',
      needs: 'approval',
    };
    const grants: string[] = [];
    const { asked, calls } = await play(() => saying('Done.'), [asking], {
      firstStep: 4,
      open: { text: 'Let me see.', signatures: [], calls: [waiting], decisions: { '3:0': decision } },
      grant: async ({ name }) => void grants.push(name),
    });
    expect(calls.get('3:0')).toMatchObject({ state, output, progress: 1 });
    expect(calls.get('3:0')).not.toHaveProperty('needs');
    expect(grants).toEqual(granted);
    expect(asked[0]?.messages.at(-1)).toMatchObject({ content: 'Let me see.', calls: [{ output }] });
  });

  it('waits for a sign-in when it needs one', async () => {
    const url = 'https://sign.in/';
    const signIn = createTool('signIn', { run: async () => ({ type: 'needs', what: 'sign_in', url }) });
    const { calls, deltas } = await play(once(['signIn', '{}']), [signIn]);
    expect(calls.get('0:0')).toMatchObject({ state: 'waiting', needs: 'sign_in', signInUrl: url });
    expect(finishOf(deltas)).toEqual(['tool_calls']);
  });
});
