import { Outlet } from '@tanstack/react-router';
import { Logo } from '#shell/logo.tsx';

/** The frame of pages for people who are on their way in. */
export function Door() {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:py-[9vh]">
      <div className="mb-8 flex items-center gap-2.5">
        <Logo className="size-8" />
        <span className="text-lg font-semibold tracking-tight">Mainstay</span>
      </div>
      <main id="main" className="w-full max-w-sm">
        <Outlet />
      </main>
    </div>
  );
}
