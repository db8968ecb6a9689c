import type { Deployment } from '@mainstay/sdk';
import { Check, CircleDashed, LoaderCircle, X } from 'lucide-react';
import { classes } from '#ui/classes.ts';
import type { LogLine } from '#ui/log-view.tsx';

const order = ['QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING', 'ACTIVE'] as const;
const names = {
  QUEUED: 'Queued',
  STARTING: 'Unpack',
  BUILDING: 'Build',
  PROVISIONING: 'Publish',
  ACTIVE: 'Live',
};
/** What the log says when a step begins. */
const marks: [RegExp, (typeof order)[number]][] = [
  [/^Unpacking the archive/, 'STARTING'],
  [/^Building\.$/, 'BUILDING'],
  [/^Publishing\.$|^Deploying the files of an earlier/, 'PROVISIONING'],
];

/** How far it is, and where it ended. */
export function Steps({ deployment, lines }: { deployment: Deployment; lines: readonly LogLine[] }) {
  const { status } = deployment;
  const begun = lines.flatMap(({ message }) => marks.find(([pattern]) => pattern.test(message))?.[1] ?? []);
  const at = status === 'FAILED' ? (begun.at(-1) ?? 'QUEUED') : status === 'PENDING' ? 'QUEUED' : status;
  const position = order.indexOf(at);
  const isSkipped = (step: string) => step === 'BUILDING' && position > 2 && !begun.includes('BUILDING');
  return (
    <ol className="mb-4 flex flex-wrap gap-x-4 gap-y-2" aria-label="Steps">
      {order
        .filter((step) => !isSkipped(step))
        .map((step) => {
          const place = order.indexOf(step);
          const state =
            status === 'ACTIVE' || place < position
              ? 'done'
              : place > position
                ? 'open'
                : status === 'FAILED'
                  ? 'failed'
                  : 'running';
          return (
            <li
              key={step}
              className={classes(
                'flex items-center gap-1.5',
                {
                  done: 'text-success',
                  open: 'text-faint',
                  failed: 'text-danger',
                  running: 'text-accent-text',
                }[state],
              )}
              {...(state === 'running' ? { 'aria-current': 'step' as const } : {})}
            >
              {state === 'done' && <Check aria-hidden className="size-4" />}
              {state === 'open' && <CircleDashed aria-hidden className="size-4" />}
              {state === 'failed' && <X aria-hidden className="size-4" />}
              {state === 'running' && (
                <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
              )}
              {names[step]}
              <span className="sr-only">({state})</span>
            </li>
          );
        })}
    </ol>
  );
}
