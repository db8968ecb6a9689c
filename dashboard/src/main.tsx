import '#shell/arrived.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import '#src/styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AsyncRouteComponent, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '#api/queries.ts';
import { router } from '#src/router.tsx';

// The code of the screen comes while it is asked who is signed in and what they may do.
const routes: Record<string, { options: { component?: unknown } }> = router.routesById;
for (const { routeId } of router.matchRoutes(router.latestLocation) as { routeId: string }[]) {
  const component = routes[routeId]?.options.component as Partial<AsyncRouteComponent<never>> | undefined;
  // Where it cannot be had the screen says so.
  component?.preload?.()?.catch(() => {});
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
