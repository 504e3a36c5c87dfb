// @vitest-environment happy-dom
import { readFile } from 'node:fs/promises';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { NO_MORE_CALLS } from '@parley/schema/tools/no-more-calls';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeDuration, describeStep, toolState } from '../../../../web/src/chat/steps/describe-step.ts';
import { groupParts } from '../../../../web/src/chat/steps/group-parts.ts';
import { readCode, readDestination, readTable } from '../../../../web/src/chat/steps/read-arguments.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { callFromFacts } from '../../../support/tools/call-facts.ts';
import { call } from './calls.ts';

beforeAll(startEnglish);

const say = (calls: ToolCall[], isWriting = false) => describeStep(calls, isWriting, { t: i18n.t, language: 'en-US' });
const named = (label: string, rest: Partial<ToolCall> = {}) =>
  call({ name: label, from: { source: 'builtin', id: label, label }, ...rest });
const code = (rest: Partial<ToolCall> = {}) => call({ kind: 'code_interpreter', name: 'python', ...rest });

describe('the line of a step', () => {
  test('names what was done', () => {
    expect(say([named('Calculator')])).toBe('Used Calculator');
    expect(say([code()])).toBe('Ran Python');
    expect(say([named('Tavily', { name: 'tavily_search_results_json' })])).toBe('Searched the web');
    expect(say([call({ kind: 'retrieval', name: 'file_search' })])).toBe('Searched the files');
  });

  test('names which tool of a server, and which operation of an API, was called', () => {
    const notes = (name: string, rest: Partial<ToolCall> = {}) =>
      call({ name, from: { source: 'mcp', id: 'notes', label: 'my notes' }, ...rest });
    expect(say([notes('mcp_my_notes_search_notes')])).toBe('Used my notes: search_notes');
    expect(say([notes('mcp_my_notes_search'), notes('mcp_my_notes_add', { state: 'failed' })])).toBe(
      'Used my notes: search · my notes: add failed',
    );
    expect(say([notes('mcp_other')])).toBe('Used my notes');
    const pets = { source: 'action', id: 'a1', label: 'pets.example' } as const;
    expect(say([call({ name: 'listPets_action_cGV0cy5leG', from: pets })])).toBe('Used pets.example: listPets');
  });

  test('says that a call beyond the limit of an answer was not made, not that it failed', () => {
    const beyond = named('Calculator', { state: 'failed', output: `error processing tool: ${NO_MORE_CALLS}` });
    expect(say([beyond])).toBe('Not called any more: Calculator');
  });

  test('names the tools of the server in the language of its reader', async () => {
    const id = 'self-reflection';
    const reflection = call({ name: id, from: { source: 'builtin', id, label: 'Self reflection' } });
    const calculator = named('Calculator', { from: { source: 'builtin', id: 'calculator', label: 'Calculator' } });
    const plugin = named('Wolfram', { from: { source: 'plugin', id: 'wolfram', label: 'Wolfram' } });
    expect(say([reflection, call({ ...reflection, state: 'running' })], true)).toBe('Thinking again · Thought again');
    const words = JSON.parse(await readFile('web/src/locales/de-DE.json', 'utf8')) as Record<string, string>;
    i18n.addResourceBundle('de-DE', 'translation', words);
    const sayGerman = (calls: ToolCall[]) =>
      describeStep(calls, false, { t: i18n.getFixedT('de-DE'), language: 'de-DE' });
    expect(sayGerman([reflection])).toBe('Noch einmal nachgedacht');
    expect(sayGerman([calculator, plugin].map((one) => call({ ...one, state: 'stopped' })))).toBe(
      'Gestoppt: Rechner und Wolfram',
    );
    expect(sayGerman([call({ ...reflection, state: 'failed' })])).toMatch(/Selbstreflexion/);
  });

  test('names host and path of the pages that were read, not what the address carries', () => {
    const from = { source: 'builtin' as const, id: 'web_page', label: 'Web page' };
    const page = (url: string, rest: Partial<ToolCall> = {}) =>
      call({ name: 'web_page', from, input: JSON.stringify({ url }), ...rest });
    expect(say([page('https://a.example/wiki/Tower?q=secret#top')])).toBe('Read a.example/wiki/Tower');
    expect(say([page('https://a.example/'), page('https://b.example:8443')])).toBe('Read a.example and b.example:8443');
    const pages = ['1', '2', '3', '4'].map((n) => page(`https://a.example/${n}`));
    expect(say(pages)).toBe('Read 4 pages');
    expect(say([page('https://a.example/x', { state: 'running' })], true)).toBe('Opening a.example/x');
    expect(say([page('https://a.example/x', { state: 'denied' })])).toBe('You did not allow it: a.example/x');
    expect(say([page('https://a.example/x', { state: 'waiting', needs: 'approval' })])).toBe(
      'Waiting for your decision: a.example/x',
    );
    expect(say([call({ name: 'web_page', from, input: '{"url":"https://a', state: 'writing' })], true)).toBe(
      'Opening Web page',
    );
    const browser = { source: 'plugin' as const, id: 'web-browser', label: 'Browser' };
    expect(say([page(`https://a.example/${'long/'.repeat(30)}`, { from: browser })])).toMatch(
      /^Read a\.example\/long\/[^ ]{0,50}…$/,
    );
    const other = { source: 'mcp' as const, id: 'web_page', label: 'Foreign' };
    expect(say([page('https://a.example/', { from: other })])).toBe('Used Foreign');
  });

  test('names several tools once each, and counts many', () => {
    expect(say([named('Calculator'), named('Wolfram'), named('Calculator')])).toBe('Used Calculator ×2 and Wolfram');
    expect(say(['A', 'B', 'C', 'D'].map((label) => named(label)))).toBe('Used 4 tools');
    expect(say([code(), code()])).toBe('Ran Python ×2');
  });

  test('says what is at work', () => {
    expect(say([code({ state: 'writing' })], true)).toBe('Running Python');
    expect(say([named('Browser', { state: 'running' }), named('Calculator')], true)).toBe(
      'Calling Browser · Used Calculator',
    );
  });

  test('says in words how each call ended', () => {
    const ends = (['failed', 'denied', 'stopped', 'unknown'] as const).map((state) => say([named('Mail', { state })]));
    expect(ends).toEqual([
      'Mail failed',
      'You did not allow it: Mail',
      'Stopped: Mail',
      'It is not known whether this was done: Mail',
    ]);
    const waiting = named('Mail', { state: 'waiting', needs: 'approval' });
    expect(say([waiting, call({ ...waiting, needs: 'sign_in' })])).toBe(
      'Waiting for your decision: Mail · Waiting for you to sign in: Mail',
    );
  });

  test('has stopped what was running when the answer ended', () => {
    expect(toolState({ state: 'running' }, true)).toBe('running');
    expect(say([code({ state: 'running' })])).toBe('Stopped: Python');
  });

  test('names the tool where it has no label', () => {
    expect(say([call({ name: 'get_weather' })])).toBe('Used get_weather');
  });

  test('has the time of its longest call', () => {
    const took = (...times: number[]) =>
      describeDuration(
        times.map((tookMs) => call({ tookMs })),
        'en-US',
      );
    expect(took(2_140, 900)).toBe('2.1 sec');
    expect(took(3)).toBe('0.1 sec');
    expect(took(48_700)).toBe('49 sec');
    expect(took(125_000)).toBe('2 min 5 sec');
    expect(took(59_900)).toBe('1 min 0 sec');
    expect(describeDuration([call()], 'en-US')).toBe('');
  });
});

