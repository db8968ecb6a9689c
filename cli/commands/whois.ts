import type { Run } from '../core/run.ts';
import type { whois } from '../descriptions/more.ts';

export const run: Run<typeof whois> = async (context, { arguments: { domain }, options }) => {
  const { out } = context;
  const client = await context.client();
  if (options.raw) return out.line(await client.whois.raw(domain));
  if (options.available) {
    const answer = await client.whois.availability([domain]);
    return out.result(answer, () => {
      for (const one of answer.items)
        out.line(`${one.domain}\t${JSON.stringify({ ...one, domain: undefined })}`);
    });
  }
  const found = await client.whois.domain(domain);
  out.result(found, () => {
    out.fields([
      ['Domain', found.domain.name],
      ['Registered', found.domain.created],
      ['Changed', found.domain.updated],
      ['Expires', found.domain.expires],
      ['Status', found.domain.status.join(', ')],
      ['Registrar', found.registrar.name],
      ['Abuse', found.registrar.email],
      ['Name servers', found.nameservers.join(', ')],
      ['DNSSEC', found.dnssec],
    ]);
  });
};
