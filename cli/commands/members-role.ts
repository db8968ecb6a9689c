import { organization } from '../core/choose.ts';
import { findMember } from '../core/member.ts';
import type { Run } from '../core/run.ts';
import type { membersRole } from '../descriptions/more.ts';

export const run: Run<typeof membersRole> = async (
  context,
  { arguments: { member: wanted, role }, options },
) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const { membershipId } = await findMember(client, id, wanted);
  const member = await client.members.update(id, membershipId, {
    role: role as 'OWNER' | 'ADMIN' | 'MEMBER',
  });
  out.result(member, () => out.success(`${wanted} is ${role} now.`));
};
