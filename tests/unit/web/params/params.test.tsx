// @vitest-environment happy-dom
// Each kind of parameter, as a hand uses it: what becomes of the settings, and what is said.
import { MantineProvider } from '@mantine/core';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Param, Settings } from '@parley/schema/catalog/params';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { chooseLanguage } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { ParamFields } from '../../../../web/src/params/param-fields.tsx';
import { readNumber, type SliderParam } from '../../../../web/src/params/read-number.ts';
import { offersParams, shownParams } from '../../../../web/src/params/shown-params.ts';
import { TagsField } from '../../../../web/src/params/tags-field.tsx';

beforeAll(startEnglish);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const MODELS = ['gpt-4', 'gpt-4-turbo'];

let told: Settings[];

interface Asked {
  type?: EndpointType;
  model?: string | null;
  settings?: Settings;
  isNewChat?: boolean;
}

/** The panel of somebody who keeps what they are told. */
function show({ type = 'openAI', model = 'gpt-4', settings = {}, isNewChat = false }: Asked = {}) {
  told = [];
  function Keeper() {
    const [kept, setKept] = useState(settings);
    const [shownModel, setModel] = useState(model);
    return (
      <MantineProvider>
        <button type="button" onClick={() => setModel('chat-bison')}>
          Another model
        </button>
        <button type="button" onClick={() => setKept({ temperature: 0.25 })}>
          From elsewhere
        </button>
        <ParamFields
          type={type}
          model={shownModel}
          agentModels={MODELS}
          settings={kept}
          isNewChat={isNewChat}
          onChange={(next) => {
            told.push(next);
            setKept(next);
          }}
        />
      </MantineProvider>
    );
  }
  render(<Keeper />);
}

const last = () => told.at(-1);
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const range = (name: string) => screen.getByRole<HTMLInputElement>('slider', { name });
const write = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
const resetButton = (name: string) => screen.queryByRole('button', { name: `Reset ${name}` });

