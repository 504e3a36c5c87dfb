// @vitest-environment happy-dom
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import parseMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, it, vi } from 'vitest';
import { addressesInEveryScript } from '../../../../web/src/content/emphasis/addresses-in-every-script.ts';
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

describe('an address', () => {
  it.each([
    ['见https://example.com/a，然后', ['https://example.com/a']],
    ['（https://example.com）。', ['https://example.com/']],
    ['https://example.com。https://example.com/b！', ['https://example.com/', 'https://example.com/b']],
    ['看“https://example.com/x?y=1”吧；http://example.com：好', ['https://example.com/x?y=1', 'http://example.com/']],
    ['请看www.example.com、www.example.com/甲「乙」', ['http://www.example.com/', 'http://www.example.com/%E7%94%B2']],
    ['https://example.com请看', ['https://example.com/']],
    ['https://example.com에서 https://example.com/a', ['https://example.com/', 'https://example.com/a']],
    [
      'https://zh.wikipedia.org/wiki/中文_(语言)。',
      ['https://zh.wikipedia.org/wiki/%E4%B8%AD%E6%96%87_(%E8%AF%AD%E8%A8%80)'],
    ],
    [
      'https://ja.wikipedia.org/wiki/ジョン・レノン、',
      ['https://ja.wikipedia.org/wiki/%E3%82%B8%E3%83%A7%E3%83%B3%E3%83%BB%E3%83%AC%E3%83%8E%E3%83%B3'],
    ],
    ['انظر https://example.com/a، ثم https://example.com؟', ['https://example.com/a', 'https://example.com/']],
    ['邮箱a@example.com，或者', ['mailto:a@example.com']],
    ['https://example.com.，a https://example.com/a. b', ['https://example.com/', 'https://example.com/a']],
    ['https://例子.测试/路径，好', ['https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84']],
  ])('ends where its sentence goes on: %j', (text, addresses) => {
    const page = document.createElement('div');
    page.innerHTML = renderToStaticMarkup(parseFinished(text, { definitions: '', within: 'all', start: 0 }) ?? <p />);
    expect([...page.querySelectorAll('a')].map(({ href }) => href)).toEqual(addresses);
    expect(page.textContent).toBe(text);
  });

  it('leaves marks after it to be read', () => {
    expect(read('见https://example.com，**“重点”**内容').marked).toEqual(['strong:“重点”']);
    expect(read('**见https://example.com**。').marked).toEqual(['strong:见https://example.com']);
  });
});

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
    ['**「重點」**內容，**『書名』**與**（註）**', ['strong:「重點」', 'strong:『書名』', 'strong:（註）']],
    ['**1. 准备工作：**先做', ['strong:1. 准备工作：']],
    ['**Q：**问题\n**A：**回答', ['strong:Q：', 'strong:A：']],
    ['总计**100%**，增长**+5%**的', ['strong:100%', 'strong:+5%']],
    ['**《论语》**说*“学而时习之”*的意思', ['strong:《论语》', 'em:“学而时习之”']],
    ['**“a”**和**‘b’**和**【c】**和**〔d〕**', ['strong:“a”', 'strong:‘b’', 'strong:【c】', 'strong:〔d〕']],
    ['**重要！**请看，**真的吗？**是的', ['strong:重要！', 'strong:真的吗？']],
    ['**省略……**后，**破折——**后', ['strong:省略……', 'strong:破折——']],
    ['> **“引用”**内容', ['strong:“引用”']],
    ['## **“标题”**内容', ['strong:“标题”']],
    ['[**“链接”**文字](https://example.com)后', ['strong:“链接”']],
    ['**[链接](https://example.com)。**后', ['strong:链接。']],
    ['**「こんにちは」**と言った。*（笑）*です', ['strong:「こんにちは」', 'em:（笑）']],
    ['これは**React（リアクト）**です、**Vue.js**も', ['strong:React（リアクト）', 'strong:Vue.js']],
    ['**ｶﾀｶﾅ｡**です', ['strong:ｶﾀｶﾅ｡']],
    ['~~「古い」~~新しい', ['del:「古い」']],
    ['**한국어(Korean)**를 **"따옴표"**로', ['strong:한국어(Korean)', 'strong:"따옴표"']],
    ['**주의:**파일을 *(참고)*에서', ['strong:주의:', 'em:(참고)']],
    ['~~(삭제)~~된 **10%**가', ['del:(삭제)', 'strong:10%']],
    ['**‘서울’**은 **A/B**의 **C#**을', ['strong:‘서울’', 'strong:A/B', 'strong:C#']],
    ['ال**(مهم)**جدا، و**"اقتباس"**هنا', ['strong:(مهم)', 'strong:"اقتباس"']],
    ['**تنبيه:**اقرأ، **لماذا؟**لأن', ['strong:تنبيه:', 'strong:لماذا؟']],
    ['~~«قديم»~~جديد و*(ملاحظة)*بعد', ['del:«قديم»', 'em:(ملاحظة)']],
    ['ה**(חשוב)**מאוד ~~"ישן"~~חדש', ['strong:(חשוב)', 'del:"ישן"']],
    ['**הערה:**קרא *"ציטוט"*כאן', ['strong:הערה:', 'em:"ציטוט"']],
    ['**«نکته»**را ببینید', ['strong:«نکته»']],
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
      { numRuns: 600 },
    );
  });
});

const WESTERN = [
  ...'ab1é‘’—…€$.,:!?()[]"\'`*_~ \n<>\\|-Жλ😀',
  '**',
  '***',
  '~~',
  '__',
  '](u)',
  '\u00A0',
  'https://a.bc/',
  'www.a.bc',
];

function markup(text: string, widened: boolean): string {
  const remarkPlugins = [
    [remarkGfm, { singleTilde: false }],
    ...(widened ? [emphasisInEveryScript, addressesInEveryScript] : []),
  ];
  return renderToStaticMarkup(parseMarkdown({ children: text, remarkPlugins: remarkPlugins as never }));
}
