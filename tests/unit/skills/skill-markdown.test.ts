import { readSkillMarkdown, writeSkillMarkdown } from '@parley/server/skills/skill-markdown';
import { describe, expect, it } from 'vitest';

const read = (text: string) => readSkillMarkdown(text, 'Folder Name');

describe('SKILL.md', () => {
  it('is read with its name, its description and its instructions', () => {
    const text = '---\nname: pdf-forms\ndescription: Fills in PDF forms\nlicense: MIT\n---\n\n# Steps\n\nRead first.\n';
    const skill = { name: 'pdf-forms', description: 'Fills in PDF forms', body: '# Steps\n\nRead first.' };
    expect(read(text)).toEqual({ ...skill, isCut: false });
    expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toMatchObject({ name: 'pdf-forms' });
  });

  it('is the same after it was written', () => {
    const skill = { name: 'odd-one', description: 'Says: "yes" # or no --- \'maybe\'', body: 'Do it.\n---\nNow.' };
    expect(readSkillMarkdown(writeSkillMarkdown(skill), '')).toEqual({ ...skill, isCut: false });
  });

  it.each([
    ['no head', '# Just a text'],
    ['a head without a description', '---\nname: one\n---\nText'],
    ['a head that is no YAML', '---\nname: [one\ndescription: {{x}}: :\n---\nText'],
    ['a head with aliases', '---\na: &a [x]\nname: one\ndescription: *a\n---\nText'],
    ['a head that does not end', '---\nname: one\ndescription: two\nText'],
    ['no instructions', '---\nname: one\ndescription: two\n---\n  \n'],
    ['a head that is a list', '---\n- one\n---\nText'],
  ])('with %s is no skill', (_, text) => {
    expect(read(text)).toBeNull();
  });

  it('gets a name of letters, digits and hyphens, of its folder where it has none', () => {
    expect(read('---\nname: Ärger & Über!\ndescription: x\n---\nText')).toMatchObject({ name: 'arger-uber' });
    expect(read('---\ndescription: x\n---\nText')).toMatchObject({ name: 'folder-name' });
    expect(read('---\nname: 漢字\ndescription: x\n---\nText')).toMatchObject({ name: 'skill' });
  });

  it('is cut where it is longer than it may be, and says so', () => {
    const long = read(`---\nname: long\ndescription: ${'d'.repeat(1100)}\n---\n${'x'.repeat(200_001)}`);
    expect([long?.description.length, long?.body.length, long?.isCut]).toEqual([1024, 200_000, true]);
  });
});
