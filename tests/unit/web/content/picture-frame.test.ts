import { describe, expect, it } from 'vitest';
import { findBingImage } from '../../../../web/src/content/bing-image/find-bing-image.ts';

const address = 'https://www.bing.com/images/create?q=a+fox&iframeid=1';
const frame = `<iframe role="presentation" src="${address}"></iframe>`;

describe('the frame of a made image', () => {
  it.each([
    ['alone', frame],
    ['below words', `Here it is:\n\n${frame}`],
    ['among words', `Here ${frame} it is`],
    ['with its address written for HTML', frame.replaceAll('&', '&amp;')],
    ['with a style of its own', frame.replace('src', 'style="width:475px" width="475" src')],
    ['in quotes of the other kind', frame.replaceAll('"', "'")],
    ['in capitals', frame.replaceAll('iframe', 'IFRAME').replace('IFRAMEid', 'iframeid')],
    ['over two lines', frame.replace(' src', '\n  src')],
    ['below the path of the maker', frame.replace('/create?', '/create/async/results/1?')],
    ['beside words that only begin like a tag', `<address> <abbr> <image> < a ${frame}`],
  ])('is found in %s', (_, text) => {
    const found = findBingImage(text);
    expect(text).toContain(found?.source);
    expect(found?.address.startsWith('https://www.bing.com/images/create')).toBe(true);
  });

  it('has the address that a browser would read', () => {
    expect(findBingImage(frame.replaceAll('&', '&amp;'))?.address).toBe(address);
  });

  it.each(['script', 'img', 'style', 'div', 'a', 'input', 'button', 'form'])('is not found beside <%s>', (tag) => {
    expect(findBingImage(`<${tag}>${frame}`)).toBeNull();
    expect(findBingImage(`${frame}\n\n<${tag.toUpperCase()} x="y">`)).toBeNull();
    expect(findBingImage(`${frame}</${tag}>`)).toBeNull();
    expect(findBingImage(frame.replace('></', `><${tag}></`))).toBeNull();
  });

  it.each([
    ['no frame', 'Here it is.'],
    ['two frames', `${frame}\n\n${frame}`],
    ['a second frame that is none', `${frame} <iframe`],
    ['no role', frame.replace('role="presentation" ', '')],
    ['another role', frame.replace('presentation', 'main')],
    ['the role only in another attribute', frame.replace('role=', 'data-role=')],
    ['a second role', frame.replace('role=', 'role="main" role=')],
    ['no address', '<iframe role="presentation"></iframe>'],
    ['the address only in another attribute', frame.replace('src=', 'data-src=')],
    ['the page in place of an address', frame.replace('src=', 'srcdoc="<p>" src=')],
    ['another host', frame.replace('www.bing.com', 'www.bing.com.evil.example')],
    ['a host that only looks like it', frame.replace('www.bing.com', 'www.bing.com@evil.example')],
    ['somebody in the address', frame.replace('www.bing', 'alice:secret@www.bing')],
    ['no encryption', frame.replace('https', 'http')],
    ['another scheme', frame.replace('https://www.bing.com', 'javascript:alert(1)//www.bing.com')],
    ['a path beside it', frame.replace('/images/create?', '/images/create-more?')],
    ['another path', frame.replace('/images/create?', '/images/search?')],
    ['a path that leaves it', frame.replace('/images/create?', '/images/create/../search?')],
    ['no end', frame.replace('</iframe>', '')],
    ['words inside', frame.replace('></', '>words</')],
  ])('is not found with %s', (_, text) => {
    expect(findBingImage(text)).toBeNull();
  });
});
