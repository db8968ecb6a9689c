import type { ProductAccess } from '@mainstay/sdk';
import type { ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const tones: Record<string, Tone> = {
  ACTIVE: 'success',
  SUSPENDED: 'warning',
  REVOKED: 'danger',
  CANCELED: 'neutral',
};

interface AccessCardProps {
  access: ProductAccess;
  /** The call that says the same. */
  call: ApiCall;
  /** What an operator may do about it. */
  actions?: ReactNode;
}

export function AccessCard({ access, call, actions }: AccessCardProps) {
  const { product, hasAccess, explicitEntitlement, subscription } = access;
  const plan = product.plans.find(({ slug }) => slug === subscription?.plan);
  return (
    <Card
      title={product.displayName}
      description={<Mono>{product.slug}</Mono>}
      actions={<Badge tone={hasAccess ? 'success' : 'neutral'}>{hasAccess ? 'Access' : 'No access'}</Badge>}
      call={call}
      footer={actions}
    >
      <Facts
        facts={[
          ['Reason', reasonOf(access)],
          [
            'Override',
            explicitEntitlement && (
              <span className="inline-flex flex-wrap items-center gap-x-2">
                <Badge tone={tones[explicitEntitlement.status] ?? 'neutral'}>
                  {explicitEntitlement.status.toLowerCase()}
                </Badge>
                <RelativeTime time={explicitEntitlement.updatedAt} />
              </span>
            ),
          ],
          [
            'Plan',
            subscription && (
              <span className="inline-flex flex-wrap items-center gap-x-2">
                {plan?.displayName ?? subscription.plan}
                <Badge tone={tones[subscription.status] ?? 'neutral'}>
                  {subscription.status.toLowerCase()}
                </Badge>
              </span>
            ),
          ],
          ['', plan && <span className="text-muted">{plan.description}</span>],
          [
            'Plans',
            !subscription &&
              product.plans.length > 0 &&
              product.plans.map((one) => one.displayName).join(', '),
          ],
        ].map(([name, value]) => [name as string, (value || null) as ReactNode])}
      />
    </Card>
  );
}

function reasonOf({ resolutionSource, product, hasAccess }: ProductAccess): string {
  if (resolutionSource === 'explicit') return 'Set by an operator for this organization.';
  if (product.defaultAccessPolicy === 'granted') return 'Available to every organization.';
  return hasAccess ? 'Default policy of the product.' : 'Must be granted by an operator.';
}
