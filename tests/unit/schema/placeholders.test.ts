import { fillTemplate, parseTemplate } from '@parley/schema/prompts/placeholders';
import type { Field } from '@parley/schema/prompts/read-field';
import { commandFrom } from '@parley/schema/prompts/prompt-rules';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const plain: Field = { name: 'x', kind: 'text', choices: [], initial: '', isRequired: false };
const list: Partial<Field> = { kind: 'choice', choices: ['a', 'b'], initial: 'a' };

describe('a placeholder', () => {
  test.each<[string, Partial<Field>]>([
    ['{{x}}', {}],
    ['{{ x }}', {}],
    ['{{x!}}', { isRequired: true }],
    ['{{x=1}}', { initial: '1' }],
    ['{{x|long}}', { kind: 'long' }],
    ['{{x|date!}}', { kind: 'date', isRequired: true }],
    ['{{x|number=3}}', { kind: 'number', initial: '3' }],
    ['{{x|yesno}}', { kind: 'yesno' }],
    ['{{x|choice:a,b}}', list],
    ['{{x|choice:a,b=b}}', { ...list, initial: 'b' }],
    ['{{x!|choice: a , b }}', { ...list, isRequired: true }],
    // LibreChat's
    ['{{x:a|b}}', list],
    ['{{x|choice:a,b=c}}', list],
    ['{{x|time!=12:30}}', { kind: 'time', isRequired: true, initial: '12:30' }],
    // Open WebUI's, as its page on prompts has them
    ['{{x | text:placeholder="Enter name":required}}', { isRequired: true, placeholder: 'Enter name' }],
    ['{{x | text:placeholder="e.g., Weekly: 10:30 | \\"A\\""}}', { placeholder: 'e.g., Weekly: 10:30 | "A"' }],
    ['{{x|text:default="a: b"}}', { initial: 'a: b' }],
    ['{{x | text}}', {}],
    ['{{x | textarea:placeholder="1. Go to...\\n2. Click"}}', { kind: 'long', placeholder: '1. Go to...\n2. Click' }],
    ['{{x | textarea:required}}', { kind: 'long', isRequired: true }],
    ['{{x | select:options=["a","b"]:required}}', { ...list, initial: '', isRequired: true }],
    [
      '{{x | select:options=["Brief (3 bullets)","A: b, c"]:default="Brief (3 bullets)"}}',
      { kind: 'choice', choices: ['Brief (3 bullets)', 'A: b, c'], initial: 'Brief (3 bullets)' },
    ],
    [
      '{{x | select:options=["High","Low"]:placeholder="Choose priority":default="None":required}}',
      { kind: 'choice', choices: ['High', 'Low'], initial: '', isRequired: true, placeholder: 'Choose priority' },
    ],
    ['{{x | number:min=1:max=100:default=5}}', { kind: 'number', min: 1, max: 100, initial: '5' }],
    ['{{x | range:min=0:max=1:step=0.1}}', { kind: 'number', min: 0, max: 1, step: 0.1 }],
    ['{{x | number:placeholder="Leave blank"}}', { kind: 'number', placeholder: 'Leave blank' }],
    ['{{x | checkbox}}', { kind: 'yesno' }],
    [
      '{{x | checkbox:label="Add relevant hashtags":default=true}}',
      { kind: 'yesno', label: 'Add relevant hashtags', initial: 'true' },
    ],
    ['{{x | date:required}}', { kind: 'date', isRequired: true }],
    ['{{x | date:default=2025-01-31}}', { kind: 'date', initial: '2025-01-31' }],
    ['{{x | datetime-local}}', { kind: 'datetime-local' }],
    ['{{x | time:default=12:30:required}}', { kind: 'time', initial: '12:30', isRequired: true }],
    ['{{x | month}}', { kind: 'month' }],
    ['{{x | color:default="#FFFFFF"}}', { kind: 'color', initial: '#FFFFFF' }],
    ['{{x | email:required}}', { kind: 'email', isRequired: true }],
    ['{{x | tel}}', { kind: 'tel' }],
    [
      '{{x | url:default=https://example.com/a:required}}',
      { kind: 'url', initial: 'https://example.com/a', isRequired: true },
    ],
    ['{{x | map:default="51.5,-0.09"}}', { initial: '51.5,-0.09' }],
    ['{{constructor}}', { name: 'constructor' }],
    ['{{__proto__}}', { name: '__proto__' }],
    ['{{toString}}', { name: 'toString' }],
    ['{{hasOwnProperty|number:min=1}}', { name: 'hasOwnProperty', kind: 'number', min: 1 }],
    ['{{हिन्दी नाम}}', { name: 'हिन्दी नाम' }],
    ['{{Wer? Wie’s geht}}', { name: 'Wer? Wie’s geht' }],
  ])('%s is a field', (body, over) => {
    expect(parseTemplate(body)).toMatchObject({ pieces: [{ type: 'field' }], fields: [{ ...plain, ...over }] });
  });

  test.each([
    ['{{today}}', 'today'],
    ['{{now}}', 'now'],
    ['{{me}}', 'me'],
    ['{{current_date}}', 'today'],
    ['{{CURRENT_DATE}}', 'today'],
    ['{{USER_NAME}}', 'me'],
    ['{{clipboard}}', 'clipboard'],
    ['{{CURRENT_TIME}}', 'time'],
    ['{{CURRENT_WEEKDAY}}', 'weekday'],
    ['{{CURRENT_TIMEZONE}}', 'timezone'],
    ['{{USER_EMAIL}}', 'email'],
    ['{{iso_datetime}}', 'iso'],
  ])('%s is known', (body, known) => {
    expect(parseTemplate(body)).toEqual({ pieces: [{ type: 'known', known }], fields: [], known: new Set([known]) });
  });

  test.each(['{{}}', '{{x', '{x}', '{{a.b()}}', '{{x|sql}}', '{{x|}}', '{{<b>}}', `{{${'x'.repeat(61)}}}`, '{{ ! }}'])(
    '%s is none and stays',
    staysText,
  );
});

