// The checker of reports: claims without a source, and quotes that no source says.
import { checkReport, quotesIn, sourceList, withCheckedQuotes } from '@parley/server/research/check-report';
import { ENGLISH, MARKS, marksIn } from '@parley/server/research/marks';
import { readMore, readPlan } from '@parley/server/research/prompts';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const known = { numbers: new Set([1, 2]), quotes: ['Iron towers of that time were never painted'] };

function marked(text: string): string[] {
  return checkReport(text, known, ENGLISH)
    .text.split('\n')
    .filter((line) => line.includes(ENGLISH.noSource));
}

describe('a report', () => {
  it('keeps claims that name a source, wherever in their paragraph', () => {
    expect(marked('The tower has three floors,\nand each can be visited [1].')).toEqual([]);
    expect(marked('- It was built of iron in two years [2]')).toEqual([]);
  });

  it('has a mark behind each paragraph, item and row without one', () => {
    const text = [
      'The tower has three floors that can all be visited.',
      '',
      '- It was built of iron in only two years',
      '1. It was to be taken down after twenty years',
      '',
      '| What | How much of it there is in all |',
      '| --- | --- |',
      '| The height of the whole tower | 330 m above the ground of the city |',
    ];
    expect(checkReport(text.join('\n'), known, ENGLISH).unsourced).toBe(4);
    expect(marked(text.join('\n')).at(-1)).toMatch(/\*no source\* \|$/);
  });

  it('has no marks in headings, code, rules and short lines', () => {
    const text =
      '# The tower and all that is known of it today\n\n---\n\nIn short:\n\n```\nthis is code that claims nothing at all\n```';
    expect(checkReport(text, known, ENGLISH)).toEqual({ text, unsourced: 0, unquoted: 0 });
  });

  it('takes a number that no source has for none', () => {
    expect(checkReport('The tower has three floors that can be visited [7].', known, ENGLISH).unsourced).toBe(1);
  });

  it('marks quotes that no source says, and no others', () => {
    const said = 'It is written that “iron towers of that  time were never painted” [1].';
    expect(checkReport(said, known, ENGLISH).unquoted).toBe(0);
    const { text, unquoted } = checkReport(
      'The mayor said "we will take it down tomorrow morning" [1].',
      known,
      ENGLISH,
    );
    expect(unquoted).toBe(1);
    expect(text).toContain(`morning" ${ENGLISH.noQuote}`);
  });

  it('is checked in linear time, however it is written', () => {
    const text = `${'"'.repeat(20_000)}\n${'| '.repeat(20_000)}\n${'[1'.repeat(20_000)}\n${'- a\n'.repeat(20_000)}`;
    expect(checkReport(text, known, ENGLISH).unsourced).toBeGreaterThanOrEqual(0);
  });

  it('ends with the sources that it names, whose titles break no link', () => {
    const sources = [
      { n: 1, title: 'A [tower](x)', url: 'https://a.example/?a=<b>' },
      { n: 2, title: 'Never named', url: 'https://b.example/' },
    ];
    expect(sourceList('It is so [1].', sources)).toContain('- [1] [A tower(x)](<https://a.example/?a=%3Cb%3E>)');
    expect(sourceList('It is so [1].', sources)).not.toContain('Never named');
    expect(sourceList('Nothing', sources)).toBe('');
  });
});

describe('notes', () => {
  it('keep the quotation marks only of what a source says word by word', () => {
    const notes = 'One says "the tower is painted every seven years", another "it was never painted in its life".';
    const checked = withCheckedQuotes(notes, ['Today THE TOWER is painted every  seven years.']);
    expect(quotesIn(checked)).toEqual(['the tower is painted every seven years']);
    expect(checked).toContain('another it was never painted in its life.');
  });
});

describe('a plan', () => {
  it('is read from JSON between words, at most eight steps of a bounded length', () => {
    const steps = Array.from({ length: 20 }, (_, n) => ({ question: `${n} ${'x'.repeat(900)}`, why: 3 }));
    const plan = readPlan(`Sure:\n\`\`\`json\n${JSON.stringify({ title: 'T', task: 'What?', steps })}\n\`\`\``, 'Q');
    expect(plan.steps).toHaveLength(8);
    expect(plan.steps.every(({ question }) => question.length <= 500)).toBe(true);
    expect(new Set(plan.steps.map(({ id }) => id)).size).toBe(8);
  });

  it('has the question as its step where nothing can be read', () => {
    for (const written of ['', 'I cannot.', '{"steps": 3}', '}{', '{"steps":[{"question":"  "}]}'])
      expect(readPlan(written, 'How high is it?').steps).toMatchObject([{ question: 'How high is it?' }]);
  });

  it('gains at most three questions, none of which it has', () => {
    const plan = readPlan('{"steps":["How high?"]}', 'Q');
    const more = readMore('{"steps":["how high?","How old?","How wide?","How heavy?","How red?"]}', plan);
    expect(more.map(({ question }) => question)).toEqual(['How old?', 'How wide?', 'How heavy?']);
  });
});

describe('the marks', () => {
  it('are in the language of the page, English where it is unknown', () => {
    expect(marksIn('de-DE').noSource).toBe('⚠ *ohne Quelle*');
    expect(marksIn('zh-TC')).toBe(MARKS['zh-hant']);
    expect(marksIn('zh-CN')).toBe(MARKS.zh);
    for (const unknown of [undefined, '', 'xx-XX', 'constructor']) expect(marksIn(unknown)).toBe(ENGLISH);
  });

  it('exist in each language of the page', () => {
    const names = readdirSync('web/src/locales').filter((name) => name.endsWith('.json'));
    const foreign = names.map((name) => marksIn(name.slice(0, -'.json'.length)));
    expect(foreign).not.toContain(ENGLISH);
    expect(new Set(foreign).size).toBe(names.length);
  });
});
