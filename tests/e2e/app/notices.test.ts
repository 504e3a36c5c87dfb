// What tells of an answer that ends where nobody looks: the tab, and the browser's notice.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakePush, type FakePush } from '@parley/scripts/fake-push/push-service';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { apiOf, ask, answered, composer, conversation, openId, openNewChat } from '../../support/browser/chat.ts';
import { exchangeByApi } from './ask-elsewhere.ts';

const stage = withApp({ TITLE_CONVO: 'false', PUSH: 'on', PUSH_HOSTS: '.localhost,127.0.0.1' });

let push: FakePush;
beforeAll(async () => {
  push = await startFakePush();
});
afterAll(() => push.close());

/** The notices that pages of a context have shown and closed; the browser's own are shown as well. */
async function recordNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(`{
    const Real = window.Notification;
    window.shownNotices = [];
    window.Notification = class extends Real {
      constructor(title, options) {
        super(title, options);
        this.told = { title, body: options.body, tag: options.tag };
        window.shownNotices.push(this);
      }
      close() { this.told.isClosed = true; super.close(); }
    };
  }`);
}

/** Chromium's headless shell tells pages that notices are denied, also where they are granted. */
async function grantNotices(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['notifications']);
  const script = `Object.defineProperty(Notification, 'permission', { get: () => 'granted' })`;
  await context.addInitScript(script);
  for (const page of context.pages()) await page.evaluate(script);
}

interface Told {
  title: string;
  body: string;
  tag: string;
  isClosed?: true;
}

const toldBy = (page: Page) => page.evaluate<Told[]>('window.shownNotices.map(({ told }) => told)');

/** As when another tab, or another program, covers the page; this browser never hides one by itself. */
function setVisible(page: Page, state: 'visible' | 'hidden'): Promise<unknown> {
  return page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);
}

const iconOf = (page: Page) => page.locator('link[rel="icon"]').getAttribute('href');

async function openNotices(page: Page) {
  await page.getByTestId('landing-title').waitFor();
  await composer(page).focus();
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Notices' }).click();
  return dialog.getByRole('tabpanel', { name: 'Notices' });
}

test('the tab gets a dot and the name of a chat that ends unseen, until the chat is seen', async () => {
  const { page } = await stage.openElsewhere('alice');
  const api = await apiOf(stage.app, 'alice');
  await openNewChat(page);
  await ask(page, 'First');
  await answered(page);
  await soon(() => page.title()).not.toMatch(/^●/);
  const { conversationId } = await exchangeByApi(api, 'Elsewhere');
  await api.convos.rename.mutate({ conversationId, title: 'The other chat' });
  await soon(() => page.title()).toBe('● The other chat');
  expect(await iconOf(page)).toBe('/icon-unseen.svg');
  // What is opened meanwhile does not take it away.
  await openNewChat(page);
  await exchangeByApi(api, 'Again', conversationId);
  await soon(() => page.title()).toBe('● The other chat');
  await page
    .getByRole('link', { name: /The other chat/ })
    .first()
    .click();
  await page.waitForURL(`**/c/${conversationId}`);
  await soon(() => page.title()).toBe('The other chat · Parley');
  expect(await iconOf(page)).toBe('/icon.svg');
});

test('a chat that is open in a visible page gets no mark; one in a hidden page does, until it is shown again', async () => {
  const { page } = await stage.openElsewhere('bob');
  const api = await apiOf(stage.app, 'bob');
  await openNewChat(page);
  await ask(page, 'First');
  await answered(page);
  const id = openId(page);
  await exchangeByApi(api, 'Second', id);
  await page.getByText('Second').first().waitFor();
  expect(await page.title()).not.toMatch(/^●/);
  await setVisible(page, 'hidden');
  await exchangeByApi(api, 'Third', id);
  await soon(() => page.title()).toMatch(/^● /);
  // Its person marks it as unread: no news.
  await setVisible(page, 'visible');
  await soon(() => page.title()).not.toMatch(/^●/);
  await api.convos.update.mutate({ conversationId: id, isUnread: true });
  await exchangeByApi(api, 'Fourth', id);
  await page.getByText('Fourth').first().waitFor();
  expect(await page.title()).not.toMatch(/^●/);
});