describe('a slider', () => {
  test('has the range, step and default of the table', () => {
    show();
    const { min, max, step, value } = range('Temperature');
    expect([min, max, step, value]).toEqual(['0', '2', '0.01', '1']);
    expect(box('Temperature').value).toBe('1');
    expect(range('Presence penalty').min).toBe('-2');
  });

  test('is dragged, or set exactly with a point or comma, and omits its default', () => {
    show({ settings: { top_p: 0.5 } });
    write(range('Temperature'), '0.3');
    expect(last()).toEqual({ top_p: 0.5, temperature: 0.3 });
    expect(box('Temperature').value).toBe('0.3');
    write(box('Temperature'), '0,75');
    expect(last()).toEqual({ top_p: 0.5, temperature: 0.75 });
    write(box('Temperature'), '1.00');
    expect(last()).toEqual({ top_p: 0.5 });
    expect(box('Temperature').value).toBe('1.00');
    fireEvent.blur(box('Temperature'));
    expect(box('Temperature').value).toBe('1');
  });

  test('returns to its default by two clicks, or by a button that is shown when it is changed', () => {
    show();
    expect(resetButton('Temperature')).toBeNull();
    write(range('Temperature'), '0.3');
    fireEvent.doubleClick(range('Temperature'));
    expect(last()).toEqual({});
    write(range('Temperature'), '1.7');
    const button = resetButton('Temperature');
    if (button) fireEvent.click(button);
    expect(last()).toEqual({});
    expect(resetButton('Temperature')).toBeNull();
    expect(document.activeElement).toBe(box('Temperature'));
  });

  test.each(['2.01', '-0.01', 'warm', '1e1', '0x1', '1 000'])('shows an error for %s and does not use it', (text) => {
    show({ settings: { temperature: 0.5 } });
    write(box('Temperature'), text);
    expect(told).toEqual([]);
    expect(box('Temperature').value).toBe(text);
    expect(screen.getByRole('alert').textContent).toBe('Enter a number from 0 to 2. Until then, 0.5 is used.');
    fireEvent.blur(box('Temperature'));
    expect(box('Temperature').value).toBe(text);
    write(box('Temperature'), '0.6');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(last()).toEqual({ temperature: 0.6 });
  });

  test('does not judge unfinished input, and shows the current value when left empty', () => {
    show({ settings: { presence_penalty: 1 } });
    for (const begun of ['', '-', '-.']) {
      write(box('Presence penalty'), begun);
      expect(screen.queryByRole('alert')).toBeNull();
    }
    expect(told).toEqual([]);
    fireEvent.blur(box('Presence penalty'));
    expect(box('Presence penalty').value).toBe('1');
  });

  test('says when it takes whole numbers', () => {
    show({ type: 'anthropic', model: 'claude-2' });
    write(box('Top K'), '1.5');
    expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 1 to 40. Until then, 5 is used.');
  });

  test('shows changes from elsewhere, despite unfinished input', () => {
    show();
    write(box('Temperature'), '7');
    fireEvent.click(screen.getByText('From elsewhere'));
    expect(box('Temperature').value).toBe('0.25');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    { language: 'ar-EG', name: 'درجة الحرارة', shown: '٠٫٣', penalty: 'عقوبة الحضور', below: '\u061C-١٫٥' },
    { language: 'de-DE', name: 'Temperatur', shown: '0,3', penalty: 'Präsenzstrafe', below: '-1,5' },
    { language: 'sv-SE', name: 'Temperatur', shown: '0,3', penalty: 'Närvarostraff', below: '\u22121,5' },
  ])('shows and reads the digits and signs of $language', async ({ language, name, shown, penalty, below }) => {
    await chooseLanguage(language);
    onTestFinished(() => chooseLanguage('en-US'));
    show({ settings: { temperature: 0.3, presence_penalty: -1.5 } });
    expect(box(name).value).toBe(shown);
    expect(box(penalty).value).toBe(below);
    write(box(penalty), `${below}1`);
    expect(last()).toEqual({ temperature: 0.3, presence_penalty: -1.51 });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is lowered to its cap, by hand and when the model changes', () => {
    show({ type: 'google', model: 'gemini-pro', settings: { maxOutputTokens: 4000 } });
    expect(range('Max output tokens').max).toBe('8192');
    write(box('Max output tokens'), '7000');
    expect(last()).toEqual({ maxOutputTokens: 7000 });
    fireEvent.click(screen.getByText('Another model'));
    expect(range('Max output tokens').max).toBe('2048');
    expect(box('Max output tokens').value).toBe('2048');
    write(range('Top K'), '3');
    expect(last()).toEqual({ maxOutputTokens: 2048, topK: 3 });
    write(box('Max output tokens'), '9999');
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.blur(box('Max output tokens'));
    expect(box('Max output tokens').value).toBe('2048');
  });
});

describe('a typed number', () => {
  const param: SliderParam = { kind: 'slider', min: -2, max: 2, step: 0.01, default: 0 };

  test.each([
    ['1', 1],
    [' 1.5 ', 1.5],
    ['-0', 0],
    ['.5', 0.5],
    ['+,5', 0.5],
    ['2.', 2],
    ['١٫٥', 1.5],
    ['\u061C-١٫٥', -1.5],
    ['\u22121,5', -1.5],
    ['', 'unfinished'],
    ['-', 'unfinished'],
    ['--1', null],
    ['NaN', null],
    ['Infinity', null],
    ['2.0000001', null],
  ])('%j is %s', (text, number) => {
    expect(readNumber(text, param)).toBe(number);
  });

  test('becomes the cap when it is above it', () => {
    expect(readNumber('9', { ...param, isCapped: true })).toBe(2);
    expect(readNumber('-9', { ...param, isCapped: true })).toBeNull();
  });
});

describe('a switch', () => {
  test('is toggled, and omits its default', () => {
    show();
    const resend = screen.getByRole<HTMLInputElement>('switch', { name: 'Resend files' });
    expect(resend.checked).toBe(true);
    fireEvent.click(resend);
    expect(last()).toEqual({ resendFiles: false });
    const button = resetButton('Resend files');
    if (button) fireEvent.click(button);
    expect(last()).toEqual({});
    expect(resend.checked).toBe(true);
  });
});

