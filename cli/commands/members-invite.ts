import { organization } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import type { membersInvite } from '../descriptions/more.ts';

export const run: Run<typeof membersInvite> = async (context, { arguments: { email }, options }) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const made = await client.invitations.create(id, { email, role: options.role ?? 'MEMBER' });
  out.result(made, () => {
    out.success(made.sent ? `Invitation sent to ${email}.` : `Invitation created. Give ${email} this link:`);
    if (made.url !== null) out.line(made.url);
  });
};
