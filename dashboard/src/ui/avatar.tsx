import { classes } from '#ui/classes.ts';

/** The picture of an organization or a person; those without one have their first letter. */
export function Avatar({
  url,
  name = '',
  size = 'sm',
}: {
  url: string | null;
  name?: string;
  size?: 'sm' | 'lg';
}) {
  const box = classes('shrink-0 bg-pressed', size === 'sm' ? 'size-6 rounded-md' : 'size-16 rounded-lg');
  const source = sourceOf(url);
  if (source !== null) return <img src={source} alt="" className={classes(box, 'object-cover')} />;
  return (
    <span
      aria-hidden
      className={classes(box, 'flex items-center justify-center rounded-full font-semibold text-muted')}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

/**
 * Where this server has the picture, by whichever of its addresses the dashboard was opened. Null for a picture of
 * another site, such as a provider that the person signs in with: the policy of the page lets none in.
 */
function sourceOf(url: string | null): string | null {
  const path = url === null ? '' : new URL(url, location.origin).pathname;
  return /^\/(avatars|images|idp\/pictures)\//.test(path) ? path : null;
}