describe('code', () => {
  test.each([
    ['an object in JSX', "<div style={{color:'red'}}>"],
    ['an object of shorthands in JSX', 'return <Box sx={{ margin }} onClick={() => go()} style = {{ color }} />'],
    ['an object over lines', '<Card style={{\n  color: "red",\n  padding: 4,\n}}>'],
    ['a style of an object', "style={{color:'red'}}"],
    ['an expression of a workflow', 'key: ${{ x }}-${{secrets.TOKEN}}'],
    ['a formula with a fraction', '\\frac{{a}}{{b}} and \\frac{a}{{b}} and \\sqrt[3]{{x}}'],
    ['a formula on a line', 'Solve $x_{{i}}^{{2}} + {{y}} = 0$ for x.'],
    ['a formula of its own', '$$\n\\sum_{{i}} {{x}}\n$$'],
    ['a formula in brackets', '\\[ {{x}}_{{i}} \\] and \\({{y}}\\)'],
    ['a raw value of Handlebars', '{{{body}}}'],
    ['a block of Handlebars', '{{#if admin}}x{{/if}}{{> head}}'],
    ['a value of Go', '{{ .Values.image }} {{- range .Items }}'],
    ['a filter of a template', "{{ name | upper }} {{ day | date:'short' }} {{ n | number:'1.2-2' }}"],
    ['a comparison', '{{ x == y }}'],
    ['a dictionary', "{{'key': 'value'}} {{\"a\": 1}}"],
    ['a type', "{{ kind: 'a' | 'b' }} {{ ok: a || b }}"],
    ['a fence', '```jsx\n{{x}}\n\n{{y}}\n```'],
    ['a fence of tildes', '~~~\n{{x}}\n```\n{{y}}\n~~~'],
    ['a fence in a list', '1. Like this:\n\n   ```\n   {{x}}\n   ```'],
    ['a fence behind a bullet', '- ```\n  {{x}}\n  ```'],
    ['a fence in a quote', '> ```\n> {{x}}\n> ```'],
    ['a longer fence', '````\n```\n{{x}}\n```\n{{y}}\n````'],
    ['a fence that is not closed', '```\n{{x}}\n\n{{y}}'],
    ['a span', 'Use `{{x}}` here'],
    ['a span of two backticks', 'Use ``a ` {{x}}`` here'],
    ['a span over two lines', 'Use `a\n{{x}}` here'],
    ['a backslash in a span', 'Use `\\{{x}}` here'],
  ])('in %s stays', (_, body) => staysText(body));

  test.each([
    ['behind a fence', '```\n{{a}}\n```\n{{x}}'],
    ['behind a span', '`{{a}}` {{x}}'],
    ['behind a backtick that nothing closes', 'a ` b {{x}}'],
    ['between backticks of two paragraphs', 'a ` b\n\n{{x}} ` c'],
    ['between prices', 'It costs $5 for {{x}} and $6 for two'],
    ['between amounts in dollars', 'From US$ 3 to {{x}} US$'],
    ['of a query', 'https://example.com/?q={{x}}'],
    ['of a quoted attribute', '<a href="{{x}}">'],
    ['in an element', '<topic>{{x}}</topic>'],
    ['behind an equals sign', 'topic = {{x}}'],
    ['in a name', 'report_{{x}}.txt'],
    ['in JSON', '{"topic":{{x}}}'],
    ['behind a written line break', 'Hello\\n{{x}}'],
    ['in a placeholder', '{{a {{x}} c}}'],
  ])('a field %s is asked for', (_, body) => {
    expect(parseTemplate(body).fields.map(({ name }) => name)).toEqual(['x']);
  });

  test('two fields next to each other are both asked for', () => {
    expect(parseTemplate('{{a}}{{b}}').fields.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

test.each([
  ['\\{{x}}', '{{x}}'],
  ['\\{{#if a}}', '{{#if a}}'],
  ['\\\\{{x}}', '\\1'],
  ['\\\\\\{{x}}', '\\{{x}}'],
  ['C:\\{x} \\n', 'C:\\{x} \\n'],
  ['{{x}} \\{{x}} {{x}}', '1 {{x}} 1'],
])('a backslash before braces keeps them: %s is %s', (body, filled) => {
  expect(fillTemplate(parseTemplate(body), new Map([['x', '1']]), {})).toBe(filled);
});

test('a value is found under any name', () => {
  const names = ['constructor', '__proto__', 'toString', 'valueOf'];
  const template = parseTemplate(names.map((name) => `{{${name}}}`).join(' '));
  expect(fillTemplate(template, new Map(names.map((name, n) => [name, String(n)])), {})).toBe('0 1 2 3');
});

function staysText(body: string): void {
  expect(parseTemplate(body)).toEqual({ pieces: [{ type: 'text', text: body }], fields: [], known: new Set() });
}

test('a name has one field, whose first mention says what it is', () => {
  const { fields, pieces } = parseTemplate('{{x|choice:a,b}} and {{x}} and {{y}}');
  expect(fields).toEqual([
    { ...plain, ...list },
    { ...plain, name: 'y' },
  ]);
  expect(pieces.filter(({ type }) => type === 'field')).toHaveLength(3);
});

test('a placeholder begins at the last open braces', () => {
  expect(parseTemplate('{{a {{b}} c}}').pieces).toEqual([
    { type: 'text', text: '{{a ' },
    { type: 'field', name: 'b' },
    { type: 'text', text: ' c}}' },
  ]);
});

test('values are not read again', () => {
  const template = parseTemplate('Hello {{x}}, {{today}}: {{y}}');
  const text = fillTemplate(template, new Map([['x', '{{y}} $& {{today}}']]), { today: '{{x}}' });
  expect(text).toBe('Hello {{y}} $& {{today}}, {{x}}: ');
});

test('any text without fields comes back as it was', () => {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    'x',
    '|',
    ':',
    ' ',
    'choice',
    '=',
    '!',
    '`',
    '```',
    '\n',
    '$',
    '~~~',
  );
  fc.assert(
    fc.property(
      fc.array(pieces).map((all) => all.join('')),
      (body) => {
        const template = parseTemplate(body);
        const back = template.pieces.every(({ type }) => type === 'text');
        if (back) expect(fillTemplate(template, new Map(), {})).toBe(body);
        // Nothing but placeholders is lost.
        const length = template.pieces.reduce((sum, piece) => sum + (piece.type === 'text' ? piece.text.length : 0), 0);
        expect(length).toBeLessThanOrEqual(body.length);
      },
    ),
  );
});

test.each([
  '{{'.repeat(16_000),
  '}}'.repeat(16_000),
  `${'{{'.repeat(16_000)}|}}`,
  '$a '.repeat(10_000),
  '$$\n\n'.repeat(8_000),
  '\\( '.repeat(10_000),
  '~~~ '.repeat(8_000),
  Array.from({ length: 250 }, (_, n) => '`'.repeat(n + 1)).join(' '),
])('signs alone stay', (body) => {
  expect(parseTemplate(body).pieces).toEqual([{ type: 'text', text: body }]);
});

test.each([
  ['Weekly report!', 'weekly-report'],
  ['Émile & Zoë', 'emile-zoe'],
  ['漢字', 'prompt'],
  ['-- x --', 'x'],
])('a command from the title %s', (title, command) => {
  expect(commandFrom(title)).toBe(command);
});
