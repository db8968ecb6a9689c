/** Servers that want more than the name: options that ask for the domain alone, for all contacts, or for English. */
const forms: Readonly<Record<string, (domain: string) => string>> = {
  'whois.verisign-grs.com': (domain) => `domain ${domain}`,
  'ccwhois.verisign-grs.com': (domain) => `domain ${domain}`,
  'tvwhois.verisign-grs.com': (domain) => `domain ${domain}`,
  'jobswhois.verisign-grs.com': (domain) => `domain ${domain}`,
  'whois.nic.name': (domain) => `domain = ${domain}`,
  'whois.denic.de': (domain) => `-T dn,ace ${domain}`,
  'whois.jprs.jp': (domain) => `${domain}/e`,
  'whois.punktum.dk': (domain) => `--charset=utf-8 --show-handles ${domain}`,
  'whois.dk-hostmaster.dk': (domain) => `--charset=utf-8 --show-handles ${domain}`,
  'whois.norid.no': (domain) => `-c utf-8 ${domain}`,
};

/** The line to send to a server for a domain in ASCII form. */
export function queryFor(server: string, domain: string): string {
  return forms[server]?.(domain) ?? domain;
}
