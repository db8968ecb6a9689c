import type { WhoisContact, WhoisRecord } from '@mainstay/sdk';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const regions = new Intl.DisplayNames('en', { type: 'region' });

export function RecordCards({ record }: { record: WhoisRecord }) {
  const { domain, registrar, nameservers, dnssec } = record;
  return (
    <>
      <Card title={domain.name ?? 'Domain'}>
        <Lifetime created={domain.created} expires={domain.expires} />
        <Facts
          facts={[
            ['Registered', domain.created && <RelativeTime time={domain.created} />],
            ['Changed', domain.updated && <RelativeTime time={domain.updated} />],
            ['Expires', domain.expires && <RelativeTime time={domain.expires} />],
            ['Id', domain.id && <Mono>{domain.id}</Mono>],
            ['DNSSEC', dnssec],
            ['Name servers', nameservers.length > 0 && <Lines texts={nameservers} />],
            [
              'Status',
              domain.status.length > 0 && (
                <span className="flex flex-wrap gap-1.5">
                  {domain.status.map((status) => (
                    <Badge key={status}>{status}</Badge>
                  ))}
                </span>
              ),
            ],
          ].map(([name, value]) => [name as string, value || null])}
        />
      </Card>
      <Card title="Registrar">
        <Facts
          facts={[
            ['Name', registrar.name],
            ['IANA id', registrar.ianaId],
            ['Page', registrar.url],
            ['E-mail', registrar.email],
            ['Phone', registrar.phone],
            ['WHOIS server', registrar.whoisServer && <Mono>{registrar.whoisServer}</Mono>],
          ]}
        />
      </Card>
      <Contact title="Registrant" contact={record.registrant} />
      <Contact title="Administrative contact" contact={record.admin} />
      <Contact title="Technical contact" contact={record.tech} />
      <Contact title="Billing contact" contact={record.billing} />
    </>
  );
}

/** How much of the registration is over. */
function Lifetime({ created, expires }: { created: string | null; expires: string | null }) {
  if (created === null || expires === null) return null;
  const [from, to] = [Date.parse(created), Date.parse(expires)];
  const share = Math.min(1, Math.max(0, (Date.now() - from) / (to - from)));
  const isSoon = to - Date.now() < 30 * 86_400_000;
  return (
    <div aria-hidden className="mb-4 h-1.5 overflow-hidden rounded-full bg-pressed">
      <div
        className={isSoon ? 'h-full bg-warning' : 'h-full bg-accent'}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}

function Contact({ title, contact }: { title: string; contact: WhoisContact }) {
  if (Object.values(contact).every((value) => value === null)) return null;
  const { street, postalCode, city, state, country } = contact;
  const place = [[postalCode, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ');
  const numberOf = (number: string | null, extension: string | null) =>
    number && (extension ? `${number}, extension ${extension}` : number);
  return (
    <Card title={title}>
      <Facts
        facts={[
          ['Name', contact.name],
          ['Organization', contact.organization],
          ['Street', street && <Lines texts={street.split('\n')} />],
          ['Place', place],
          ['Country', country && nameOfCountry(country)],
          ['E-mail', contact.email],
          ['Phone', numberOf(contact.phone, contact.phoneExt)],
          ['Fax', numberOf(contact.fax, contact.faxExt)],
        ]}
      />
    </Card>
  );
}

function nameOfCountry(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    // Two letters that no country has.
    return code;
  }
}

function Lines({ texts }: { texts: string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
