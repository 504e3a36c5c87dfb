// What is written into the form of a tool server.
import { describe, expect, it } from 'vitest';
import { headersIn, serverErrors } from '../../../../web/src/admin/tools/server-values.ts';

const NEW = { url: null, hasHeaders: false };
const values = (over = {}) => ({ name: 'ours', url: 'https://tools.example/mcp', headers: '', ...over });

describe('headers', () => {
  it('are one a line, and may have colons in their values', () => {
    expect(headersIn('Authorization: Bearer a:b\n\n X-Key :1 ')).toEqual([
      { name: 'Authorization', value: 'Bearer a:b' },
      { name: 'X-Key', value: '1' },
    ]);
  });

  it.each(['no colon', ': no name', 'No-Value:', 'two words: x'])('are not %j', (line) => {
    expect(headersIn(line)).toBeNull();
  });
});

describe('the form', () => {
  it('wants a name, an address and lines that are headers', () => {
    expect(serverErrors(values(), NEW)).toEqual({});
    expect(Object.keys(serverErrors(values({ name: 'a b', url: 'tools', headers: 'x' }), NEW))).toEqual([
      'name',
      'url',
      'headers',
    ]);
  });

  it('wants the headers again where the address is another one', () => {
    const saved = { url: 'https://former.example', hasHeaders: true };
    expect(serverErrors(values(), saved)).toEqual({ headers: 'com_admin_tools_server_headers_elsewhere' });
    expect(serverErrors(values({ headers: 'X-Key: 1' }), saved)).toEqual({});
  });
});
