// Speech in the app: dictation, answers that are read aloud, and a conversation by voice. The browser has a microphone
// that plays a file.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  ask,
  composer,
  lastMessage,
  openNewChat,
  stopButton,
  thread,
} from '../../support/browser/chat.ts';
import { tone } from '../../support/speech/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-voice-'));
const CONFIG_PATH = join(folder, 'parley.yaml');
const spoken = join(folder, 'spoken.wav');
writeFileSync(
  CONFIG_PATH,
  `version: 1.0.7
speech:
  stt: { openai: { url: '\${OPENAI_REVERSE_PROXY}', apiKey: k } }
  tts: { openai: { url: '\${OPENAI_REVERSE_PROXY}', apiKey: k, voices: [alloy, echo] } }
`,
);
// Somebody speaks for a moment and is silent for long, again and again.
writeFileSync(spoken, tone([1, 0], [1.5, 0.4], [9, 0]));

const stage = withApp(
  { CONFIG_PATH, OPENAI_MODELS: 'gpt-4', TITLE_CONVO: 'false' },
  [/Failed to load resource/],
  [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${spoken}`,
    '--autoplay-policy=no-user-gesture-required',
  ],
);

const SAID = 'Hello from the recording.';
const microphone = (page: Page) => page.getByRole('button', { name: 'Dictate' });
const dictation = (page: Page) => page.getByRole('group', { name: 'Dictation' });
const voiceMode = (page: Page) => page.getByRole('group', { name: 'Voice chat' });
const readings = () => stage.app.provider.requests.filter(({ path }) => path.endsWith('/audio/speech'));
const inputs = () => readings().map(({ body }) => (body as { input: string }).input);

/** The states of the conversation by voice from now on: some pass too quickly to be seen. */
async function noteStates(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`(() => {
    window.states = [];
    const note = () => {
      const state = document.querySelector('[data-testid=voice-mode] [role=status]')?.getAttribute('data-state');
      if (state && window.states.at(-1) !== state) window.states.push(state);
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
  })()`);
  return () => page.evaluate<string[]>('window.states');
}

async function dictate(page: Page): Promise<void> {
  await microphone(page).click();
  await dictation(page).getByRole('timer').waitFor();
  await soon(() => dictation(page).getByRole('timer').innerText()).toMatch(/[1-9]/);
}

describe('dictation', () => {
  test('a dictation is put at the caret, can be undone, and is not sent', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await composer(page).fill('Before after');
    await composer(page).evaluate((box) => (box as HTMLTextAreaElement).setSelectionRange(6, 6));
    await dictate(page);
    await expectAccessible(page);
    await dictation(page).getByRole('button', { name: 'Done' }).click();
    await soon(() => composer(page).inputValue()).toBe(`Before ${SAID} after`);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await page.keyboard.press('Control+z');
    await soon(() => composer(page).inputValue()).toBe('Before after');
    expect(await thread(page).getByRole('article').count()).toBe(0);
  });

  test('a dictation goes into the box that it was begun in when another chat is opened meanwhile', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'A chat to come back to');
    await answered(page);
    await composer(page).fill('So far:');
    await dictate(page);
    await openNewChat(page);
    await soon(() => composer(page).inputValue()).toBe('');
    await dictation(page).getByRole('button', { name: 'Done' }).click();
    await dictation(page).waitFor({ state: 'detached' });
    expect(await composer(page).inputValue()).toBe('');
    await page.goBack();
    await soon(() => composer(page).inputValue()).toBe(`So far: ${SAID}`);
    await composer(page).fill('');
  });

  test('Enter ends a dictation, and Escape discards it', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await composer(page).fill('');
    const before = stage.app.provider.requests.length;
    await dictate(page);
    await page.keyboard.press('Escape');
    await microphone(page).waitFor();
    expect(stage.app.provider.requests).toHaveLength(before);
    await dictate(page);
    await composer(page).focus();
    await page.keyboard.press('Enter');
    await soon(() => composer(page).inputValue()).toBe(SAID);
    expect(await thread(page).getByRole('article').count()).toBe(0);
  });

  test('a dictation that the service fails to write down is kept for another try', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await composer(page).fill('');
    const reason = { type: 'provider_rate_limited', retryAfterSeconds: 7 };
    await page.route('**/speech/stt', (route) => route.fulfill({ status: 502, json: { message: '', reason } }), {
      times: 1,
    });
    await dictate(page);
    await page.keyboard.press('Enter');
    await dictation(page).getByRole('button', { name: 'Try again' }).waitFor();
    expect(await dictation(page).getByRole('status').innerText()).toMatch(/7 seconds|7 sec/i);
    await expectAccessible(page);
    await dictation(page).getByRole('button', { name: 'Try again' }).click();
    await soon(() => composer(page).inputValue()).toBe(SAID);
  });

  test.each([
    ['NotAllowedError', /^Allow the microphone/],
    ['NotFoundError', /^No microphone was found/],
    ['NotReadableError', /^The microphone can’t be used/],
  ])('says what to do where the browser answers %s', async (name, sentence) => {
    const { page } = await stage.openElsewhere('alice');
    await page.addInitScript(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${name}'));`,
    );
    await openNewChat(page);
    await microphone(page).click();
    await soon(() => dictation(page).getByRole('status').innerText()).toMatch(sentence);
    await dictation(page).getByRole('button', { name: 'Discard recording' }).click();
    await microphone(page).waitFor();
  });

  test('a dictation keeps what was said when the microphone is unplugged', async () => {
    const { page } = await stage.openElsewhere('bob');
    await page.addInitScript(`
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wish) => (window.lost = await open(wish));
    `);
    await openNewChat(page);
    await dictate(page);
    await page.evaluate(`lost.getTracks()[0].dispatchEvent(new Event('ended'))`);
    await dictation(page).getByRole('button', { name: 'Write it down' }).click();
    await soon(() => composer(page).inputValue()).toBe(SAID);
  });

  test('a dictation is sent by itself if the setting says so', async () => {
    const { page } = await stage.openElsewhere('carol');
    await page.addInitScript(`localStorage.setItem('sendSpoken', 'true')`);
    await openNewChat(page);
    await dictate(page);
    await page.keyboard.press('Enter');
    await answered(page);
    expect(await thread(page).getByRole('article').first().innerText()).toContain(SAID);
  });
});

