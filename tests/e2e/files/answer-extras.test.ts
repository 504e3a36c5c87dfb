// What of an answer is no text: a picture that the model drew, and the pages that its provider has searched.
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { scriptedStream, textSteps } from '@parley/scripts/fake-provider/scenario';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, composer, lastMessage, openNewChat, sendButton } from '../../support/browser/chat.ts';

const stage = withApp();

test('a picture of the answer is shown where it stands, and a mark leads to the page that it names', async () => {
  const image = sharp({ create: { width: 320, height: 200, channels: 3, background: '#4a7' } });
  const data = (await image.png().toBuffer()).toString('base64');
  const raw = (delta: object, more: object = {}) => ({
    type: 'raw' as const,
    bytes: `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`,
  });
  const url = 'https://example.org/paris';
  const cites = { type: 'url_citation', url_citation: { url, title: 'Paris in a page' } };
  stage.app.provider.script('extras', {
    about: 'a picture and a page',
    script: () =>
      scriptedStream([
        ...textSteps('This is the flag:\n\n'),
        raw({ images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] }),
        ...textSteps('The capital is Paris[1].'),
        raw({ annotations: [cites] }, { citations: [url, 'https://example.org/second'] }),
      ]),
  });
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await composer(page).fill('What is the capital? [[extras]]');
  await sendButton(page).click();
  await answered(page);
  const answer = lastMessage(page);
  const picture = answer.locator('img').first();
  await soon(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320);
  const sources = answer.getByRole('region', { name: 'Sources' });
  await sources.getByRole('link', { name: 'Paris in a page' }).waitFor();
  expect(
    await sources.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual([url, 'https://example.org/second']);
  await answer.getByRole('paragraph').getByRole('button', { name: 'Source 1: Paris in a page' }).press('Enter');
  await page.getByRole('dialog').getByText('example.org').first().waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  // What is only there for its pages is no step.
  expect(await answer.innerText()).not.toContain('provider_web_search');
  await page.reload();
  await lastMessage(page).getByRole('region', { name: 'Sources' }).waitFor();
});
