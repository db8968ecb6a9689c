import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { listenForHotkeys } from '#ui/hotkeys.ts';
import { toastsWanted } from '#ui/toast.ts';
import { Tooltips } from '#ui/tooltip.tsx';

const Toasts = lazy(() => import('#ui/toasts.tsx'));

/** Around every page. */
export function RootLayout() {
  useEffect(listenForHotkeys, []);
  const hasToasts = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get);
  return (
    // The policy of the page allows no inline styles.
    <CSPProvider disableStyleElements>
      <Tooltips>
        <Outlet />
        <Suspense>{hasToasts && <Toasts />}</Suspense>
      </Tooltips>
    </CSPProvider>
  );
}
