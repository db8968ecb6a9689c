import type { Contact, WhoisRecord } from '../record.ts';

/**
 * Writes a record as the label lines of a WHOIS answer (the format that ICANN prescribes for registrars), for
 * registries that answer on port 43 no more. What is not known has no line.
 */
export function renderText(record: WhoisRecord): string {
  const { domain, registrar } = record;
  const lines: [string, string | null][] = [
    ['Domain Name', domain.name],
    ['Registry Domain ID', domain.id],
    ['Registrar WHOIS Server', registrar.whoisServer],
    ['Registrar URL', registrar.url],
    ['Updated Date', domain.updated],
    ['Creation Date', domain.created],
    ['Registry Expiry Date', domain.expires],
    ['Registrar', registrar.name],
    ['Registrar IANA ID', registrar.ianaId],
    ['Registrar Abuse Contact Email', registrar.email],
    ['Registrar Abuse Contact Phone', registrar.phone],
    ...domain.status.map((status): [string, string] => ['Domain Status', status]),
    ...contactLines('Registrant', record.registrant),
    ...contactLines('Admin', record.admin),
    ...contactLines('Tech', record.tech),
    ...contactLines('Billing', record.billing),
    ...record.nameservers.map((server): [string, string] => ['Name Server', server]),
    ['DNSSEC', record.dnssec],
  ];
  return lines.map(([label, value]) => (value === null ? '' : `${label}: ${value}\n`)).join('');
}

function contactLines(role: string, contact: Contact): [string, string | null][] {
  return [
    [`${role} Name`, contact.name],
    [`${role} Organization`, contact.organization],
    [`${role} Street`, contact.street],
    [`${role} City`, contact.city],
    [`${role} State/Province`, contact.state],
    [`${role} Postal Code`, contact.postalCode],
    [`${role} Country`, contact.country],
    [`${role} Phone`, contact.phone],
    [`${role} Phone Ext`, contact.phoneExt],
    [`${role} Fax`, contact.fax],
    [`${role} Fax Ext`, contact.faxExt],
    [`${role} Email`, contact.email],
  ];
}
