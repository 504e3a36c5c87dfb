// The parameters of a chat: set by pointer, by keys and by touch, heard by the provider, kept.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { isAskedAbout } from '../../support/exchange.ts';
import { PASSWORD } from '../../support/browser/app.ts';
import { addButton, openTools } from '../../support/browser/add-menu.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  answerText,
  ask,
  composer,
  lastMessage,
  openNewChat,
  sendButton,
} from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { hideSidePanel } from '../../support/browser/side-panel.ts';

const stage = withApp({
  GOOGLE_KEY: 'fake',
  GOOGLE_MODELS: 'gemini-pro,chat-bison,codechat-bison',
  OPENAI_MODELS: 'gpt-3.5-turbo,gpt-4,gpt-4-turbo-preview,gpt-5-mini,gpt-5.2',
  TAVILY_API_KEY: 'fake',
});

function button(page: Page): Locator {
  return page.getByTestId('params-button');
}

/** Of the popover; the side panel has the same fields. */
function panel(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Parameters' });
}

async function openParams(page: Page): Promise<Locator> {
  await button(page).click();
  await panel(page).waitFor();
  return panel(page);
}

function box(page: Page, name: string): Locator {
  return panel(page).getByRole('textbox', { name, exact: true });
}

function range(page: Page, name: string): Locator {
  return panel(page).getByRole('slider', { name, exact: true });
}

/** Presses on a slider at a part of its width. */
async function pressAt(slider: Locator, part: number): Promise<void> {
  await slider.scrollIntoViewIfNeeded();
  const { width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
  await slider.click({ position: { x: width * part, y: height / 2 } });
}

/** Without the panel beside the chat, whose strip takes the place of the button. */
async function openPage() {
  const visit = await stage.open('alice');
  await hideSidePanel(stage.app, 'alice');
  return visit;
}

/** A new chat in a browser that remembers no model and no parameter. */
async function openFresh(): Promise<Page> {
  const { page } = await openPage();
  await page.evaluate(() => localStorage.clear()).catch(() => undefined);
  await page.goto('/c/new');
  await button(page).waitFor();
  return page;
}

/** What the provider heard of a question. */
function heard(text: string): Record<string, unknown> {
  const request = stage.app.provider.requests.findLast(isAskedAbout(text));
  if (!request) throw new Error(`Nobody asked: ${text}`);
  return request.body as Record<string, unknown>;
}

async function pickModel(page: Page, model: string): Promise<void> {
  await page.locator('#new-conversation-menu').first().click();
  // Behind the name stands what is known of the model; one that was used before stands above the list, too.
  await page
    .getByRole('option', { name: new RegExp(`^${model}( |$)`) })
    .first()
    .click();
}

function modelOf(page: Page, model: string): Locator {
  return page.locator('#new-conversation-menu').first().getByText(model);
}

async function setTemperature(page: Page, value: string): Promise<void> {
  await openParams(page);
  await box(page, 'Temperature').fill(value);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'hidden' });
}

async function temperatureOf(page: Page): Promise<string> {
  await openParams(page);
  const value = await box(page, 'Temperature').inputValue();
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'hidden' });
  return value;
}

