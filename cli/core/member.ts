import type { Client } from '@mainstay/sdk';
import { Failure } from './failure.ts';

type Member = Awaited<ReturnType<Client['members']['list']>>['items'][number];

export async function findMember(client: Client, organizationId: string, wanted: string): Promise<Member> {
  for await (const member of client.members.list(organizationId, { limit: 100 }))
    if (
      member.membershipId === wanted ||
      member.userId === wanted ||
      member.email.toLowerCase() === wanted.toLowerCase()
    )
      return member;
  throw new Failure(`${wanted} is not a member of the organization.`, {
    exit: 'notFound',
    next: '`mainstay members` lists them.',
  });
}
