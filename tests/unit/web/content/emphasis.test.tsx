// @vitest-environment happy-dom
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import parseMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it, vi } from 'vitest';
import { emphasisInEveryScript } from '../../../../web/src/content/emphasis/emphasis-in-every-script.ts';
import { parseFinished, parseOpen } from '../../../../web/src/content/parse.ts';

// KaTeX refuses pages without a doctype, which a test's page lacks; it looks when it is imported.
vi.hoisted(() => Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' }));

/** The marked words of a text, each after the name of its element, and all that is shown. */
function read(text: string, parse = parseFinished): { marked: string[]; shown: string } {
  const page = document.createElement('div');
  const drawn = parse(text, { definitions: '', within: 'all', start: 0 });
  page.innerHTML = drawn ? renderToStaticMarkup(drawn) : '';
  const marked = [...page.querySelectorAll('strong, em, del')].map(
    ({ tagName, textContent }) => `${tagName.toLowerCase()}:${textContent}`,
  );
  return { marked, shown: page.textContent.trim() };
}

describe('marks beside punctuation, without spaces around them', () => {
  it.each([
    [
      '这是**“关键”**步骤，**注意：**请先保存。**Markdown（記法）**は軽量です。*斜体（括号）。*后面',
      ['strong:“关键”', 'strong:注意：', 'strong:Markdown（記法）', 'em:斜体（括号）。'],
    ],
    ['**“重点”**内容', ['strong:“重点”']],
    ['先看**"重点"**，再看**(1)**和**《书名》**。', ['strong:"重点"', 'strong:(1)', 'strong:《书名》']],
    ['**标题：**English words', ['strong:标题：']],
    ['使用**`npm install`**安装，见**[文档](https://example.com/)**说明', ['strong:npm install', 'strong:文档']],
    ['价格为**$5**元，**50%**的折扣', ['strong:$5', 'strong:50%']],
    ['これは**「概要」**です。**重要。**次に**C++**を', ['strong:「概要」', 'strong:重要。', 'strong:C++']],
    ['**서울(Seoul)**은 수도이고 **"한국"**의 도시', ['strong:서울(Seoul)', 'strong:"한국"']],
    ['~~“旧”~~新的，~~作废。~~保留', ['del:“旧”', 'del:作废。']],
    ['__“强调”__内容，变量_名称_不变，__init__方法', ['strong:“强调”']],
    ['**𠮷野家（よしのや）**と𠮷**“店”**𠮷', ['strong:𠮷野家（よしのや）', 'strong:“店”']],
    ['و**«النص»**و**ملاحظة:**النص', ['strong:«النص»', 'strong:ملاحظة:']],
    ['ה**"שלום"**ו**הערה:**טקסט', ['strong:"שלום"', 'strong:הערה:']],
    ['คำ**"สำคัญ"**มาก **หมายเหตุ:**กรุณา', ['strong:"สำคัญ"', 'strong:หมายเหตุ:']],
    ['**外层“*内层*”外**后', ['strong:外层“内层”外', 'em:内层']],
    ['***“粗斜”***后面', ['em:“粗斜”', 'strong:“粗斜”']],
    ['- **步骤一（必做）：**打开\n- **“二”**关闭', ['strong:步骤一（必做）：', 'strong:“二”']],
  ])('are read in %j', (text, marked) => {
    expect(read(text).marked).toEqual(marked);
    expect(read(text).shown.replace(/_名称_|__init__/g, '')).not.toMatch(/[*~_]/);
  });

  it.each(['面积=（a+b）*h/2，体积=（c+d）*h', '长 * 宽 * 高', '星号 ** 两个 ** 空格', '`**“码”**中`'])(
    'stay text in %j',
    (text) => expect(read(text).marked).toEqual([]),
  );

  it('are read as soon as they arrive', () => {
    const text = '这是**“关键”**步骤，**注意：**请先保存。~~作废。~~保留';
    for (let end = 1; end <= text.length; end += 1)
      // A single mark may be the first half of two.
      expect(read(text.slice(0, end).replace(/(?<![*~])[*~]$/, ''), parseOpen).shown).not.toMatch(/[*~]{2}[^*~]/);
  });

  it('change nothing in a text without these scripts', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...WESTERN), maxLength: 40 }), (text) => {
        expect(markup(text, true)).toBe(markup(text, false));
      }),
      { numRuns: 1_500 },
    );
  });
});

const WESTERN = [...'ab1é“”«»—…€$.,:!?()[]"\'`*_~ \n<>\\|-Жλ😀', '**', '***', '~~', '__', '](u)', '\u00A0'];

function markup(text: string, widened: boolean): string {
  const remarkPlugins = [[remarkGfm, { singleTilde: false }], ...(widened ? [emphasisInEveryScript] : [])];
  return renderToStaticMarkup(parseMarkdown({ children: text, remarkPlugins: remarkPlugins as never }));
}
