import { organization } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Run } from '../core/run.ts';
import { ago } from '../core/text.ts';
import { timeOf } from '../core/time.ts';
import type { audit } from '../descriptions/more.ts';

export const run: Run<typeof audit> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const most = options.limit ?? 50;
  const { action, actor, target, since, until } = options;
  const found = await collect(
    client.auditLog.list(id, {
      limit: Math.max(1, Math.min(most, 100)),
      ...(action === undefined ? {} : { action }),
      ...(actor === undefined ? {} : { actorId: actor }),
      ...(target === undefined ? {} : { targetId: target }),
      ...(since === undefined ? {} : { from: timeOf(since) }),
      ...(until === undefined ? {} : { to: timeOf(until) }),
    }),
    most,
  );
  out.result(found, () =>
    out.table(found, [
      {
        title: 'When',
        value: ({ createdAt }) => (out.isTerminal ? ago(createdAt) : createdAt),
        isFixed: true,
      },
      { title: 'Action', value: (one) => one.action, style: out.paint.bold },
      { title: 'By', value: (one) => `${one.actor.type} ${one.actor.id ?? ''}`.trim() },
      { title: 'To', value: (one) => `${one.target.type} ${one.target.id ?? ''}`.trim() },
    ]),
  );
};
