/** Servers that want more than the name: options that ask for the domain alone, for all contacts, or for English. */
const forms: ReadonlyMap<string, (domain: string) => string> = new Map(
  Object.entries({
    'whois.verisign-grs.com': (domain: string) => `domain ${domain}`,
    'ccwhois.verisign-grs.com': (domain: string) => `domain ${domain}`,
    'tvwhois.verisign-grs.com': (domain: string) => `domain ${domain}`,
    'jobswhois.verisign-grs.com': (domain: string) => `domain ${domain}`,
    'whois.nic.name': (domain: string) => `domain = ${domain}`,
    'whois.denic.de': (domain: string) => `-T dn,ace ${domain}`,
    'whois.jprs.jp': (domain: string) => `${domain}/e`,
    'whois.punktum.dk': (domain: string) => `--charset=utf-8 --show-handles ${domain}`,
    'whois.dk-hostmaster.dk': (domain: string) => `--charset=utf-8 --show-handles ${domain}`,
    'whois.norid.no': (domain: string) => `-c utf-8 ${domain}`,
  }),
);

/** The line to send to a server for a domain in ASCII form. */
export function queryFor(server: string, domain: string): string {
  return forms.get(server)?.(domain) ?? domain;
}