describe('the parts of a reply', () => {
  const part = (rest: Partial<ToolCall>): MessagePart => ({ type: 'tool_call', call: call(rest) });

  test('calls of one step that stand together are one group', () => {
    const parts: MessagePart[] = [
      { type: 'text', text: 'Let me see.' },
      part({ id: '0:0', step: 0 }),
      part({ id: '0:1', step: 0 }),
      part({ id: '1:0', step: 1 }),
      { type: 'text', text: 'Done.' },
    ];
    const groups = groupParts(parts).map((group) =>
      group.type === 'step' ? group.calls.map(({ id }) => id) : group.part.type,
    );
    expect(groups).toEqual(['text', ['0:0', '0:1'], ['1:0'], 'text']);
  });

  test('calls without a step stand alone, and those without a state are parts', () => {
    const { state: _none, ...facts } = call();
    const old = callFromFacts(facts);
    const groups = groupParts([part({ id: 'a' }), part({ id: 'b' }), { type: 'tool_call', call: old }]);
    expect(groups.map(({ type }) => type)).toEqual(['step', 'step', 'part']);
  });
});

describe('arguments', () => {
  test('code is read while it is being written', () => {
    expect(readCode('{"code":"print(1)\\nprint(\\"a\\")"}')).toBe('print(1)\nprint("a")');
    expect(readCode('{"code": "print(1)\\npri')).toBe('print(1)\npri');
    expect(readCode('{"code": "a\\')).toBe('a');
    expect(readCode('{"code": "a\\u00e')).toBe('a');
    expect(readCode('{"co')).toBe('');
    expect(readCode('print(1)')).toBe('print(1)');
  });

  test('a table has a row for each argument', () => {
    expect(readTable('{"city":"Paris","days":[1,2]}')).toEqual([
      ['city', 'Paris'],
      ['days', '[\n  1,\n  2\n]'],
    ]);
    expect(readTable('[1]')).toBeNull();
    expect(readTable('{"city":')).toBeNull();
  });

  test('a destination is a method and a host', () => {
    expect(readDestination('{"method":"post","url":"https://api.example.com/v1?x=1"}')).toEqual({
      method: 'POST',
      host: 'api.example.com',
    });
    expect(readDestination('{"host":"example.com"}')).toEqual({ method: null, host: 'example.com' });
    expect(readDestination('{"method":"maybe","url":7}')).toEqual({ method: null, host: null });
    expect(readDestination('broken')).toEqual({ method: null, host: null });
  });
});
