import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { listenForHotkeys } from '#ui/hotkeys.ts';
import { Toasts } from '#ui/toast.tsx';

/** Around every page. */
export function RootLayout() {
  useEffect(listenForHotkeys, []);
  return (
    // The policy of the page allows no inline styles.
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={400}>
        <Outlet />
        <Toasts />
      </Tooltip.Provider>
    </CSPProvider>
  );
}
