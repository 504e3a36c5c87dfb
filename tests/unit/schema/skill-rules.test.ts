import {
  collidingPath,
  isOfOwnSkill,
  pathProblem,
  readSkillKey,
  skillKey,
  skillNameFrom,
} from '@parley/schema/skills/skill-rules';
import { expect, it } from 'vitest';

const ID = '0b6b2d9a-0000-4000-8000-000000000001';
const OWNER = '0b6b2d9a-0000-4000-8000-000000000002';

it.each(['scripts/run.py', 'a b.txt', 'deep/er/ünïcode.md', '.hidden', 'x'.repeat(200)])(
  'a file can lie at %s',
  (path) => {
    expect(pathProblem(path)).toBeNull();
  },
);

it.each([
  '',
  '/etc/passwd',
  '..',
  '../up',
  'a/../../up',
  'a//b',
  'a/./b',
  'a/',
  'C:\\x',
  'c:/x',
  'a\\..\\b',
  'nul\0',
  'line\nbreak',
  'SKILL.md',
  'skill.MD',
  'x'.repeat(201),
])('no file can lie at %j', (path) => {
  expect(pathProblem(path)).not.toBeNull();
});

it('paths that some systems take for one collide', () => {
  expect(collidingPath(['a.md', 'b.md', 'c/a.md'])).toBeNull();
  expect(collidingPath(['a.md', 'A.md'])).toBe('A.md');
  expect(collidingPath(['\u00e9.md', 'e\u0301.md'])).toBe('e\u0301.md');
  expect(collidingPath(['a', 'a/b'])).toBe('a/b');
  expect(collidingPath(['a/b', 'A'])).toBe('A');
});

it('a key names a skill and, of another person, its owner', () => {
  for (const ref of [
    { ownerId: null, id: ID },
    { ownerId: OWNER, id: ID },
  ])
    expect(readSkillKey(skillKey(ref))).toEqual(ref);
  for (const key of ['skill:', `skill:${ID}:`, `skill:x:${ID}`, `mcp:${ID}`, `skill:${ID}x`])
    expect(readSkillKey(key)).toBeNull();
});

it('a name is made of any title', () => {
  expect(skillNameFrom('PDF Forms!')).toBe('pdf-forms');
  expect(skillNameFrom('-')).toBe('skill');
  expect(skillNameFrom(`${'x'.repeat(63)} y`)).toBe('x'.repeat(63));
});

it('only the instructions of an own skill are the word of its person', () => {
  const own = { source: 'skill', id: 'skill' };
  expect(isOfOwnSkill({ from: own, output: 'Begin with a greeting.' })).toBe(true);
  expect(isOfOwnSkill({ from: own, output: '[A file of the skill a: b.md]' })).toBe(false);
  expect(isOfOwnSkill({ from: { ...own, id: 'foreign_skill' } })).toBe(false);
  expect(isOfOwnSkill({ from: { source: 'mcp', id: 'skill' } })).toBe(false);
  expect(isOfOwnSkill({})).toBe(false);
});
