// @vitest-environment happy-dom
// The links of a still page, as its reader sees them: where each leads, whatever it says.
import { expect, test } from 'vitest';
import { findLinks } from '../../../../web/src/artifacts/links/find-links.ts';

const hosts = (source: string) => findLinks(source).map(({ host }) => host);

test('each address is listed once, with its words and its whole host', () => {
  const page = `<p><a href="https://herons.example:8443/pond?a=1#b">The
    <b>pond</b></a> <a href="http://herons.example/">x</a> <a href="mailto:me%40home@herons.example">Write</a>
    <map><area href="https://map.example/" alt="Map"></map> <a href="http://herons.example">again</a></p>`;
  expect(findLinks(page)).toEqual([
    { href: 'https://herons.example:8443/pond?a=1#b', text: 'The pond', host: 'herons.example:8443' },
    { href: 'http://herons.example/', text: 'x', host: 'herons.example' },
    { href: 'mailto:me%40home@herons.example', text: 'Write', host: 'me@home@herons.example' },
    { href: 'https://map.example/', text: 'Map', host: 'map.example' },
  ]);
  expect(hosts('<svg><a xlink:href="https://svg.example/"><text>To it</text></a></svg>')).toEqual(['svg.example']);
});

test.each([
  '#top',
  '/settings',
  'pond.html',
  '//herons.example',
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://herons.example/1',
  'file:///etc/passwd',
  'ftp://herons.example',
  'https://',
  'mailto:',
  `https://herons.example/${'a'.repeat(2_000)}`,
])('%#: no other address is listed', (href) => {
  expect(findLinks(`<a href="${href}">x</a><base href="https://base.example/">`)).toEqual([]);
});

test('nothing before a host and nothing in a name hides where a link leads', () => {
  const [link] = findLinks('<a href="https://bank.example@evil.example/">bank.example</a>');
  expect(link).toEqual({ href: 'https://evil.example/', text: 'bank.example', host: 'evil.example' });
  expect(hosts('<a href="https://b\u0430nk.example/">x</a>')).toEqual(['xn--bnk-6cd.example']);
});

test('a page with very many links lists some of them', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `<a href="https://h${n}.example/">${'x'.repeat(500)}</a>`);
  const links = findLinks(many.join(''));
  expect(links).toHaveLength(100);
  expect(links[0]?.text).toHaveLength(80);
});