describe('the image detail', () => {
  test('is a slider of three labeled steps', () => {
    show();
    const detail = range('Image detail');
    expect([detail.min, detail.max, detail.step, detail.value]).toEqual(['0', '2', '1', '1']);
    expect(detail.getAttribute('aria-valuetext')).toBe('Auto');
    write(detail, '2');
    expect(last()).toEqual({ imageDetail: 'high' });
    expect(detail.getAttribute('aria-valuetext')).toBe('High');
    fireEvent.doubleClick(detail);
    expect(last()).toEqual({});
  });
});

describe('a choice', () => {
  test('is one of the tones, side by side', () => {
    show({ type: 'bingAI', model: 'BingAI', isNewChat: true });
    const tones = screen.getAllByRole<HTMLInputElement>('radio');
    expect(tones.map(({ value }) => value)).toEqual(['creative', 'fast', 'balanced', 'precise']);
    fireEvent.click(screen.getByRole('radio', { name: 'Precise' }));
    expect(last()).toEqual({ toneStyle: 'precise' });
    fireEvent.click(screen.getByRole('radio', { name: 'Creative' }));
    expect(last()).toEqual({});
  });
});

describe('tags', () => {
  const name = 'Stop sequences';
  const enter = (text: string) => {
    write(box(name), text);
    fireEvent.keyDown(box(name), { key: 'Enter' });
  };

  test('are added with Enter, spaces included, each once', () => {
    show();
    enter('END');
    enter(' two words ');
    enter('END');
    expect(last()).toEqual({ stop: ['END', ' two words '] });
    expect(box(name).value).toBe('');
    enter('');
    expect(last()).toEqual({ stop: ['END', ' two words '] });
  });

  test('remove the oldest beyond four, and say so', () => {
    show({ settings: { stop: ['a', 'b', 'c', 'd'] } });
    enter('e');
    expect(last()).toEqual({ stop: ['b', 'c', 'd', 'e'] });
    screen.getByText('Maximum number allowed is 4, using latest values');
    write(box(name), 'f');
    expect(screen.queryByText(/Maximum number/)).toBeNull();
  });

  test('are removed by Backspace in the empty box, the last first, or by their buttons', () => {
    show({ settings: { stop: ['a', 'b', 'c'] } });
    write(box(name), 'x');
    fireEvent.keyDown(box(name), { key: 'Backspace' });
    expect(told).toEqual([]);
    write(box(name), '');
    fireEvent.keyDown(box(name), { key: 'Backspace' });
    expect(last()).toEqual({ stop: ['a', 'b'] });
    fireEvent.click(screen.getByRole('button', { name: 'Remove \u2068a\u2069' }));
    expect(last()).toEqual({ stop: ['b'] });
    expect(document.activeElement).toBe(box(name));
    fireEvent.keyDown(box(name), { key: 'Backspace' });
    expect(last()).toEqual({});
  });

  test('stay in the box when they are too long', () => {
    show();
    enter('x'.repeat(257));
    expect(told).toEqual([]);
    expect(box(name).value).toHaveLength(257);
    expect(screen.getByRole('alert').textContent).toMatch(/^At most 256 characters fit here; this has 257/);
  });

  test('ignore keys of an input method while it composes', () => {
    show();
    write(box(name), '終');
    fireEvent.keyDown(box(name), { key: 'Enter', isComposing: true });
    expect(told).toEqual([]);
  });

  test('keep their minimum, and say so', () => {
    const param: Extract<Param, { kind: 'tags' }> = { kind: 'tags', min: 2, max: 3, default: [] };
    const onChange = vi.fn();
    const words = { label: name, help: undefined, placeholder: undefined };
    render(
      <MantineProvider>
        <TagsField param={param} words={words} value={['a', 'b']} isOff={false} onChange={onChange} />
      </MantineProvider>,
    );
    fireEvent.keyDown(box(name), { key: 'Backspace' });
    expect(onChange).not.toHaveBeenCalled();
    screen.getByText('Cannot remove more values, a minimum of 2 are required');
  });
});

