// @vitest-environment happy-dom
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { useEventListener } from '../../../../web/src/ui/hooks/use-event-listener.ts';

test('a key is heard as soon as the component is in the page', async () => {
  const container = document.body.appendChild(document.createElement('div'));
  const heard: string[] = [];
  function Listening() {
    useEventListener('keydown', ({ key }) => heard.push(key), { capture: true });
    return <p>shown</p>;
  }
  const root = createRoot(container);
  const shown = new Promise<void>((resolve) =>
    new MutationObserver(() => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
      resolve();
    }).observe(container, { childList: true }),
  );
  root.render(<Listening />);
  await shown;
  expect(heard).toEqual(['Enter']);

  root.unmount();
  await expect.poll(() => container.childNodes.length).toBe(0);
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  expect(heard).toEqual(['Enter']);
});
