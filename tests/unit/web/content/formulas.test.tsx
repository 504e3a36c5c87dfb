// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Markdown } from '../../../../web/src/content/markdown.tsx';
import { normaliseMath } from '../../../../web/src/content/math/normalise-math.ts';
import { splitBlocks } from '../../../../web/src/content/split-blocks.ts';
import { writeSetting } from '../../../../web/src/stored-settings.ts';
import { startEnglish } from '../start-english.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

beforeAll(startEnglish);
afterEach(cleanup);

/** The message, once `inline` and `displayed` formulas are typeset. */
async function typeset(text: string, inline: number, displayed: number): Promise<Element> {
  const { container } = render(<Markdown text={text} streaming={false} />, { wrapper: MantineProvider });
  await waitFor(() => expect(container.querySelectorAll('.katex')).toHaveLength(inline + displayed));
  expect(container.querySelectorAll('.katex-display')).toHaveLength(displayed);
  expect(container.querySelector('[data-source]')).toBeNull();
  return container;
}

describe('a chemical formula', () => {
  it('is typeset between every kind of delimiters and without any', async () => {
    const page = await typeset(
      'Water: $\\ce{H2O}$ and \\(\\ce{2H2 + O2 -> 2H2O}\\), \\ce{CO2}, $\\pu{123 kJ/mol}$\n\n$$\\ce{SO4^2- + Ba^2+ -> BaSO4 v}$$',
      4,
      1,
    );
    expect(page.querySelector('.katex-html')?.textContent).toContain('H');
  });

  it('may be long', async () => {
    const parts = Array.from({ length: 60 }, (_, index) => `C${index}H2O`);
    await typeset(`$$\\ce{${parts.join(' + ')}}$$`, 0, 1);
  });
});

describe('a formula without delimiters', () => {
  it.each([
    ['\\begin{align*}\nx &= 1 \\\\\ny &= 2\n\\end{align*}\n\n```math\n\\int_0^1 x\\,dx\n```', 0, 2],
    ['\\begin{equation}\n\\label{eq:one}\nx = 1\n\n\\tag{1}\n\\end{equation}\nwords', 0, 1],
    ['\\begin{multline}a\\\\b\\end{multline}\n\n\\begin{eqnarray}a&=&b\\end{eqnarray}', 0, 2],
    ['\\begin{gather}\n- a\n\n= b\n\\end{gather}', 0, 1],
    ['where $A$ = \\begin{pmatrix}1 & 2\\\\3 & 4\\end{pmatrix} is', 2, 0],
    ['\\begin{cases}\\begin{cases}a\\end{cases}\\\\b\\end{cases}', 0, 1],
    ['1. first\n\n   \\begin{align}\n   a &= b\n   \\end{align}\n\n2. second', 0, 1],
    ['> \\begin{align}\n> a &= b\n> \\end{align}', 0, 1],
    ['- item\n\n  ```math\n  x^2\n  ```', 0, 1],
    ['```math\n$$\nx = 50%\n$$\n```\n\n```math\na\n\nb % why\n```', 0, 3],
  ])('is displayed: %j', async (text, inline, displayed) => {
    await typeset(text, inline, displayed);
  });

  it('is one block while it arrives', () => {
    const text = '\\begin{align}\na\n\n- b\n= c\n\\end{align}\n\nafter';
    expect(splitBlocks(null, text.slice(0, 25)).blocks).toHaveLength(1);
    expect(splitBlocks(null, text).blocks).toHaveLength(2);
  });

  it('stays text in code and where the environment holds no formula', () => {
    for (const text of [
      '`\\begin{align}x\\end{align}`',
      '```latex\n\\begin{align}x\\end{align}\n```',
      '\\begin{itemize}\n\\item a\n\\end{itemize}',
      '\\begin{align} without an end',
      'a `\\ce{H2O}` and \\cell{x}',
    ])
      expect(normaliseMath(text)).toBe(text);
  });

  it('stands as it was written where formulas are not wanted', () => {
    writeSetting('LaTeXParsing', false);
    onTestFinished(() => writeSetting('LaTeXParsing', true));
    const text = 'So \\begin{pmatrix}1\\end{pmatrix} and \\ce{H2O}';
    const { container } = render(<Markdown text={`${text}\n\n\`\`\`math\nx^2\n\`\`\``} streaming={false} />, {
      wrapper: MantineProvider,
    });
    expect(container.querySelector('p')?.textContent).toBe(text);
    expect(container.querySelector('pre')?.textContent).toBe('x^2');
  });
});

describe('what is between dollars', () => {
  it.each([
    'the sum $2x+3$ and $10^{-3}$, $1$ or $0 \\le x \\le 1$',
    'so $ \\frac{a}{b} $ and $ x = y $, $\\alpha $',
    'GitLab writes $`a^2`$, and $`b`$',
    "$f'(x) = 3$ and $x_i$, $\\text{50%}$, $50\\% + x$",
    '$\\mathbbm{1}_A$, $\\mbox{if } x$, $\\text{a_b}$, $\\nicefrac{1}{2}$, $\\abs{x}$',
  ])('is typeset: %j', async (text) => {
    const { container } = render(<Markdown text={text} streaming={false} />, { wrapper: MantineProvider });
    await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull());
    expect(container.querySelector('[data-source]')).toBeNull();
    for (const formula of container.querySelectorAll('.katex')) formula.remove();
    expect(container.textContent).not.toContain('$');
  });

  it('is displayed where the typesetter refuses it within a line', async () => {
    await typeset('so $\\begin{align}a&=b\\end{align}$', 0, 1);
  });

  it.each([
    'It is $5 and $10.',
    'from $5-$10, $5k, $1.5M or US$3, $5/$10',
    'from $5 to 10$ a month',
    '5 $ = 4 € = 6 $',
    'costs 10 $ and 20 $ more',
    "awk '{print $1,$NF}' and echo $HOME/bin:$PATH",
    '$5 (2019) and $6 (2020) in $',
    'Pro is $20/month, Team is $25/month; $30 = all',
    '$1 = ¥150 and $2 = ¥300',
    '价格是$5和$10',
  ])('stays text: %j', (text) => {
    expect(normaliseMath(text)).toBe(text);
  });
});
