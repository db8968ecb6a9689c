import { classes } from '#ui/classes.ts';

/** The picture of an organization; people without one have their first letter. */
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
  if (url !== null) return <img src={url} alt="" className={classes(box, 'object-cover')} />;
  return (
    <span
      aria-hidden
      className={classes(box, 'flex items-center justify-center rounded-full font-semibold text-muted')}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
