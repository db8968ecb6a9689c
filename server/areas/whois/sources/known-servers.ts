/** CentralNic's registries below names of its own. */
const centralnic =
  'ae.org br.com cn.com co.com com.de com.se de.com eu.com gb.com gb.net hu.com hu.net in.net jp.net jpn.com kr.com ' +
  'mex.com no.com qc.com ru.com sa.com se.com se.net uk.com uk.net us.com uy.com web.com za.bz za.com';

/** Registries below a suffix that the root knows nothing about: suffix to WHOIS server. */
export const suffixServers: ReadonlyMap<string, string> = new Map([
  ...centralnic.split(' ').map((suffix) => [suffix, 'whois.centralnic.com'] as const),
  ['eu.org', 'whois.eu.org'],
  ['co.ca', 'whois.co.ca'],
  ['za.net', 'whois.za.net'],
  ['za.org', 'whois.za.org'],
  ['ac.uk', 'whois.nic.ac.uk'],
  ['gov.uk', 'whois.nic.gov.uk'],
]);

/**
 * RDAP services that are in use and not in IANA's bootstrap file, by TLD. The registries' own pages name them:
 * denic.de, nic.ch, identity.digital.
 */
export const unlistedRdap: ReadonlyMap<string, string> = new Map([
  ['de', 'https://rdap.denic.de/'],
  ['ch', 'https://rdap.nic.ch/'],
  ['li', 'https://rdap.nic.li/'],
  ['io', 'https://rdap.identitydigital.services/rdap/'],
  ['sh', 'https://rdap.identitydigital.services/rdap/'],
  ['ac', 'https://rdap.identitydigital.services/rdap/'],
  ['me', 'https://rdap.identitydigital.services/rdap/'],
]);