test('the browser is asked by a button only; then two tabs show one notice, which counts, and goes when all are seen', async () => {
  const { page, context } = await stage.openElsewhere('carol', { permissions: [] });
  await recordNotices(context);
  const api = await apiOf(stage.app, 'carol');
  await page.goto('/c/new');
  await grantNotices(context);
  const section = await openNotices(page);
  await section.getByText('A dot on the tab tells you').waitFor();
  expect(await section.getByRole('switch', { name: 'In this browser' }).count()).toBe(0);
  await section.getByRole('switch', { name: 'Tell me about answers' }).press('Space');
  await section.getByRole('switch', { name: 'In this browser' }).waitFor({ state: 'attached' });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const other = await context.newPage();
  await other.goto('/c/new');
  await composer(other).waitFor();
  const told = async () => [...(await toldBy(page)), ...(await toldBy(other))];
  const first = await exchangeByApi(api, 'One');
  await soon(told).toEqual([{ title: 'An answer is ready', body: '', tag: 'answers' }]);
  const second = await exchangeByApi(api, 'Two');
  await soon(async () => (await told()).map(({ title }) => title)).toEqual([
    'An answer is ready',
    '2 answers are ready',
  ]);
  for (const [title, { conversationId }] of Object.entries({ One: first, Two: second })) {
    await api.convos.rename.mutate({ conversationId, title });
    await conversation(page, title).click();
    await page.waitForURL(`**/c/${conversationId}`);
  }
  await soon(async () => (await told()).at(-1)?.isClosed).toBe(true);
  await soon(() => other.title()).not.toMatch(/^●/);
});

test('a notice names the chat where that is allowed, none comes for a chat that a page shows, and a click opens it', async () => {
  const { page, context } = await stage.openElsewhere('dave');
  await grantNotices(context);
  await recordNotices(context);
  const api = await apiOf(stage.app, 'dave');
  await api.settings.set.mutate({ notices: { isOn: true, hasTitles: true, hasMail: false } });
  const { conversationId } = await exchangeByApi(api, 'One');
  await api.convos.rename.mutate({ conversationId, title: 'Umbrellas' });
  const watches = followWatches(page);
  await page.goto(`/c/${conversationId}`);
  await watches.until(`"conversationId":"${conversationId}"`);
  await exchangeByApi(api, 'Seen', conversationId);
  await page.getByText('Seen').first().waitFor();
  await page.goto('/c/new');
  await watches.until('"conversationId":null');
  await exchangeByApi(api, 'Unseen', conversationId);
  await soon(() => toldBy(page)).toEqual([{ title: 'Umbrellas', body: 'An answer is ready', tag: 'answers' }]);
  await page.evaluate('window.shownNotices[0].onclick()');
  await page.waitForURL(`**/c/${conversationId}`);
});

