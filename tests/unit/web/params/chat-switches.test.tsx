// @vitest-environment happy-dom
// Whether a chat gets what the account keeps for all chats: which switches are shown, and what they write.
import { MantineProvider } from '@mantine/core';
import type { Settings } from '@parley/schema/catalog/params';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai/vanilla';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { memoryAtom, NO_PERSONAL, personalAtom } from '../../../../web/src/account-settings.ts';
import { ChatSwitches } from '../../../../web/src/params/chat-switches.tsx';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);
beforeEach(() => {
  getDefaultStore().set(personalAtom, { ...NO_PERSONAL, about: 'I keep bees.', exceptEndpoints: ['google'] });
  getDefaultStore().set(memoryAtom, { mode: 'ask', exceptEndpoints: ['anthropic'] });
});

let told: Settings;

function show({ endpoint = 'openAI', isTemporary = false, settings = {} as Settings } = {}): void {
  function Keeper() {
    const [kept, setKept] = useState(settings);
    const change = (next: Settings) => {
      told = next;
      setKept(next);
    };
    return (
      <MantineProvider>
        <ChatSwitches endpoint={endpoint} isTemporary={isTemporary} settings={kept} onChange={change} />
      </MantineProvider>
    );
  }
  render(<Keeper />);
}

const names = () => screen.queryAllByRole('switch').map((one) => one.getAttribute('aria-label'));
const flip = (name: string) => fireEvent.click(screen.getByRole('switch', { name }));

test('both are on, and only what a chat decides by itself is written', () => {
  show({ settings: { temperature: 0.5 } });
  expect(names()).toEqual(['Your instructions', 'Memory']);
  flip('Memory');
  expect(told).toEqual({ temperature: 0.5, memory: false });
  flip('Your instructions');
  expect(told).toEqual({ temperature: 0.5, memory: false, personal: false });
  flip('Memory');
  flip('Your instructions');
  expect(told).toEqual({ temperature: 0.5 });
});

test('a temporary chat remembers nothing, and gets the instructions only if it asks for them', () => {
  show({ isTemporary: true });
  expect(names()).toEqual(['Your instructions']);
  flip('Your instructions');
  expect(told).toEqual({ personal: true });
});

test('an endpoint that is left out has no switch of it', () => {
  show({ endpoint: 'google' });
  expect(names()).toEqual(['Memory']);
  cleanup();
  show({ endpoint: 'anthropic' });
  expect(names()).toEqual(['Your instructions']);
});

test('a person who keeps nothing sees none', () => {
  getDefaultStore().set(personalAtom, { ...NO_PERSONAL, about: 'I keep bees.', isOn: { about: false, style: true } });
  getDefaultStore().set(memoryAtom, { mode: 'off', exceptEndpoints: [] });
  show();
  expect(names()).toEqual([]);
});
