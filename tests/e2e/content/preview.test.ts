// A page or picture in an answer, shown beside its code: nothing in it runs, and nothing in it reaches anything.
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { expect, onTestFinished, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

/** Counts connections, also those over which nothing is asked. */
async function listen(): Promise<{ at: string; calls: string[] }> {
  const calls: string[] = [];
  const server: Server = createServer((socket) => {
    calls.push('a connection');
    socket.on('data', (data) => calls.push(String(data).split('\r\n')[0] ?? '')).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { at: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

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

test('a page and a picture are shown by mouse and by key; nothing runs, and nothing reaches the network or the page', async () => {
  const { page, tolerated } = await stage.open('alice');
  const { at, calls } = await listen();
  // What the hostile page tries.
  tolerated.push(/Content Security Policy|sandbox|Blocked|ERR_BLOCKED/);
  const blocks = [
    ['html', hostilePage(at)],
    ['svg', PICTURE],
    ['js', 'let here = 1;'],
  ];
  const answer = blocks.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``).join('\n\nAnd then\n\n');
  stage.app.provider.script('pages', { about: 'pages', script: () => scriptedStream(textSteps(answer)) });
  await openNewChat(page);
  await ask(page, 'Draw a page [[pages]]');
  await answered(page);

  const buttons = lastMessage(page).getByRole('button', { name: 'Preview', exact: true });
  await soon(() => buttons.count()).toBe(2);
  await buttons.first().click();
  const shown = lastMessage(page).frameLocator('iframe[title="Preview"]').first().frameLocator('iframe');
  const heading = shown.getByRole('heading', { name: 'Herons' });
  await heading.waitFor();
  // Its own styles apply.
  await soon(() => heading.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
  await shown.locator('#link').click();
  await shown.getByRole('button', { name: 'Send it' }).click();
  await shown.getByText('Animated').click({ force: true });
  await heading.waitFor();
  await expectAccessible(page);

  await buttons.last().focus();
  await page.keyboard.press('Enter');
  const drawn = lastMessage(page).frameLocator('iframe[title="Preview"]').last().frameLocator('iframe').locator('rect');
  await drawn.waitFor();
  await soon(async () => (await drawn.boundingBox())?.width).toBe(80);
  await page.keyboard.press('Enter');
  await soon(() => lastMessage(page).locator('iframe[title="Preview"]').count()).toBe(1);
  await buttons.first().click();
  await soon(() => lastMessage(page).locator('iframe').count()).toBe(0);

  // The listener hears what reaches it.
  const ending = new AbortController();
  const asking = fetch(`http://${at}/heard`, { signal: ending.signal }).catch(() => null);
  await soon(() => calls).toEqual(['a connection', 'GET /heard HTTP/1.1']);
  ending.abort();
  expect(await asking).toBeNull();
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  expect(new URL(page.url()).pathname).toMatch(/^\/c\//);
});
