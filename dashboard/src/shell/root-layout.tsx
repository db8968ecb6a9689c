import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { listenForHotkeys } from '#ui/hotkeys.ts';
import { Toasts } from '#ui/toast.tsx';
import { Tooltips } from '#ui/tooltip.tsx';

/** Around every page. */
export function RootLayout() {
  useEffect(listenForHotkeys, []);
  return (
    // The policy of the page allows no inline styles.
    <CSPProvider disableStyleElements>
      <Tooltips>
        <Outlet />
        <Toasts />
      </Tooltips>
    </CSPProvider>
  );
}