test('every kind of parameter is set by pointer, reaches the provider and survives a reload', async () => {
  const { page } = await openPage();
  await openNewChat(page);
  await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters');
  await openParams(page);

  await box(page, 'Custom name').fill('Ferdinand');
  await box(page, 'Custom instructions').fill('Answer as a heron would.');
  await box(page, 'Stop sequences').fill('END');
  await box(page, 'Stop sequences').press('Enter');
  await pressAt(range(page, 'Temperature'), 0.25);
  const shown = async () => Number(await box(page, 'Temperature').inputValue());
  await soon(shown).toBeLessThan(0.7);
  const temperature = await shown();
  expect(temperature).toBeGreaterThan(0.3);
  await box(page, 'Top P').fill('0,35');
  await box(page, 'Frequency penalty').fill('-1.5');
  await pressAt(range(page, 'Presence penalty'), 0.99);
  await soon(() => box(page, 'Presence penalty').inputValue()).toBe('2');
  await panel(page).getByRole('group', { name: 'Resend files' }).locator('label').first().click();
  await pressAt(range(page, 'Image detail'), 0.98);
  await soon(() => range(page, 'Image detail').getAttribute('aria-valuetext')).toBe('High');
  await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters: 9 changed');

  await ask(page, 'How do herons fish?');
  await panel(page).waitFor({ state: 'hidden' });
  await answered(page);
  const body = heard('How do herons fish?');
  expect(body).toMatchObject({
    messages: [
      { role: 'system', name: 'instructions', content: 'Instructions:\nAnswer as a heron would.' },
      { role: 'user', content: 'How do herons fish?' },
    ],
    stop: ['END'],
    temperature,
    top_p: 0.35,
    frequency_penalty: -1.5,
    presence_penalty: 2,
  });
  await lastMessage(page).getByText('Ferdinand', { exact: true }).waitFor();

  await page.reload();
  await answerText(page).first().waitFor();
  await lastMessage(page).getByText('Ferdinand', { exact: true }).waitFor();
  await openParams(page);
  await soon(() => box(page, 'Custom name').inputValue()).toBe('Ferdinand');
  await soon(() => box(page, 'Custom instructions').inputValue()).toBe('Answer as a heron would.');
  await panel(page).getByRole('button', { name: 'Remove \u2068END\u2069' }).waitFor();
  await soon(() => box(page, 'Temperature').inputValue()).toBe(String(temperature));
  await soon(() => box(page, 'Top P').inputValue()).toBe('0.35');
  await soon(() => panel(page).getByRole('switch', { name: 'Resend files' }).isChecked()).toBe(false);
  await soon(() => range(page, 'Image detail').getAttribute('aria-valuetext')).toBe('High');
});

test('a change in a conversation applies from the next question on, and all can be reset', async () => {
  const { page } = await openPage();
  await openNewChat(page);
  await ask(page, 'The first of two');
  await answered(page);
  await openParams(page);
  await box(page, 'Temperature').fill('0.1');
  await page.keyboard.press('Escape');
  await ask(page, 'The second of two');
  await answered(page);
  expect(heard('The second of two')).toMatchObject({ temperature: 0.1 });

  await openParams(page);
  await panel(page).getByRole('button', { name: 'Reset Temperature' }).waitFor();
  await panel(page).getByRole('button', { name: 'Reset all' }).click();
  await soon(() => box(page, 'Temperature').inputValue()).toBe('1');
  await soon(() =>
    panel(page)
      .getByRole('button', { name: /^Reset (?!all)/ })
      .count(),
  ).toBe(0);
  await soon(() => focused(page)).toBe('Reset all');
  await page.keyboard.press('Escape');
  await ask(page, 'The third of two');
  await answered(page);
  expect(heard('The third of two')).not.toHaveProperty('temperature');
  await page.reload();
  await answerText(page).first().waitFor();
  await button(page).waitFor();
  await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters');
});

