import type { LatestDeployment } from '@mainstay/sdk';
import { StatusBadge } from '#ui/status-badge.tsx';

/** Of an application: what became of its last deployment, unless that is what is live. */
export function DeploymentState({ latest }: { latest: LatestDeployment | undefined }) {
  if (!latest) return <span className="text-faint">Not deployed</span>;
  const { latest: last, live } = latest;
  if (last.status !== 'ACTIVE') return <StatusBadge status={last.status} />;
  return live ? <StatusBadge status="live" /> : <StatusBadge status={last.status} />;
}
