import { fillTemplate, parseTemplate, type Field } from '@parley/schema/prompts/placeholders';
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
    // Open WebUI's
    ['{{x | select:options=["a","b"]:required}}', { ...list, isRequired: true }],
    ['{{x | textarea:placeholder="Say more"}}', { kind: 'long' }],
    ['{{x | checkbox}}', { kind: 'yesno' }],
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
  ])('%s is known', (body, known) => {
    expect(parseTemplate(body)).toEqual({ pieces: [{ type: 'known', known }], fields: [], known: new Set([known]) });
  });

  test.each(['{{}}', '{{x', '{x}', '{{a.b()}}', '{{x|sql}}', '{{x|}}', '{{<b>}}', `{{${'x'.repeat(61)}}}`, '{{ ! }}'])(
    '%s is none and stays',
    (body) => {
      expect(parseTemplate(body)).toEqual({ pieces: [{ type: 'text', text: body }], fields: [], known: new Set() });
    },
  );
});

test('a name has one field, whose first mention says what it is', () => {
  const { fields, pieces } = parseTemplate('{{x|choice:a,b}} and {{x}} and {{y}}');
  expect(fields).toEqual([
    { ...plain, ...list },
    { ...plain, name: 'y' },
  ]);
  expect(pieces.filter(({ type }) => type === 'field')).toHaveLength(3);
});

test('what is open begins at the last braces', () => {
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
  const pieces = fc.constantFrom('{{', '}}', '{', '}', 'x', '|', ':', ' ', 'choice', '=', '!');
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

test.each(['{{'.repeat(16_000), '}}'.repeat(16_000), `${'{{'.repeat(16_000)}|}}`])('braces alone stay', (body) => {
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