testInFullRun(
  'settings of a new chat survive a reload, for each endpoint, and do not reach the next new chat',
  async () => {
    const page = await openFresh();
    await setTemperature(page, '0.3');
    await pickModel(page, 'gemini-pro');
    await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters');
    await setTemperature(page, '0.6');

    await page.reload();
    await modelOf(page, 'gemini-pro').waitFor();
    expect(await temperatureOf(page)).toBe('0.6');
    await pickModel(page, 'gpt-4');
    expect(await temperatureOf(page)).toBe('0.3');
    await page.reload();
    await modelOf(page, 'gpt-4').waitFor();
    expect(await temperatureOf(page)).toBe('0.3');
    await pickModel(page, 'gemini-pro');
    expect(await temperatureOf(page)).toBe('0.6');
    await pickModel(page, 'gpt-4');

    await ask(page, 'Set before the reload');
    await answered(page);
    expect(heard('Set before the reload')).toMatchObject({ temperature: 0.3 });

    // A new chat starts with what was used last.
    await openNewChat(page);
    await setTemperature(page, '0.8');
    await openNewChat(page);
    expect(await temperatureOf(page)).toBe('0.3');
    await setTemperature(page, '0.8');
    await page.goto('/c/new');
    await modelOf(page, 'gpt-4').waitFor();
    expect(await temperatureOf(page)).toBe('0.3');
    await pickModel(page, 'gemini-pro');
    await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters');
  },
);

