import { organization } from '../core/choose.ts';
import { findMember } from '../core/member.ts';
import type { Run } from '../core/run.ts';
import type { membersRemove } from '../descriptions/more.ts';

export const run: Run<typeof membersRemove> = async (context, { arguments: { member: wanted }, options }) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const member = await findMember(client, id, wanted);
  if (options['dry-run'])
    return out.result({ dryRun: true, member }, () => out.line(`Would remove ${member.email}.`));
  await context.confirm(
    `Remove ${member.email}${options['keep-keys'] ? '' : ', and revoke the API keys that they created'}?`,
  );
  await client.members.remove(id, member.membershipId, options['keep-keys'] ? { keepApiKeys: true } : {});
  out.result({ removed: member }, () => out.success(`${member.email} removed.`));
};
