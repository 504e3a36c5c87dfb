/** The longer texts of the fake provider. */

/** Everything that can break a markdown renderer, including an unclosed fence. */
export const markdownTorture = String.raw`# Heading one
## Heading two with ${'`code`'} and **bold**
### Heading three

Setext heading
==============

A paragraph with **bold**, *italic*, ***both***, ~~struck~~, ${'`inline code`'}, a hard break at the end  
and a [link](https://example.com "title"), an <https://example.com/auto> link, and https://example.com/bare.

## Money and maths

It costs $5 and $10, not $7.50. Inline maths: $E = mc^2$ and \(a^2 + b^2 = c^2\).

$$
\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}
$$

\[
\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6}
\]

LaTeX inside code stays code: ${'`$x^2$`'} and ${'`\\(y\\)`'}. A broken formula: $\frac{1}{$.

${'```'}latex
$$ \frac{1}{2} $$ stays as it is
${'```'}

## Lists

1. First
   - nested dash
     * nested star
       1. nested number
          - and deeper

            with a paragraph

            ${'```'}sh
            echo "a fence in a list"
            ${'```'}
2. Second
10. Tenth, which markdown counts as third

- [ ] a task
- [x] a finished task
  - [ ] a nested task

## Tables

| Left | Centre | Right | A column with a much longer heading than its cells |
|:-----|:------:|------:|---|
| ${'`a|b`'} | **bold** | 1,234.50 | x |
| a \| b | $x$ | -1 | [link](https://example.com) |
| | | | |

## Code

${'```'}ts
type Answer<T> = { ok: true; value: T } | { ok: false; reason: string };
export const id = <T,>(value: T): T => value; // a comment with "quotes" and <tags>
${'```'}

${'```'}python
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)
${'```'}

${'```'}rust
fn main() { println!("{:?}", (1..=3).map(|n| n * n).collect::<Vec<_>>()); }
${'```'}

${'```'}sql
SELECT count(*) FROM messages WHERE user_id = $1 AND created_at > now() - interval '1 day';
${'```'}

${'```'}html
<script>alert('this is text, not a script')</script>
${'```'}

${'```'}json
{ "nested": { "list": [1, 2, { "deep": null }] } }
${'```'}

${'```'}diff
- removed
+ added
${'```'}

${'```'}unknown-language
what is this
${'```'}

${'````'}md
${'```'}js
a fence inside a fence
${'```'}
${'````'}

    an indented code block

## Things that must not run

<script>document.title = 'hacked'</script>
<img src=x onerror="document.title = 'hacked'">
<iframe src="https://example.com"></iframe>
[a javascript link](javascript:alert(1)) [a data link](data:text/html,<script>alert(1)</script>)
[a sneaky link](java&#115;cript:alert(1)) ![an image](https://example.com/image.png "an image")
![a data image](data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)

## The rest

> A quote
> > in a quote
> > - with a list
>
> and ${'`code`'}

A sentence with a footnote.[^1] And another.[^long]

[^1]: The footnote.
[^long]: A footnote with two paragraphs.

    This is the second.

Term with a reference link: [text][ref].

[ref]: https://example.com/reference

***

Entities: &amp; &lt; &copy; &#x1F600; and a backslash \* escape. :::plugin::: is only text here.

A very long word: ${'Donaudampfschifffahrtsgesellschaft'.repeat(12)}

A very long line: ${'the quick brown fox jumps over the lazy dog and '.repeat(40)}stops.

${'```'}ts
// this fence is never closed
const open = true;
`;

/** Four-byte characters, joined families, flags, skin tones, keycaps, combining marks. */
export const emojiText =
  'Faces 😀😃😄 and 🦄🧠🚀. Families 👨‍👩‍👧‍👦 👩🏽‍🚀 🧑🏿‍🤝‍🧑🏻 🏳️‍🌈 🏴‍☠️. Flags 🇰🇷🇩🇪🇧🇷 🏴󠁧󠁢󠁳󠁣󠁴󠁿. ' +
  'Keycaps 1️⃣#️⃣. Combining é ñ Å ạ̈̂ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢. Old scripts 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈 𒀀 and rare Han 𠮷野家. Hangul 한글 각.\n';

/** Scripts of both directions. */
export const scriptsText = [
  'English: The answer is ready.',
  'العربية: هذا نص عربي مع رقم 123 وكلمة Parley في الوسط.',
  'עברית: זהו טקסט בעברית עם המספר 123 והמילה Parley באמצע.',
  '中文：这是一个用来测试的回答，标点符号也在这里。',
  '日本語：これはテスト用の回答です。「カギ括弧」も使います。',
  '한국어: 이것은 시험용 답변입니다.',
  'Deutsch: Größe, Übermaß, Straße, ẞ, „Anführungszeichen“.',
  'Русский: Это проверочный ответ, ёлка и «кавычки».',
  'हिन्दी: यह एक परीक्षण उत्तर है। ไทย: นี่คือคำตอบสำหรับการทดสอบ',
].join('\n\n');

/** Valid in JSON but hard to store: NUL, lone surrogates of both kinds, non-characters, bidi controls. */
export const hostileText =
  'NUL [\u0000] high [\ud83d] low [\ude00] swapped [\ude00\ud83d] FFFE [\ufffe\uffff] bidi [\u202e] end';

const sentences = [
  'The harbour was quiet before the boats came in. ',
  'A good answer is short, but a long one has its uses. ',
  'Rivers carry more words than anyone has written down. ',
  'Every paragraph here is counted, and none is repeated by accident. ',
  'The seventh chapter explains how the lighthouse was moved. ',
];

/** Exactly `length` UTF-16 units of numbered paragraphs, so that a gap or a repeat shows. */
export function longText(length: number): string {
  const paragraphs: string[] = [];
  for (let written = 0, n = 1; written < length; n++) {
    const paragraph = `${n}. ${sentences.map((_, i) => sentences[(n * 3 + i * n) % sentences.length]).join('')}\n\n`;
    paragraphs.push(paragraph);
    written += paragraph.length;
  }
  return paragraphs.join('').slice(0, length);
}

const words = 'the answer comes word after word and each of them is counted so that none is lost or said twice'.split(
  ' ',
);

/** The nth token of a paced stream: short words, a number now and then. */
export function tokenAt(n: number): string {
  return n % 10 === 9 ? ` ${n + 1}.` : ` ${words[n % words.length]}`;
}

const stems =
  'light river mount garden window paper winter stone market letter sailor bridge forest harbour copper morning thunder village engine silver'.split(
    ' ',
  );
const endings = ['', 's', 'ed', 'ing', 'er', 'less', 'like', 'ward', 'ish', 'fold', 'ly', 'ness', 'ful', 'wise', 'ery'];

/** Words of which about half are common and the others spread over a few hundred; `seed` determines the order. */
export function richTokens(seed: string): (n: number) => string {
  const start = [...seed].reduce((hash, sign) => (Math.imul(hash, 31) + (sign.codePointAt(0) ?? 0)) >>> 0, 7);
  return (n) => {
    const chance = Math.imul(start ^ Math.imul(n + 1, 0x9e3779b1), 0x85ebca6b) >>> 8;
    if (n % 2 === 0) return tokenAt(chance % 1000);
    return ` ${stems[chance % stems.length]}${endings[(chance >>> 8) % endings.length]}`;
  };
}
