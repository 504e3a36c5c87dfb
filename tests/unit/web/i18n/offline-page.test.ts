// @vitest-environment happy-dom
// The page for a server that cannot be reached has sentences of its own: the app's are not there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';

const web = join(import.meta.dirname, '../../../../web');
const page = readFileSync(join(web, 'public/offline.html'), 'utf8');
const script = readFileSync(join(web, 'public/offline.js'), 'utf8');
const languages = readdirSync(join(web, 'src/locales'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  localStorage.clear();
});

function open(language: string, isOnline: boolean): { heading: string; text: string } {
  vi.useFakeTimers();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  localStorage.setItem('lang', language);
  document.body.innerHTML = /<body>([^]*)<\/body>/.exec(page)?.[1] ?? '';
  runInThisContext(script);
  const read = (selector: string) => document.querySelector(selector)?.textContent ?? '';
  return { heading: read('h1'), text: read('p') };
}

it('says in English whether the browser is offline or the server is down', () => {
  expect(open('en-US', true).heading).toBe('The server cannot be reached');
  expect(open('en-US', false).heading).toBe('You are offline');
});

describe.each(languages)('the page in %s', (language) => {
  it('says both in its own words', () => {
    const said = [open('en-US', true), open('en-US', false), open(language, true), open(language, false)];
    expect(document.documentElement.lang).toBe(language);
    expect(new Set(said.flatMap(({ heading, text }) => [heading, text])).size).toBe(8);
  });
});