testInFullRun('settings of a new chat are not visible to the next user of the browser', async () => {
  const { page } = await stage.openElsewhere('dora');
  await hideSidePanel(stage.app, 'dora');
  await openNewChat(page);
  await setTemperature(page, '0.3');
  await page.getByRole('button', { name: 'dora example' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await stage.open('erin');
  await hideSidePanel(stage.app, 'erin');
  await page.getByLabel('Email', { exact: true }).fill('erin@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/c/new');
  await button(page).waitFor();
  await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters');
  await page.reload();
  await button(page).waitFor();
  await soon(() => button(page).getAttribute('aria-label')).toBe('Parameters');
});

testInFullRun('every kind of parameter is set by keyboard, and Escape returns to the button', async () => {
  const page = await openFresh();
  await button(page).focus();
  await page.keyboard.press('Enter');
  await panel(page).waitFor();
  await soon(() => focused(page)).toBe('Reset all');

  const type = async (name: string, text: string) => {
    await goTo(page, name, 'Tab');
    await page.keyboard.type(text);
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await type('Custom name', 'Keys');
  await type('Custom instructions', 'Be brief.');
  await type('Stop sequences', 'one');
  await press('Enter');
  await page.keyboard.type('two');
  await press('Enter', 'Backspace');
  // The box for the number comes before its slider.
  await goTo(page, 'Temperature', 'Tab');
  await goTo(page, 'Temperature', 'Tab');
  await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await goTo(page, 'Top P', 'Tab');
  await goTo(page, 'Top P', 'Tab');
  await press('Home');
  await goTo(page, 'Presence penalty', 'Tab');
  await goTo(page, 'Presence penalty', 'Tab');
  await press('End');
  await goTo(page, 'Resend files', 'Tab');
  await press('Space');
  await goTo(page, 'Image detail', 'Tab');
  await press('ArrowLeft');
  await expectAccessible(page);
  await press('Escape');
  await panel(page).waitFor({ state: 'hidden' });
  await soon(() => focused(page)).toBe('Parameters: 8 changed');

  await ask(page, 'Asked by keys');
  await answered(page);
  expect(heard('Asked by keys')).toMatchObject({ stop: ['one'], temperature: 0.97, top_p: 0, presence_penalty: 2 });
  await openParams(page);
  await soon(() => range(page, 'Image detail').getAttribute('aria-valuetext')).toBe('Low');
  await range(page, 'Temperature').dblclick();
  await soon(() => box(page, 'Temperature').inputValue()).toBe('1');
});

test('a fifth stop sequence removes the first, and says so', async () => {
  const { page } = await openPage();
  await openNewChat(page);
  await openParams(page);
  for (const tag of ['a', 'b', 'c', 'd', 'e']) {
    await box(page, 'Stop sequences').fill(tag);
    await box(page, 'Stop sequences').press('Enter');
  }
  await panel(page).getByText('Maximum number allowed is 4, using latest values').waitFor();
  await page.keyboard.press('Escape');
  await ask(page, 'With many ends');
  await answered(page);
  expect(heard('With many ends')).toMatchObject({ stop: ['b', 'c', 'd', 'e'] });
});

test('an invalid number is reported, kept in its box and not sent', async () => {
  const { page } = await openPage();
  await openNewChat(page);
  await openParams(page);
  await box(page, 'Temperature').fill('0.4');
  await box(page, 'Temperature').fill('hot');
  await panel(page).getByText('Enter a number from 0 to 2. Until then, 0.4 is used.').waitFor();
  await expectAccessible(page);
  await composer(page).focus();
  await panel(page).waitFor({ state: 'hidden' });
  await ask(page, 'Rather hot');
  await answered(page);
  expect(heard('Rather hot')).toMatchObject({ temperature: 0.4 });
  await openParams(page);
  await soon(() => box(page, 'Temperature').inputValue()).toBe('hot');
  await panel(page).getByRole('button', { name: 'Reset Temperature' }).click();
  await soon(() => box(page, 'Temperature').inputValue()).toBe('1');
});

testInFullRun(
  'another model keeps the settings within its bounds; examples show where they are supported',
  async () => {
    const page = await openFresh();
    await pickModel(page, 'gemini-pro');
    await openParams(page);
    await soon(() => range(page, 'Max output tokens').getAttribute('max')).toBe('8192');
    await box(page, 'Max output tokens').fill('5000');
    await box(page, 'Top K').fill('7');
    await soon(() => panel(page).getByText('Examples', { exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await pickModel(page, 'chat-bison');
    await openParams(page);
    await soon(() => box(page, 'Max output tokens').inputValue()).toBe('2048');
    await soon(() => range(page, 'Max output tokens').getAttribute('max')).toBe('2048');
    await soon(() => box(page, 'Top K').inputValue()).toBe('7');
    await box(page, 'Example 1: input').fill('Hi');
    await panel(page).getByRole('button', { name: 'Add an example' }).click();
    await box(page, 'Example 2: input').waitFor();
    await panel(page).getByRole('button', { name: 'Remove example 2' }).click();
    await panel(page).getByRole('button', { name: 'Remove example 1' }).click();
    await soon(() => box(page, 'Example 1: input').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await pickModel(page, 'codechat-bison');
    await openParams(page);
    await soon(() => panel(page).getByText('Examples', { exact: true }).count()).toBe(0);
  },
);

testInFullRun('on a phone every control is large enough for a finger, and nothing overflows the screen', async () => {
  const { page } = await stage.openElsewhere('alice', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  await page.goto('/c/new');
  await page.getByTestId('header-more').tap();
  await page.getByRole('menuitem', { name: 'Parameters' }).tap();
  await panel(page).waitFor();
  const { x = -1, width = 0 } = (await panel(page).boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect([x, 390 - x - width], 'as far from one edge as from the other').toEqual([10, 10]);
  await box(page, 'Stop sequences').fill('END');
  await box(page, 'Stop sequences').press('Enter');
  const small = await panel(page).evaluate((dialog) =>
    [...dialog.querySelectorAll<HTMLElement>('input:not([role=switch]), textarea, button')]
      .filter((element) => element.checkVisibility() && !element.closest('[class*=tags]'))
      .filter((element) => element.getBoundingClientRect().height < 43.5)
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(small).toEqual([]);
  expect(await panel(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0);
  await pressAt(range(page, 'Temperature'), 0.01);
  await expectAccessible(page);
  await page.touchscreen.tap(380, 838);
  await panel(page).waitFor({ state: 'hidden' });
  await composer(page).fill('From a phone');
  await sendButton(page).tap();
  await answerText(page).first().waitFor();
  await answered(page);
  expect(heard('From a phone')).toMatchObject({ temperature: 0, stop: ['END'] });
  await action(lastMessage(page), 'Copy to clipboard').waitFor();
});

testInFullRun('reasoning effort is shown for models that support it, with the levels of each model', async () => {
  const page = await openFresh();
  await pickModel(page, 'gpt-5-mini');
  await openParams(page);
  await soon(() => range(page, 'Temperature').count()).toBe(0);
  await range(page, 'Thinking effort').focus();
  await page.keyboard.press('ArrowRight');
  await soon(() => range(page, 'Thinking effort').getAttribute('aria-valuetext')).toBe('Minimal');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await ask(page, 'Why is the sky blue?');
  await answered(page);
  expect(heard('Why is the sky blue?')).toMatchObject({ reasoning_effort: 'minimal' });

  await pickModel(page, 'gpt-5.2');
  await openParams(page);
  await soon(() => range(page, 'Thinking effort').getAttribute('aria-valuetext')).toBe('Auto');
  await page.keyboard.press('Escape');
  await pickModel(page, 'gpt-4');
  await openParams(page);
  await soon(() => range(page, 'Thinking effort').count()).toBe(0);
  await soon(() => box(page, 'Temperature').inputValue()).toBe('1');
});

test('effort and the search of the web stand beside the box and agree with the panel; on a phone in the menu', async () => {
  const page = await openFresh();
  const effort = page.getByTestId('effort-button');
  const web = page.getByRole('button', { name: 'Search the web' });
  await web.waitFor();
  expect(await effort.count()).toBe(0);
  await pickModel(page, 'gpt-5.2');
  await soon(() => effort.innerText()).toBe('Effort');
  await effort.focus();
  await page.keyboard.press('Enter');
  const levels = page.getByRole('menuitemradio');
  await soon(() => levels.allInnerTexts()).toEqual(['Auto', 'Off', 'Low', 'Medium', 'High', 'Higher']);
  await expectAccessible(page);
  await page.keyboard.type('hi');
  await page.keyboard.press('Enter');
  await soon(() => effort.innerText()).toBe('Effort: High');
  await web.click();
  await soon(() => web.getAttribute('aria-pressed')).toBe('true');
  expect(await page.getByRole('button', { name: 'Switch off Web search' }).count()).toBe(0);
  await expectAccessible(page);

  await openParams(page);
  await soon(() => range(page, 'Thinking effort').getAttribute('aria-valuetext')).toBe('High');
  await range(page, 'Thinking effort').press('ArrowLeft');
  await page.keyboard.press('Escape');
  await soon(() => effort.innerText()).toBe('Effort: Medium');
  await page.reload();
  await soon(() => effort.innerText()).toBe('Effort: Medium');
  const tools = await openTools(page);
  await soon(() => tools.getByRole('switch', { name: 'Web search' }).isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await ask(page, 'Which storks winter here?');
  await answered(page);
  const body = heard('Which storks winter here?');
  expect(body).toMatchObject({ reasoning_effort: 'medium' });
  expect(JSON.stringify(body.tools)).toContain('web_search');

  const { page: phone } = await stage.openElsewhere('alice', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await phone.goto(new URL(page.url()).pathname);
  const chip = phone.getByRole('button', { name: 'Think as usual' });
  await chip.waitFor();
  await phone.getByRole('button', { name: 'Switch off Web search' }).waitFor();
  expect(await phone.getByTestId('effort-button').count()).toBe(0);
  await chip.tap();
  await chip.waitFor({ state: 'detached' });
  await addButton(phone).tap();
  await phone.getByRole('menuitem', { name: 'Effort: Auto' }).tap();
  await soon(() => focused(phone)).toBe('Auto');
  await expectAccessible(phone);
  await phone.getByRole('menuitemradio', { name: 'Low' }).tap();
  await phone.getByRole('menu').waitFor({ state: 'detached' });
  await phone.getByText('Effort: Low').waitFor();
  await addButton(phone).tap();
  await phone.getByRole('menuitemcheckbox', { name: 'Search the web', checked: true }).tap();
  await phone.getByRole('button', { name: 'Switch off Web search' }).waitFor({ state: 'detached' });
});
