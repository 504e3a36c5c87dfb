// @vitest-environment happy-dom
// What the frame that runs programs does with the libraries of the shelf.
import { UI_COMPONENTS } from '@parley/schema/artifacts/shelf/libraries';
import { expect, test } from 'vitest';
import { readPage } from '../../../../web/shelf/frame/read-page.ts';
import { themeOfConfig } from '../../../../web/shelf/frame/tailwind-config.ts';
import { looksLikeTailwind } from '../../../../web/shelf/frame/tailwind.ts';
import { UI_MODULES } from '../../../../web/shelf/ui/modules.ts';

const parsed = (html: string) => new DOMParser().parseFromString(html, 'text/html');

test('a page is freed of the tags that load what the shelf has', () => {
  const page = parsed(`<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5/dist/css/bootstrap.css">
    <link rel="preconnect" href="https://unpkg.com/three"><link rel="stylesheet" href="https://fonts.googleapis.com/css">
    <script src="https://cdn.tailwindcss.com"></script><script src="https://example.com/own.js"></script>
    <script type="importmap">{"imports":{"chart":"https://esm.sh/chart.js@4"}}</script>
    <script type="module">import Chart from 'chart';\nimport { x } from './own.js';\nimport y from 'nowhere';</script>`);
  const plan = readPage(page);
  expect(plan.parts).toEqual(['tailwind', 'chart']);
  expect(plan.isOldTailwind).toBe(true);
  expect(plan.missing).toEqual(['bootstrap', 'nowhere']);
  expect([...plan.imports]).toEqual([
    ['chart', 'chart.js'],
    ['nowhere', null],
  ]);
  const left = [...page.querySelectorAll('script')].map((script) => script.getAttribute('src') ?? script.type);
  expect(left).toEqual(['https://example.com/own.js', 'module']);
});

test('a configuration of Tailwind 3 is a theme of version 4', () => {
  const theme = themeOfConfig({
    darkMode: 'class',
    theme: {
      extend: {
        colors: { brand: { DEFAULT: '#111', 500: '#222' }, cream: '#fff' },
        fontFamily: { sans: ['Inter', 'Open Sans', 'sans-serif'] },
        fontSize: { huge: ['5rem', { lineHeight: '1' }] },
        spacing: { 4.5: '1.125rem' },
        animation: { rise: 'rise 1s' },
        keyframes: { rise: { from: { marginTop: '1px' } } },
        backgroundImage: { hero: 'linear-gradient(red, blue)' },
      },
    },
  });
  for (const line of [
    '@custom-variant dark (&:where(.dark, .dark *));',
    '--color-brand: #111;',
    '--color-brand-500: #222;',
    '--color-cream: #fff;',
    "--font-sans: Inter, 'Open Sans', sans-serif;",
    '--text-huge: 5rem;',
    '--text-huge--line-height: 1;',
    '--spacing-4\\.5: 1.125rem;',
    '--animate-rise: rise 1s;',
    '@keyframes rise { from { margin-top: 1px; } }',
    '@utility bg-hero { background-image: linear-gradient(red, blue); }',
  ])
    expect(theme).toContain(line);
  for (const odd of [null, 'x', { theme: null }, { theme: { extend: { colors: () => null } } }])
    expect(themeOfConfig(odd)).toContain('@theme');
});

test.each([
  ['<div className="p-4">', true],
  ['<div className={`text-gray-500 ${x}`}>', true],
  ['<div className="chart-title">', false],
  ['<div class="p-4">', false],
])('classes of Tailwind are recognized in %s: %s', (source, is) => {
  expect(looksLikeTailwind(source)).toBe(is);
});

test('every component of the table is there, and each module has exports', () => {
  for (const name of UI_COMPONENTS) {
    const module = UI_MODULES[`@/components/ui/${name}`] ?? {};
    expect(Object.keys(module), name).not.toEqual([]);
    for (const [key, value] of Object.entries(module)) expect(typeof value, `${name} ${key}`).toBe('function');
  }
});
