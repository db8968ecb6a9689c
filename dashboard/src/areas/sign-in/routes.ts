import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { optionsQuery, sessionQuery } from '#api/session.ts';
import { doorRoute } from '#shell/routes.ts';

/** Where to go after signing in: a path of this site, whatever the address says. */
function ownPath(next: unknown): string | undefined {
  if (typeof next !== 'string') return undefined;
  const url = URL.parse(next, location.origin);
  return url && url.origin === location.origin ? url.pathname + url.search + url.hash : undefined;
}

interface NextSearch {
  next?: string;
  /** What an outside sign-in failed with. */
  error?: string;
}
const nextSearch = ({ next, error }: Record<string, unknown>): NextSearch => {
  const path = ownPath(next);
  return { ...(path ? { next: path } : {}), ...(typeof error === 'string' ? { error } : {}) };
};

const signInRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/sign-in',
  staticData: { title: 'Sign in' },
  validateSearch: nextSearch,
  beforeLoad: async ({ context, search }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (user) throw redirect({ href: search.next ?? '/' });
  },
  loader: ({ context }) => context.queryClient.ensureQueryData(optionsQuery),
  component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
});

const signUpRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/sign-up',
  staticData: { title: 'Sign up' },
  validateSearch: nextSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(optionsQuery),
  component: lazyRouteComponent(() => import('./sign-up.tsx'), 'SignUp'),
});

const setupRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/setup',
  staticData: { title: 'First start' },
  validateSearch: ({ token }): { token?: string } => (typeof token === 'string' ? { token } : {}),
  loader: ({ context }) => context.queryClient.ensureQueryData(optionsQuery),
  component: lazyRouteComponent(() => import('./setup.tsx'), 'Setup'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/forgot-password',
  staticData: { title: 'Reset your password' },
  loader: ({ context }) => context.queryClient.ensureQueryData(optionsQuery),
  component: lazyRouteComponent(() => import('./forgot-password.tsx'), 'ForgotPassword'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/reset-password',
  staticData: { title: 'New password' },
  component: lazyRouteComponent(() => import('./reset-password.tsx'), 'ResetPassword'),
});

const verifyEmailRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/verify-email',
  staticData: { title: 'Confirm your address' },
  component: lazyRouteComponent(() => import('./verify-email.tsx'), 'VerifyEmail'),
});

const authorizeRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/authorize',
  staticData: { title: 'Allow an OAuth app' },
  // The program's own query, which is passed on as it is.
  component: lazyRouteComponent(() => import('./authorize.tsx'), 'Authorize'),
});

const codeRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/authorize/code',
  staticData: { title: 'Sign in a device' },
  component: lazyRouteComponent(() => import('./authorization-code.tsx'), 'AuthorizationCode'),
});

const deviceRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/device',
  staticData: { title: 'Sign in a device' },
  validateSearch: ({ user_code }): { user_code?: string } =>
    user_code === undefined || user_code === '' ? {} : { user_code: String(user_code) },
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./device.tsx'), 'Device'),
});

const previewAccessRoute = createRoute({
  getParentRoute: () => doorRoute,
  path: '/preview-access',
  staticData: { title: 'Protected deployment' },
  validateSearch: ({ hostname, to, state }): { hostname: string; to: string; state: string } => ({
    ...{ hostname: String(hostname ?? ''), to: String(to ?? '/'), state: String(state ?? '') },
  }),
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(sessionQuery);
    if (!user) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./preview-access.tsx'), 'PreviewAccess'),
});

export const signInRoutes = [
  ...[signInRoute, signUpRoute, setupRoute, forgotPasswordRoute, resetPasswordRoute, verifyEmailRoute],
  ...[authorizeRoute, codeRoute, deviceRoute, previewAccessRoute],
];
