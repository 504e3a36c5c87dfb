// What an answer makes opens beside it: a page, a picture, a document, a table. Nothing in a still one runs, and nothing
// in it reaches anything.
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openOutside } from '../../support/outside.ts';
import { answered, apiOf, ask, composer, lastMessage, openId, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

/** Every way that markup has to reach another place without a script, and some with one. */
function hostilePage(at: string): string {
  const away = `http://${at}`;
  return `<!doctype html>
<html><head>
<meta http-equiv="refresh" content="0;url=${away}/refresh">
<base href="${away}/base/">
<link rel="stylesheet" href="${away}/style.css"><link rel="prefetch" href="${away}/prefetch">
<link rel="preconnect" href="${away}"><link rel="dns-prefetch" href="${away}"><link rel="icon" href="${away}/icon">
<link rel="preload" as="image" href="${away}/preload"><link rel="modulepreload" href="${away}/module.js">
<style>@import url(${away}/import.css); @font-face { font-family: f; src: url(${away}/font.woff) }
h1 { font-family: f; background: url(${away}/background); cursor: url(${away}/cursor), auto; color: rgb(1, 2, 3) }</style>
</head><body background="${away}/body">
<h1>Herons</h1>
<script>parent.parent.stolen = 1; fetch('${away}/fetch'); new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }] });</script>
<script src="${away}/script.js"></script><script type="speculationrules">{"prerender":[{"urls":["${away}/rules"]}]}</script>
<img src="${away}/image" srcset="${away}/image2 2x" onerror="top.stolen = 2"><img src=x onerror="top.stolen = 3">
<picture><source srcset="${away}/source"><img></picture>
<video src="${away}/video" poster="${away}/poster" autoplay></video><audio src="${away}/audio" autoplay></audio>
<iframe src="${away}/frame"></iframe><iframe srcdoc="&lt;img src=${away}/nested&gt;"></iframe>
<object data="${away}/object"></object><embed src="${away}/embed">
<form id="form" action="${away}/form"><input type="image" src="${away}/input"><button>Send it</button></form>
<a id="link" href="${away}/link" ping="${away}/ping" target="_top">A link</a>
<svg width="9" height="9"><image href="${away}/svg-image"/><use href="${away}/use.svg#x"/>
<a><set attributeName="href" to="${away}/set"/><text>Animated</text></a><foreignObject><img src="${away}/foreign"></foreignObject></svg>
<noscript><p title="</noscript><img src=${away}/noscript>"></p></noscript>
<math><mtext><table><mglyph><style><img src=${away}/math></style></mglyph></table></mtext></math>
<template><img src="${away}/template"></template>
</body></html>`;
}

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="teal"/></svg>';

const NOTES = `# Pond notes\n\n${Array.from({ length: 20 }, (_, n) => `- Fish ${n}`).join('\n')}`;
const TABLE = `name,size\n${Array.from({ length: 20 }, (_, n) => `heron ${n},${n}`).join('\n')}`;

test('what an answer makes is opened by mouse, key and finger, in versions; nothing in it runs or reaches anything', async () => {
  const { page, tolerated } = await stage.open('alice');
  const { at, heard } = await openOutside();
  // What the hostile page tries.
  tolerated.push(/Content Security Policy|sandbox|Blocked|ERR_BLOCKED/);
  const say = (name: string, blocks: string[][]) => {
    const answer = blocks.map(([info, code]) => `\`\`\`${info}\n${code}\n\`\`\``).join('\n\nAnd then\n\n');
    stage.app.provider.script(name, { about: name, script: () => scriptedStream(textSteps(answer)) });
  };
  say('pages', [
    ['html title="Heron page"', hostilePage(at)],
    ['svg', PICTURE],
    ['js', 'let here = 1;'],
    ['markdown', NOTES],
    ['csv', TABLE],
  ]);
  say('changed', [['html title="Heron page"', hostilePage(at).replace('Herons', 'Grey herons')]]);
  await openNewChat(page);
  await ask(page, 'Draw a page [[pages]]');
  await answered(page);

  const pane = page.getByTestId('artifact-pane');
  const cards = lastMessage(page).locator('[data-artifact]');
  await soon(() => cards.count()).toBe(3);
  await soon(() => cards.first().innerText()).toMatch(/Heron page\s+Page · version 1 · \d+ lines/);
  const opener = cards.first().getByRole('button', { name: 'Open Heron page' });
  await opener.click();
  const shown = pane.frameLocator('iframe[title="Heron page"]').frameLocator('iframe');
  const heading = shown.getByRole('heading', { name: 'Herons' });
  await heading.waitFor();
  // Its own styles apply.
  await soon(() => heading.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
  await shown.locator('#link').click();
  await shown.getByRole('button', { name: 'Send it' }).click();
  await shown.getByText('Animated').click({ force: true });
  await heading.waitFor();
  // In the frame it leads nowhere: below it stands where it would.
  const listed = pane.getByRole('group').filter({ hasText: 'Links (1)' }).getByRole('link');
  expect(await listed.innerText()).toBe(`A link\n${at}`);
  for (const [name, value] of [
    ['href', `http://${at}/link`],
    ['target', '_blank'],
    ['rel', 'noopener noreferrer nofollow'],
  ] as const)
    expect(await listed.getAttribute(name)).toBe(value);
  await expectAccessible(page);

  // By key: to the message box and back, the other tabs, the whole page, closed with the focus where it was.
  await composer(page).focus();
  await page.keyboard.press('F6');
  await soon(() => pane.getByRole('tab', { name: 'Preview' }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('F6');
  await soon(() => composer(page).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('F6');
  await page.keyboard.press('ArrowRight');
  await pane.getByText('parent.parent.stolen').waitFor();
  await pane.getByRole('button', { name: 'Full screen' }).click();
  await soon(async () => (await pane.boundingBox())?.x).toBe(0);
  await page.keyboard.press('Escape');
  await soon(async () => ((await pane.boundingBox())?.x ?? 0) > 0).toBe(true);
  const saved = page.waitForEvent('download');
  await pane.getByRole('button', { name: 'Save as a file' }).click();
  expect((await saved).suggestedFilename()).toBe('Heron-page.html');
  // Among the files of its person it is one, however often it is put there.
  const keep = pane.getByRole('button', { name: 'Save to My files' });
  await keep.click();
  await page.getByText('Heron-page.html is in My files now.').waitFor();
  await keep.click();
  await page.getByText('Heron-page.html is in My files already.').waitFor();
  const { files } = await (await apiOf(stage.app, 'alice')).files.list.query();
  expect(files).toMatchObject([{ name: 'Heron-page.html', mime: 'text/html', expiresAt: null }]);
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
  await soon(() => opener.evaluate(isFocused)).toBe(true);

  await lastMessage(page).getByRole('button', { name: 'Open Pond notes' }).click();
  await pane.getByRole('heading', { name: 'Pond notes' }).last().waitFor();

  // An edit by hand is kept while it is typed, becomes a version that is in the answer, and can be undone.
  await pane.getByRole('tab', { name: 'Source' }).click();
  await pane.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = pane.getByRole('textbox', { name: 'Source' });
  await soon(() => editor.evaluate(isFocused)).toBe(true);
  await editor.fill('# My own notes\n\nNo fish.');
  await expectAccessible(page);
  await pane.getByRole('tab', { name: 'Preview' }).click();
  await pane.getByRole('tab', { name: 'Source' }).click();
  await soon(() => editor.inputValue()).toContain('My own notes');
  await editor.press('Control+Enter');
  await pane.getByRole('heading', { name: 'My own notes' }).waitFor();
  await pane.getByText('version 2 of 2').waitFor();
  await soon(() => cards.count()).toBe(4);
  expect(await cards.last().innerText()).toContain('edited by hand');
  await page.getByRole('button', { name: 'Undo' }).click();
  await soon(() => cards.count()).toBe(3);
  await pane.getByRole('heading', { name: 'Pond notes' }).last().waitFor();
  await lastMessage(page).getByRole('button', { name: 'Open Table' }).click();
  await pane.getByRole('cell', { name: 'heron 3' }).waitFor();
  // A short one is code with a button.
  const preview = lastMessage(page).getByRole('button', { name: 'Preview', exact: true });
  await soon(() => preview.count()).toBe(1);
  await preview.focus();
  await page.keyboard.press('Enter');
  const drawn = pane.frameLocator('iframe[title="Picture"]').frameLocator('iframe').locator('rect');
  await drawn.waitFor();
  await soon(async () => (await drawn.boundingBox())?.width).toBe(80);

  // The next version comes to anyone who looks at the newest.
  await opener.click();
  await heading.waitFor();
  await ask(page, 'Grey ones [[changed]]');
  await answered(page);
  await shown.getByRole('heading', { name: 'Grey herons' }).waitFor();
  await pane.getByText('version 2 of 2').waitFor();
  await pane.getByRole('tab', { name: 'Versions' }).click();
  await pane.getByRole('button', { name: /^Version 1/ }).click();
  await heading.waitFor();
  await pane.getByRole('button', { name: 'Close' }).click();

  await page.setViewportSize({ width: 390, height: 800 });
  await lastMessage(page).getByRole('button', { name: 'Open Heron page' }).click();
  await shown.getByRole('heading', { name: 'Grey herons' }).waitFor();
  await soon(async () => (await pane.boundingBox())?.width).toBe(390);
  await pane.getByRole('button', { name: 'Close' }).click();
  await pane.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1280, height: 720 });

  expect(heard()).toEqual([]);
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  expect(new URL(page.url()).pathname).toMatch(/^\/c\//);
});

/** It calls outside in the ways that no policy stops, then counts. */
const APP = (at: string) => `<title>Counter</title>
<p id="said">Not run</p><button id="more">More</button><a href="http://${at}/link">A link</a>
<script>
  const tries = [
    () => new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }] }).createOffer(),
    () => { document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="&lt;img src=http://${at}/a&gt;"></iframe>'); },
    () => { const f = document.createElement('iframe'); f.srcdoc = '<img src=http://${at}/b>'; document.body.append(f); },
    () => { location.href = 'javascript:"<img src=http://${at}/c>"'; },
    () => fetch('http://${at}/fetch'),
  ];
  for (const one of tries) try { one()?.catch?.(() => {}); } catch {}
  document.addEventListener('DOMContentLoaded', () => { said.textContent = 'Running'; });
  more.onclick = () => {
    localStorage.count = Number(localStorage.count ?? 0) + 1;
    said.textContent = 'Count ' + localStorage.count;
    if (localStorage.count === '2') lost.call();
  };
</script>`;

const COMPONENT = `import { useState } from 'react';
import * as d3 from 'd3';
interface Props { start?: number }
export default function Herons({ start = 1 }: Props) {
  const [count, setCount] = useState(start);
  return <button onClick={() => setCount(count + 1)}>{d3.format('.1f')(count)} herons</button>;
}
${'// more\n'.repeat(10)}`;

test('a page and an app run when their person says so, are stopped, and ask about their errors', async () => {
  const { page, tolerated } = await stage.open('alice');
  const { at, heard } = await openOutside();
  tolerated.push(/Content Security Policy|sandbox|Blocked|ERR_BLOCKED|Trusted|lost is not|not on the shelf/);
  const blocks = [
    ['html', APP(at)],
    ['tsx', COMPONENT],
    ['tsx title=Broken', COMPONENT.replace("from 'd3'", "from 'leaflet'")],
  ];
  const answer = blocks.map(([info, code]) => `\`\`\`${info}\n${code}\n\`\`\``).join('\n\nAnd\n\n');
  stage.app.provider.script('apps', { about: 'apps', script: () => scriptedStream(textSteps(answer)) });
  await openNewChat(page);
  await ask(page, 'Make an app [[apps]]');
  await answered(page);
  const pane = page.getByTestId('artifact-pane');
  await lastMessage(page).getByRole('button', { name: 'Open Counter' }).click();
  const still = pane.frameLocator('iframe[title="Counter"]').frameLocator('iframe');
  await still.getByText('Not run').waitFor();
  await pane.getByRole('button', { name: 'Run', exact: true }).click();
  const running = pane.frameLocator('iframe[title="Counter"][src*="frame.html"]');
  await running.getByText('Running').waitFor();
  await pane.getByText('Sealed').waitFor();
  await running.getByRole('button', { name: 'More' }).click();
  await running.getByText('Count 1').waitFor();
  await pane.getByText('/fetch. Nothing is loaded').waitFor();
  await running.getByText('A link').click();
  await soon(() => pane.getByRole('link', { name: 'Open the link' }).getAttribute('href')).toBe(`http://${at}/link`);
  // F6 goes from the chat to the pane, into the app and out again; the app itself cannot move the focus.
  const tab = pane.getByRole('tab', { name: 'Preview' });
  await tab.focus();
  await page.keyboard.press('F6');
  await soon(() => running.locator('body').evaluate(() => document.hasFocus())).toBe(true);
  await page.keyboard.press('F6');
  await soon(() => composer(page).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('F6');
  await soon(() => tab.evaluate(isFocused)).toBe(true);
  await running.locator('body').evaluate(() => {
    window.parent.postMessage({ state: 'left' }, '*');
    window.parent.postMessage({ state: 'link', address: 'http://example.com/after' }, '*');
  });
  await running.getByRole('button', { name: 'More' }).click();
  await pane.getByText('lost is not defined').waitFor();
  // What a program says past its guard is not heard.
  const offered = pane.getByRole('link', { name: 'Open the link' });
  expect(await offered.getAttribute('href')).toBe(`http://${at}/link`);
  // An error does not take the link away that a person has pressed.
  expect(await offered.isVisible()).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('F6');
  await soon(() => composer(page).evaluate(isFocused)).toBe(true);
  await composer(page).fill('Mine');
  await pane.getByRole('button', { name: 'Explain this error' }).click();
  await soon(() => composer(page).inputValue()).toMatch(
    /^Mine\n\n> .*lost is not defined.*\n\nWhat is the cause of this error in “Counter”/,
  );
  await composer(page).fill('');
  await pane.getByRole('button', { name: 'Stop' }).click();
  await still.getByText('Not run').waitFor();
  expect(heard()).toEqual([]);

  await pane.getByRole('tab', { name: 'Source' }).click();
  await pane.getByRole('region', { name: 'Source' }).getByText('Number').first().dblclick();
  await pane.getByRole('button', { name: 'Ask for a change' }).click();
  await soon(() => composer(page).inputValue()).toMatch(/^> Number\s*\n\nChange this in “Counter”: $/);
  await composer(page).fill('');

  await lastMessage(page).getByRole('button', { name: 'Open Herons' }).click();
  await pane.getByText('Run it to see it.').waitFor();
  await pane.getByRole('button', { name: 'Run', exact: true }).click();
  const app = pane.frameLocator('iframe[title="Herons"]');
  await app.getByRole('button', { name: '1.0 herons' }).click();
  await app.getByRole('button', { name: '2.0 herons' }).waitFor();
  await lastMessage(page).getByRole('button', { name: 'Open Broken' }).click();
  await pane.getByRole('button', { name: 'Run', exact: true }).click();
  await pane.getByText("It uses leaflet, which isn't available here.").waitFor();

  // Anyone who reads a shared copy opens the same, and it waits for them.
  const api = await apiOf(stage.app, 'alice');
  const { id } = await api.shares.create.mutate({ conversationId: openId(page), leafId: null });
  const { page: visitor, tolerated: by } = await stage.visitor();
  by.push(/Content Security Policy|sandbox|Blocked|ERR_BLOCKED|Trusted/);
  await visitor.goto(`/share/${id}`);
  await visitor.getByRole('button', { name: 'Open Counter' }).click();
  const shared = visitor.getByTestId('artifact-pane');
  await shared.frameLocator('iframe').frameLocator('iframe').getByText('Not run').waitFor();
  for (const name of ['Ask for a change', 'Save to My files'])
    expect(await shared.getByRole('button', { name }).count()).toBe(0);
  await shared.getByRole('button', { name: 'Run', exact: true }).click();
  await shared.frameLocator('iframe').getByText('Running').waitFor();
  await visitor.keyboard.press('F6');
  await soon(() =>
    shared
      .frameLocator('iframe')
      .locator('body')
      .evaluate(() => document.hasFocus()),
  ).toBe(true);
  await visitor.keyboard.press('F6');
  await soon(() => shared.getByRole('tab', { name: 'Preview' }).evaluate(isFocused)).toBe(true);
  await shared.getByRole('button', { name: 'Close' }).click();
  await shared.waitFor({ state: 'detached' });
  expect(heard()).toEqual([]);
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
