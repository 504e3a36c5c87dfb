import { encodeDomain, modelName, operationName, wireName } from '@parley/server/actions/names';
import { describe, expect, it } from 'vitest';

describe('names of operations', () => {
  it.each([
    ['getWeather', 'getWeather'],
    ['get.weather v2', 'getweatherv2'],
    [undefined, 'get_weathercity'],
    ['', 'get_weathercity'],
    ['天气', 'get_weathercity'],
    [7, 'get_weathercity'],
  ])('%j is %s', (operationId, name) => expect(operationName(operationId, 'get', '/weather/{city}')).toBe(name));

  it.each([
    ['a.io', 'a---io'],
    ['abc.d.co', 'abc---d---co'],
    ['example.io', 'example---io'],
    ['api.example.com', 'YXBpLmV4YW'],
  ])('at Azure the domain %s is %s', (domain, encoded) => {
    expect(encodeDomain(domain)).toBe(encoded);
    expect(wireName({ name: 'look' }, domain, true)).toBe(`look_action_${encoded}`);
  });

  it('have the whole domain on the wire', () => {
    expect(wireName({ name: 'look' }, 'api.example.com')).toBe('look_action_api.example.com');
  });

  it.each(['a', 'x'.repeat(46), 'x'.repeat(47), 'x'.repeat(200)])('have at most 64 characters for models', (name) => {
    for (const domain of ['a.io', 'api.example.com', '127.0.0.1:8080'])
      expect(modelName({ name }, domain)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it('stay different when they are long', () => {
    const names = ['a', 'b'].map((end) => modelName({ name: 'x'.repeat(100) + end }, 'api.example.com'));
    expect(new Set(names).size).toBe(2);
  });
});