test('a browser that blocks notices says how to change that', async () => {
  const { page, context } = await stage.openElsewhere('erin');
  await context.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`);
  await page.goto('/c/new');
  const section = await openNotices(page);
  await section.getByRole('switch', { name: 'Tell me about answers' }).press('Space');
  await section.getByText('Your browser blocks them.').waitFor();
  expect(await section.getByRole('button', { name: 'Allow notices' }).count()).toBe(0);
  await expectAccessible(page);
});

test('a device gets notices by push, is tried and listed, and its worker shows what comes', async () => {
  const { page, context, tolerated } = await stage.openElsewhere('frank', { serviceWorkers: 'allow' });
  await grantNotices(context);
  await page.goto('/c/new');
  const section = await openNotices(page);
  await section.getByRole('switch', { name: 'Tell me about answers' }).press('Space');
  await section.getByText('No device gets notices').waitFor();
  const { publicKey } = await (await apiOf(stage.app, 'frank')).notices.devices.query();
  const device = push.subscribe(publicKey);
  // This browser has no push service here: the test's stands in for it.
  await page.evaluate(
    `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(device.subscription)}) })`,
  );
  await section.getByRole('switch', { name: 'On this device' }).press('Space');
  await section.getByText('This device', { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('A notice is on its way to this device.').waitFor();
  await soon(() => device.messages.length).toBe(1);
  const message = device.messages[0]?.text ?? '';
  await expectAccessible(page);

  const session = await context.newCDPSession(page);
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
    void session.send('ServiceWorker.enable');
  });
  await recordWorkerNotices(context);
  await session.send('ServiceWorker.deliverPushMessage', { origin: stage.app.url, registrationId, data: message });
  await soon(() => shownByWorker(context)).toEqual(['Parley /']);
  expect(await pressNotices(context)).toEqual([`${stage.app.url}/`]);
  expect(await shownByWorker(context)).toEqual([]);
  // Only a page of this server is opened, whatever the push service was sent.
  const foreign = JSON.stringify({ title: 'Parley', body: 'Foreign', path: 'https://elsewhere.example/' });
  await session.send('ServiceWorker.deliverPushMessage', { origin: stage.app.url, registrationId, data: foreign });
  await soon(() => shownByWorker(context)).toEqual(['Parley https://elsewhere.example/']);
  expect(await pressNotices(context)).toEqual([]);

  device.answer(410);
  tolerated.push(/Failed to load/);
  await section.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The push service did not take it.').waitFor();
  await section.getByText('No device gets notices').waitFor();
});

test('what is typed becomes the question of a new schedule, and stays in the box', async () => {
  const { page } = await stage.openElsewhere('grace');
  await openNewChat(page);
  await composer(page).fill('What happened in the night?');
  await page.getByTestId('add-button').click();
  await page.getByRole('menuitem', { name: 'Schedule this question' }).click();
  await page.waitForURL('**/schedules/new');
  await soon(() => page.getByLabel('Question').inputValue()).toBe('What happened in the night?');
  await page.goBack();
  await soon(() => composer(page).inputValue()).toBe('What happened in the night?');
});

function inWorker<Value>(context: BrowserContext, script: string): Promise<Value> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no service worker');
  return worker.evaluate<Value>(script);
}

/** Keeps what the worker shows, and shows nothing: the headless shell has no notices. */
function recordWorkerNotices(context: BrowserContext): Promise<void> {
  return inWorker(
    context,
    `{
      self.shown = new Set();
      self.registration.showNotification = async (title, options) => {
        const notification = { title, ...options, close: () => self.shown.delete(notification) };
        self.shown.add(notification);
      };
    }`,
  );
}

const shownByWorker = (context: BrowserContext) =>
  inWorker<string[]>(context, '[...self.shown].map(({ title, data }) => title + " " + data.path)');

/** Presses what the worker shows. Resolves to the addresses that it opens, which browsers allow to presses of people only. */
function pressNotices(context: BrowserContext): Promise<string[]> {
  return inWorker(
    context,
    `(async () => {
      const opened = [];
      self.clients.openWindow = async (address) => void opened.push(address);
      for (const notification of self.shown) {
        const ends = [];
        const press = new ExtendableEvent('notificationclick');
        self.dispatchEvent(Object.assign(press, { notification, waitUntil: (end) => ends.push(end) }));
        await Promise.all(ends);
      }
      return opened;
    })()`,
  );
}

/** What a page tells the server that it shows, from now on. */
function followWatches(page: Page) {
  const told: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => String(payload).includes('notices.watch') && told.push(String(payload))),
  );
  return { until: (shown: string) => soon(() => told.at(-1) ?? '').toContain(shown) };
}
