// What is typed into the message box reaches no program, and a program has the keyboard when its person enters it.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { composer } from '../../support/browser/chat.ts';
import { runScript } from './run-script.ts';

/** The browser itself refuses the focus that a dialog would take. */
const stage = withApp(undefined, [/Blocked autofocusing/]);

/** It says every key that it hears, and what its field holds. */
const LISTENS = `const field = document.createElement('input');
  field.setAttribute('aria-label', 'Heard');
  document.body.prepend(field);
  addEventListener('keydown', ({ key }) => console.log('heard ' + key), true);
  field.addEventListener('input', () => console.log('holds ' + field.value));
  said.textContent = 'Running';`;

const THEFTS: Record<string, string> = {
  'focuses its field': 'field.focus()',
  'focuses its window': 'window.focus()',
  'focuses what can be edited': 'said.contentEditable = true; said.focus()',
  'selects its field': 'field.select(); field.setSelectionRange(0, 0)',
  'opens a dialog': 'dialog.close(); dialog.showModal()',
};

function listenTo(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (/^(?:heard|holds) /.test(message.text())) heard.push(message.text());
  });
  return heard;
}

const DIALOG =
  "const dialog = document.createElement('dialog'); dialog.innerHTML = '<input autofocus>'; document.body.append(dialog);";
const steals = (way: string) => `setInterval(() => { ${way} }, 20);`;
/** A little after its person has gone from it to the message box. */
const stealsLater = (way: string) =>
  `addEventListener('blur', () => setTimeout(() => { ${steals(way)} }, 400), { once: true });`;

/** Milliseconds that a key may take. */
const KEY_MS = 500;
const WORDS = 'The heron stands by the pond and waits for fish.';

/** Types without waiting for each key: Chromium answers none that was on its way to a frame that is removed. */
async function typeOn(page: Page, delay = 0): Promise<void> {
  for (const key of WORDS) {
    const typed = page.keyboard.type(key, { delay });
    typed.catch(() => {});
    await Promise.race([typed, page.waitForTimeout(KEY_MS)]);
  }
}

const ENDED = 'It took the keyboard while you were in a field of this page';

test.each(Object.entries(THEFTS))(
  'a program that %s by a timer hears nothing of what is typed into the message box, and is ended',
  async (name, way) => {
    const { page } = await stage.open('alice');
    const program = `${LISTENS}${DIALOG}${stealsLater(way)}`;
    const { pane, frame } = await runScript(stage.app, page, `a program that ${name}`, program);
    await runs(page);
    await page.mouse.click(...(await middleOf(frame)));
    await soon(() => frame.evaluate(isFocused)).toBe(true);
    const heard = listenTo(page);
    await composer(page).click();
    await typeOn(page, 30);
    await pane.getByText(ENDED).waitFor();
    await frame.waitFor({ state: 'detached' });
    expect(heard).toEqual([]);
    // Only what was typed while the focus was away is lost.
    await soon(() => composer(page).evaluate(isFocused)).toBe(true);
    const kept = await composer(page).inputValue();
    await page.keyboard.type(' More.');
    await soon(() => composer(page).inputValue()).toBe(`${kept} More.`);
  },
);

test('a program that takes the focus back as soon as its person has left it hears nothing, and is ended', async () => {
  const { page } = await stage.open('alice');
  const program = `${LISTENS}addEventListener('blur', () => setTimeout(() => { field.focus(); for (const until = Date.now() + 100; Date.now() < until; ); }));`;
  const { pane, frame } = await runScript(stage.app, page, 'a thief', program);
  await runs(page);
  await page.mouse.click(...(await middleOf(frame)));
  await soon(() => frame.evaluate(isFocused)).toBe(true);
  const heard = listenTo(page);
  await composer(page).click();
  await typeOn(page);
  await pane.getByText(ENDED).waitFor();
  await frame.waitFor({ state: 'detached' });
  expect(heard).toEqual([]);
  await soon(() => composer(page).evaluate(isFocused)).toBe(true);
});

test('a program is entered from the message box by a press, Tab and F6, and left by F6', async () => {
  const { page } = await stage.open('alice');
  const { pane, frame } = await runScript(stage.app, page, 'an honest program', LISTENS);
  await runs(page);
  const heard = listenTo(page);
  const field = pane.frameLocator('iframe[src="/artifact/frame.html"]').getByLabel('Heard');
  const enter = async (go: () => Promise<void>, text: string, said = `holds ${text}`) => {
    await field.evaluate((one) => Object.assign(one, { value: '' }));
    await composer(page).click();
    await go();
    await soon(() => frame.evaluate(isFocused)).toBe(true);
    // Nobody types before the page has answered.
    await page.waitForTimeout(200);
    await page.keyboard.type(text);
    await soon(() => heard.at(-1)).toBe(said);
    expect(await composer(page).inputValue()).toBe('');
  };
  await enter(async () => page.mouse.click(...(await middleOf(frame, field))), 'pressed');
  await enter(() => tabTo(page, frame), 'tabbed');
  await enter(
    async () => {
      await page.keyboard.press('F6');
      await soon(() => pane.getByRole('tab', { name: 'Preview' }).evaluate(isFocused)).toBe(true);
      await page.keyboard.press('F6');
      // It has the keys, and no field of it has the focus.
    },
    'x',
    'heard x',
  );
  await page.keyboard.press('F6');
  await soon(() => composer(page).evaluate(isFocused)).toBe(true);
  // Longer than it takes until a theft is one.
  await page.waitForTimeout(500);
  await runs(page);
});

test('a program may focus its own field where no field of the page has the focus', async () => {
  const { page } = await stage.open('alice');
  await runScript(stage.app, page, 'a program with a field', `${LISTENS} field.focus();`);
  await runs(page);
  const heard = listenTo(page);
  await page.keyboard.type('at once');
  await soon(() => heard.at(-1)).toBe('holds at once');
});

function isFocused(element: Element): boolean {
  return document.hasFocus() && element === document.activeElement;
}

async function runs(page: Page): Promise<void> {
  await page.frameLocator('iframe[src="/artifact/frame.html"]').getByText('Running').waitFor();
}

async function tabTo(page: Page, frame: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if (await frame.evaluate(isFocused)) return;
  }
  throw new Error('Tab never reached the frame.');
}

/** Of the frame, or of an element in it, on the page's screen. */
async function middleOf(frame: Locator, element = frame): Promise<[x: number, y: number]> {
  const box = await element.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  return [box.x + box.width / 2, box.y + box.height / 2];
}
