// Where the arguments of a call go.
import { buildRequest } from '@parley/server/actions/build-request';
import type { ActionOperation } from '@parley/schema/assistants/operations';
import { describe, expect, it } from 'vitest';

const operation = (over: Partial<ActionOperation> = {}): ActionOperation => ({
  name: 'look',
  method: 'get',
  path: '/pets/{id}',
  description: '',
  parameters: { type: 'object' },
  pathArguments: ['id'],
  queryArguments: ['tag', 'filter'],
  headerArguments: ['X-Trace'],
  body: null,
  ...over,
});
const build = (args: Record<string, unknown>, over: Partial<ActionOperation> = {}) =>
  buildRequest('https://api.example.com/v1', operation(over), args);

describe('a request', () => {
  it('has its arguments in path, query and headers', () => {
    const request = build({ id: 'a b/c?d', tag: ['x', 'y'], filter: { a: 1 }, 'X-Trace': 't1', other: 'left out' });
    expect(request).toEqual({
      method: 'GET',
      url: 'https://api.example.com/v1/pets/a%20b%2Fc%3Fd?tag=x&tag=y&filter=%7B%22a%22%3A1%7D',
      headers: { accept: 'application/json, text/*;q=0.9', 'x-trace': 't1' },
      body: undefined,
    });
  });

  it('has a header of any name as its own', () => {
    const args = Object.fromEntries([
      ['id', 1],
      ['__proto__', 'sent'],
    ]);
    const { headers } = build(args, { headerArguments: ['__proto__'] });
    expect(Object.entries(headers)).toContainEqual(['__proto__', 'sent']);
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });

  it('has the rest as its body', () => {
    const json = build(
      { id: 1, tag: 'x', name: 'Rex', age: 3 },
      { method: 'put', body: { type: 'json', isWhole: false } },
    );
    expect(json).toMatchObject({
      method: 'PUT',
      url: 'https://api.example.com/v1/pets/1?tag=x',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","age":3}',
    });
    const form = build({ id: 1, name: 'Rex & co', age: 3 }, { method: 'post', body: { type: 'form', isWhole: false } });
    expect(form.body).toBe('name=Rex+%26+co&age=3');
    const whole = build({ id: 1, body: [1, 2] }, { method: 'post', body: { type: 'json', isWhole: true } });
    expect(whole.body).toBe('[1,2]');
  });

  it.each([
    ['leads up a folder', { id: '..' }],
    ['leads up several', { id: '../..' }],
    ['leads up behind a name', { id: 'a/../b' }],
    ['leads up by backslashes', { id: 'a\\..\\b' }],
    ['leads up encoded', { id: '%2e%2E%2fb' }],
    ['leads up encoded twice', { id: '%252e%252e' }],
    ['leads up in its parameters', { id: '..;x=1/b' }],
    ['leads to its own folder', { id: '.' }],
    ['is absent', {}],
    ['is empty', { id: '' }],
    ['is null', { id: null }],
  ])('whose path argument %s is refused', (_what, args) => {
    expect(() => build(args)).toThrow(expect.objectContaining({ name: 'UnusableArguments' }));
  });

  it('stays in its folder whatever its arguments are', () => {
    for (const id of ['//evil.example', '@evil.example', '#', '\ud800', 'v1..v2', '...', '100%', 'a/b.c'])
      expect(build({ id }).url).toMatch(/^https:\/\/api\.example\.com\/v1\/pets\/[^/]+$/);
  });

  it.each(['a\r\nb: c', 'a\nb', 'é', 'x'.repeat(5_000)])('has no header that is not one line of ASCII', (value) => {
    expect(() => build({ id: 1, 'X-Trace': value })).toThrow(expect.objectContaining({ name: 'UnusableArguments' }));
  });

  it.each([
    [{ id: 'x'.repeat(9_000) }, {}],
    [{ id: 1, a: 'x'.repeat(300_000) }, { body: { type: 'json', isWhole: false } } as const],
  ])('is not too long', (args, over) => {
    expect(() => build(args, over)).toThrow(expect.objectContaining({ name: 'UnusableArguments' }));
  });
});
