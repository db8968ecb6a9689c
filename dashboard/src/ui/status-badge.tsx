import { Badge, type Tone } from '#ui/badge.tsx';

/**
 * One vocabulary of states and colours for every screen. States that are under way pulse. One that is not listed is
 * shown in grey by its own name: add it here rather than colouring it on a screen.
 */
const states: Record<string, { tone: Tone; text?: string; moving?: true }> = {
  // Good, and final or in force.
  active: { tone: 'success' },
  ready: { tone: 'success' },
  completed: { tone: 'success' },
  success: { tone: 'success' },
  succeeded: { tone: 'success' },
  healthy: { tone: 'success' },
  live: { tone: 'success' },
  verified: { tone: 'success' },
  // On the way.
  pending: { tone: 'neutral', moving: true },
  queued: { tone: 'neutral', moving: true },
  starting: { tone: 'accent', moving: true },
  building: { tone: 'accent', moving: true },
  provisioning: { tone: 'accent', moving: true },
  running: { tone: 'accent', moving: true },
  uploading: { tone: 'accent', moving: true },
  // Asks for somebody.
  expiring: { tone: 'warning', text: 'Expires soon' },
  suspended: { tone: 'warning' },
  degraded: { tone: 'warning' },
  unverified: { tone: 'warning' },
  stale: { tone: 'warning' },
  missed: { tone: 'warning' },
  // Bad, or refused.
  failed: { tone: 'danger' },
  error: { tone: 'danger' },
  expired: { tone: 'danger' },
  revoked: { tone: 'danger' },
  down: { tone: 'danger' },
  // Over, and nobody minds.
  canceled: { tone: 'neutral' },
  cancelled: { tone: 'neutral', text: 'Canceled' },
  superseded: { tone: 'neutral' },
  deleted: { tone: 'neutral' },
  disabled: { tone: 'neutral' },
  inactive: { tone: 'neutral' },
};

/** A state as the API names it, in any case: `ACTIVE`, `failed`. `text` says it in other words. */
export function StatusBadge({ status, text }: { status: string; text?: string }) {
  const name = status.toLowerCase();
  const state = Object.hasOwn(states, name) ? states[name] : undefined;
  const words = name.replaceAll('_', ' ');
  return (
    <Badge tone={state?.tone ?? 'neutral'}>
      <span
        aria-hidden
        className={`size-1.5 rounded-full bg-current ${state?.moving ? 'animate-pulse' : ''}`}
      />
      {text ?? state?.text ?? words.charAt(0).toUpperCase() + words.slice(1)}
    </Badge>
  );
}
