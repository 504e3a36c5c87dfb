// The entry point of the web app: requests the session first and loads everything else meanwhile.
import 'virtual:theme.css';
import './global.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { session, startSession } from './session/current-session.ts';
import { i18n, startI18n } from './i18n.ts';
import { ThemeProvider } from './app/theme/theme-provider.tsx';
import { preloadScreen, Routes } from './app/routes.tsx';
import { queryClient, trpc, trpcClient } from './trpc.ts';
import { laterParts } from './ui/lazy/later-parts.ts';

const useOverlays = laterParts(() => import('./app/lazy/overlays.tsx'));

startSession();
void Promise.all([startI18n(), preloadScreen(session.wasSignedIn())]).then(() =>
  createRoot(assertElement('root')).render(<App />),
);
registerOfflinePage();

function App() {
  return (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <ThemeProvider>
          <trpc.Provider client={trpcClient} queryClient={queryClient}>
            <QueryClientProvider client={queryClient}>
              <Routes />
              <LaterOverlays />
            </QueryClientProvider>
          </trpc.Provider>
        </ThemeProvider>
      </I18nextProvider>
    </StrictMode>
  );
}

function LaterOverlays() {
  const later = useOverlays();
  return later && <later.Overlays />;
}

function assertElement(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}

/** The worker only answers when the server cannot be reached; see public/worker.js. */
function registerOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  window.addEventListener('load', () => void navigator.serviceWorker.register('/worker.js').catch(() => undefined));
}