describe('reading aloud', () => {
  test('an answer is read sentence by sentence, names what is skipped, and costs nothing a second time', async () => {
    const { page } = await stage.open('bob');
    await openNewChat(page);
    await ask(page, 'First sentence here. Second one here.\n\n```js\nlet a;\n```\n\nThird one. [[echo]]');
    await answered(page);
    const read = lastMessage(page).getByRole('button', { name: 'Read aloud' });
    await read.click();
    await lastMessage(page).getByRole('button', { name: 'Stop reading' }).waitFor();
    await read.waitFor();
    // Two are fetched at a time, so they may arrive in another order than they are heard in.
    const all = ['First sentence here.', 'Second one here.', 'Code.', 'Third one.', '[[echo]]'];
    expect(inputs().slice(-all.length).toSorted()).toEqual(all.toSorted());
    const before = readings().length;
    await read.click();
    await lastMessage(page).getByRole('button', { name: 'Stop reading' }).click();
    await read.waitFor();
    expect(readings()).toHaveLength(before);
  });

  test('reading begins while the answer is written, and ends when the answer is stopped', async () => {
    const { page } = await stage.openElsewhere('bob');
    await page.addInitScript(`localStorage.setItem('readByItself', 'true')`);
    await openNewChat(page);
    const before = readings().length;
    await ask(page, `${'Another sentence of a story without an end. '.repeat(80)}[[slow:40]]`);
    await soon(() => readings().length).toBeGreaterThan(before);
    await stopButton(page).click();
    await answered(page);
    await soon(() =>
      page.evaluate(`document.querySelectorAll('[data-testid=read-aloud][aria-pressed=true]').length`),
    ).toBe(0);
  });

  test('the first tab falls silent when another one starts to read', async () => {
    const { page, context } = await stage.open('bob');
    await openNewChat(page);
    await ask(page, 'A sentence of many words that takes a while to be heard. '.repeat(8) + '[[echo]]');
    await answered(page);
    await lastMessage(page).getByRole('button', { name: 'Read aloud' }).click();
    await lastMessage(page).getByRole('button', { name: 'Stop reading' }).waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await lastMessage(other).getByRole('button', { name: 'Read aloud' }).click();
    await lastMessage(other).getByRole('button', { name: 'Stop reading' }).waitFor();
    await lastMessage(page).getByRole('button', { name: 'Read aloud' }).waitFor();
    await other.close();
  });
});

describe('a conversation by voice', () => {
  test('a conversation by voice ends when another chat is opened', async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'A chat to leave');
    await answered(page);
    await page.getByRole('button', { name: 'Talk by voice' }).click();
    await voiceMode(page).waitFor();
    await expectAccessible(page);
    await openNewChat(page);
    await voiceMode(page).waitFor({ state: 'detached' });
    expect(await thread(page).getByRole('article').count()).toBe(0);
  });

  test('a conversation by voice hears a turn, sends it, reads the answer, and listens until Escape', async () => {
    const { page } = await stage.open('dave');
    await openNewChat(page);
    const states = await noteStates(page);
    await page.getByRole('button', { name: 'Talk by voice' }).click();
    await thread(page).getByText(SAID).first().waitFor();
    await soon(() => readings().length).toBeGreaterThan(0);
    // The next turn begins, by silence or, where the answer took long, by what is said again meanwhile.
    await soon(async () => (await states()).join(' ')).toMatch(/hearing.* thinking.* (?:listening|hearing)/);
    await page.keyboard.press('Escape');
    await microphone(page).waitFor();
    expect(await voiceMode(page).count()).toBe(0);
    expect(await action(lastMessage(page), 'Read aloud').count()).toBe(1);
  });

  test('speaking while an answer is read stops the answer and begins the next turn', async () => {
    const { page } = await stage.openElsewhere('erin');
    await openNewChat(page);
    const text = `${'Tell a long story, please. '.repeat(12)}[[slow:400]]`;
    await page.route('**/speech/stt', (route) => route.fulfill({ json: { text } }), { times: 1 });
    const states = await noteStates(page);
    await page.getByRole('button', { name: 'Talk by voice' }).click();
    await soon(async () => (await states()).join(' ')).toMatch(/speaking.* hearing/);
    await soon(() => stopButton(page).count()).toBe(0);
    await thread(page).getByText(SAID).first().waitFor();
    await page.keyboard.press('Escape');
    await microphone(page).waitFor();
  });
});
