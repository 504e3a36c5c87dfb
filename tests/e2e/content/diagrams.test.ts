// Diagrams in answers: drawn where they are complete, in a frame that reaches nothing of the page.
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

const FLOW = '```mermaid\nflowchart LR\n  Heron --> Lake\n  Lake --> Fish\n```';
const BROKEN = '```mermaid\nflowchart LR\n  Heron --> --> Lake\n```';
/** What a diagram may try: scripts in labels, links that run one, directives that lower the guard. */
const HOSTILE = [
  '```mermaid',
  '%%{init: {"securityLevel": "loose", "themeCSS": "@import url(https://example.com/x.css);"}}%%',
  'flowchart LR',
  '  A["<img src=x onerror=parent.stolen=1><script>parent.stolen=2</script>Label"] --> B',
  '  click A "javascript:parent.stolen=3"',
  '  click B href "https://example.com/away" _top',
  '```',
].join('\n');

test('a diagram is drawn, shows its source, is saved, and cannot reach the page', async () => {
  const { page, tolerated } = await stage.open('alice');
  // What the hostile one tries.
  tolerated.push(/Content Security Policy|frame/);
  await openNewChat(page);
  const texts = [FLOW, BROKEN, HOSTILE];
  const answer = texts.join('\n\nAnd then\n\n');
  stage.app.provider.script('diagrams', { about: 'diagrams', script: () => scriptedStream(textSteps(answer)) });
  await ask(page, 'Draw it [[diagrams]]');
  await answered(page);
  const frames = lastMessage(page).locator('iframe[data-drawn]');
  await soon(() => frames.count()).toBe(2);
  const drawing = lastMessage(page).frameLocator('iframe').first();
  await drawing.getByText('Heron').waitFor();
  await soon(async () => (await frames.first().boundingBox())?.height).toBeGreaterThan(40);
  for (const width of [1280, 500]) {
    await page.setViewportSize({ width, height: 720 });
    const spare = () => drawing.locator('svg').evaluate((svg) => innerHeight - Math.ceil(svg.clientHeight));
    // The whole drawing, and no more.
    await soon(spare).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await lastMessage(page).getByText("This diagram can't be drawn").waitFor();
  await expectAccessible(page);

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await soon(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe(colorScheme);
    const soft = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--p-accent-soft'),
    );
    const fill = () =>
      drawing
        .locator('.node rect')
        .first()
        .evaluate((box) => getComputedStyle(box).fill);
    await soon(fill).toBe(rgbOf(soft));
  }

  const hostile = lastMessage(page).frameLocator('iframe').nth(2);
  await hostile.locator('.node').first().click();
  await hostile.locator('.node').last().click();
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  expect(new URL(page.url()).pathname).toMatch(/^\/c\//);
  const reach = await frames.first().evaluate((frame) => (frame as HTMLIFrameElement).contentDocument);
  expect(reach, 'the page cannot look into the frame, nor the frame into the page').toBeNull();

  await lastMessage(page).getByRole('button', { name: 'Source' }).first().click();
  await lastMessage(page).getByText('Heron --> Lake').first().waitFor();
  await lastMessage(page).getByRole('button', { name: 'Show the diagram' }).click();
  await soon(() => frames.count()).toBe(2);
  const saved = page.waitForEvent('download');
  await lastMessage(page).getByRole('button', { name: 'Save as SVG' }).first().click();
  expect((await saved).suggestedFilename()).toBe('diagram.svg');
});

test('a diagram that is taller than its frame scrolls within it', async () => {
  const { page } = await stage.open('alice');
  const steps = Array.from({ length: 30 }, (_, n) => `  Pond${n} --> Pond${n + 1}`);
  const answer = `\`\`\`mermaid\nflowchart TD\n${steps.join('\n')}\n\`\`\``;
  stage.app.provider.script('tall', { about: 'a tall one', script: () => scriptedStream(textSteps(answer)) });
  await openNewChat(page);
  await ask(page, 'Draw it [[tall]]');
  await answered(page);
  const frame = lastMessage(page).locator('iframe[data-drawn]');
  await frame.hover();
  const drawing = lastMessage(page).frameLocator('iframe').locator('svg');
  await soon(async () => {
    await page.mouse.wheel(0, 20);
    return drawing.evaluate(() => scrollY);
  }).toBeGreaterThan(0);
});

/** #e3f2ef as the browser says it. */
function rgbOf(hex: string): string {
  const parts = [1, 3, 5].map((at) => parseInt(hex.trim().slice(at, at + 2), 16));
  return `rgb(${parts.join(', ')})`;
}
