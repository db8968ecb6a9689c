import type { AnyRouter } from '@tanstack/react-router';

/** On every new page: its title in the tab, and the focus on its heading, so that screen readers say where they are. */
export function arrive(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    document.title = titleOf(router);
    if (!fromLocation || !pathChanged) return;
    // A field that asked for the focus keeps it.
    if (document.activeElement?.matches('input, textarea')) return;
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  });
}

function titleOf(router: AnyRouter): string {
  const { matches } = router.state;
  const title = matches.findLast(({ staticData }) => staticData.title)?.staticData.title;
  const organization = matches
    .map(({ context }) => (context as { organization?: { name: string } } | undefined)?.organization?.name)
    .find(Boolean);
  const application = matches
    .map(({ context }) => (context as { application?: { name: string } } | undefined)?.application?.name)
    .find(Boolean);
  return [title, application, organization, 'Mainstay'].filter(Boolean).join(' · ');
}