describe('a text', () => {
  test('has one line or several, and omits its empty default', () => {
    show();
    expect(box('Custom name').tagName).toBe('INPUT');
    expect(box('Custom instructions').tagName).toBe('TEXTAREA');
    write(box('Custom instructions'), 'Be\nbrief.');
    expect(last()).toEqual({ promptPrefix: 'Be\nbrief.' });
    write(box('Custom instructions'), '');
    expect(last()).toEqual({});
  });

  test('stays in the box when it is too long, and the previous one stays in use', () => {
    show({ settings: { chatGptLabel: 'Al' } });
    const long = 'x'.repeat(257);
    write(box('Custom name'), long);
    expect(told).toEqual([]);
    expect(box('Custom name').value).toBe(long);
    expect(screen.getByRole('alert').textContent).toContain('At most 256 characters');
    write(box('Custom name'), long.slice(1));
    expect(last()).toEqual({ chatGptLabel: long.slice(1) });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is disabled in the panel of plugins while tools are on', () => {
    show({ type: 'gptPlugins', settings: { tools: ['calculator'] } });
    expect(box('Custom name').disabled).toBe(true);
    expect(box('Custom instructions').disabled).toBe(true);
    expect(range('Temperature').disabled).toBe(false);
    expect(screen.getAllByText('Not available while tools are on.')).toHaveLength(2);
    cleanup();
    show({ type: 'gptPlugins', settings: { tools: [] } });
    expect(box('Custom name').disabled).toBe(false);
  });

  test('shows its token count for the context of Bing', async () => {
    const asked = vi.fn(async () => Response.json({ count: 7_001 }));
    vi.stubGlobal('fetch', asked);
    show({ type: 'bingAI', model: 'BingAI', isNewChat: true });
    screen.getByText('0 of about 7,000 tokens');
    write(box('Context'), 'A long story');
    write(box('Context'), 'A long story.');
    await screen.findByText('7,001 of about 7,000 tokens');
    screen.getByText('Bing may ignore anything beyond about 7,000 tokens.');
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('examples', () => {
  const palm = { type: 'google', model: 'chat-bison' } as const;
  const example = (input: string, output: string) => ({ input: { content: input }, output: { content: output } });

  test('are pairs that are added and removed; empty ones are not saved', () => {
    show(palm);
    write(box('Example 1: input'), 'Hi');
    write(box('Example 1: output'), 'Hello');
    expect(last()).toEqual({ examples: [example('Hi', 'Hello')] });
    fireEvent.click(screen.getByRole('button', { name: 'Add an example' }));
    expect(last()).toEqual({ examples: [example('Hi', 'Hello')] });
    write(box('Example 2: output'), 'Bye');
    expect(last()).toEqual({ examples: [example('Hi', 'Hello'), example('', 'Bye')] });
    fireEvent.click(screen.getByRole('button', { name: 'Remove example 1' }));
    expect(last()).toEqual({ examples: [example('', 'Bye')] });
    expect(box('Example 1: output').value).toBe('Bye');
  });

  test('have an empty pair after the last is removed', () => {
    show({ ...palm, settings: { examples: [example('Hi', 'Hello')] } });
    fireEvent.click(screen.getByRole('button', { name: 'Remove example 1' }));
    expect(last()).toEqual({});
    expect(box('Example 1: input').value).toBe('');
    expect(screen.getAllByRole('button', { name: /^Remove example/ })).toHaveLength(1);
  });

  test.each(['gemini-pro', 'codechat-bison', 'code-gecko'])('are not offered for %s', (model) => {
    show({ ...palm, model });
    expect(screen.queryByText('Examples')).toBeNull();
    screen.getByText('Top K');
  });
});

test('the help of a field shows on demand, and describes the field to screen readers all the time', () => {
  show({ type: 'anthropic', model: 'claude-2' });
  const field = screen.getByRole('slider', { name: 'Top K' });
  const help = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(help?.textContent).toBe('How many of the likeliest words are considered for each next one.');
  expect(help?.hidden).toBe(true);
  const button = screen.getByRole('button', { name: 'About Top K', expanded: false });
  expect(button.getAttribute('aria-controls')).toBe(help?.id);
  fireEvent.click(button);
  expect(help?.hidden).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'About Top K', expanded: true }));
  expect(help?.hidden).toBe(true);
});

describe('the settings of the agent', () => {
  test('are one value, which is left out while all are as usual', () => {
    show({ type: 'gptPlugins', model: 'gpt-4' });
    const settings = within(screen.getByRole('group', { name: 'Agent settings' }));
    const usual = { agent: 'functions', skipCompletion: true, model: 'gpt-3.5-turbo', temperature: 0 };
    fireEvent.click(settings.getByRole('switch', { name: 'Use functions' }));
    expect(told.at(-1)).toEqual({ agentOptions: { ...usual, agent: 'classic' } });
    fireEvent.click(settings.getByRole('switch', { name: 'Skip completion' }));
    fireEvent.change(settings.getByRole('combobox', { name: 'Agent model' }), { target: { value: 'gpt-4' } });
    const changed = { ...usual, agent: 'classic', skipCompletion: false, model: 'gpt-4' };
    expect(told.at(-1)).toEqual({ agentOptions: changed });
    fireEvent.click(settings.getByRole('button', { name: 'Reset Agent settings' }));
    expect(told.at(-1)).toEqual({});
    fireEvent.click(settings.getByRole('switch', { name: 'Use functions' }));
    fireEvent.click(settings.getByRole('switch', { name: 'Use functions' }));
    expect(told.at(-1)).toEqual({});
  });

  test('offer the models of the endpoint, and keep a stored one that is not among them', () => {
    const stored = { agent: 'functions' as const, skipCompletion: true, model: 'gpt-4-of-old', temperature: 0 };
    show({ type: 'gptPlugins', model: 'gpt-4', settings: { agentOptions: stored } });
    const model = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Agent model' });
    expect(model.value).toBe('gpt-4-of-old');
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['gpt-4-of-old', ...MODELS]);
    fireEvent.click(screen.getByRole('button', { name: 'Reset Agent model' }));
    expect(told.at(-1)).toEqual({});
  });
});

describe('the visible parameters', () => {
  const names = (asked: Parameters<typeof shownParams>[0]) => shownParams(asked).map(([name]) => name);
  const bing = { type: 'bingAI', model: 'BingAI' } as const;

  test('include jailbreak only in a chat that uses it', () => {
    expect(names({ ...bing, settings: {}, isNewChat: false })).not.toContain('jailbreak');
    expect(names({ ...bing, settings: { jailbreak: true }, isNewChat: true })).not.toContain('jailbreak');
    expect(names({ ...bing, settings: { jailbreak: true }, isNewChat: false })).toContain('jailbreak');
    const sydney = { ...bing, model: 'Sydney', isNewChat: false };
    expect(names({ ...sydney, settings: {} })).toContain('jailbreak');
    expect(names({ ...sydney, settings: { jailbreak: false } })).not.toContain('jailbreak');
  });

  test('include the system message of Sydney only for Sydney', () => {
    expect(names({ ...bing, settings: {}, isNewChat: true })).toEqual(['toneStyle', 'context']);
    expect(names({ ...bing, model: 'Sydney', settings: {}, isNewChat: true })).toContain('systemMessage');
    expect(names({ ...bing, settings: { jailbreak: true }, isNewChat: false })).toContain('systemMessage');
  });

  test('are none for ChatGPT, and those of Bing at the start and with Sydney', () => {
    const chat = { model: null, settings: {}, isNewChat: false };
    expect(offersParams({ ...chat, type: 'chatGPTBrowser', isNewChat: true })).toBe(false);
    expect(offersParams({ ...chat, ...bing, isNewChat: true })).toBe(true);
    expect(offersParams({ ...chat, ...bing })).toBe(false);
    expect(offersParams({ ...chat, ...bing, model: 'Sydney' })).toBe(true);
    expect(offersParams({ ...chat, ...bing, settings: { jailbreak: true } })).toBe(true);
    expect(offersParams({ ...chat, type: 'openAI' })).toBe(true);
    show({ type: 'chatGPTBrowser' });
    screen.getByText('There is nothing to set for this chat.');
  });

  test('have a label for every endpoint', () => {
    for (const type of ['openAI', 'google', 'anthropic', 'bingAI', 'gptPlugins', 'assistants'] as const) {
      show({ type, model: 'chat-bison', settings: { jailbreak: true } });
      const groups = screen.getAllByRole('group');
      const fields = groups.filter((group) => !group.parentElement?.closest('[role=group]'));
      expect(fields.length, type).toBe(
        shownParams({ type, model: 'chat-bison', settings: { jailbreak: true }, isNewChat: false }).length,
      );
      for (const field of fields) expect(within(field).queryByText(/^[a-z]+[A-Z_]|^com_/)).toBeNull();
      cleanup();
    }
  });
});
