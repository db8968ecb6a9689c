/** What a look-up answers: the WHOIS record of the specification. A field that the source does not give is null. */
export interface WhoisRecord {
  readonly domain: {
    readonly name: string | null;
    /** The registry's own id of the object (ROID, handle). */
    readonly id: string | null;
    /** As the registry says them, without explanations and links. */
    readonly status: readonly string[];
    /** Moments: ISO 8601, UTC. */
    readonly created: string | null;
    readonly updated: string | null;
    readonly expires: string | null;
  };
  readonly registrar: {
    readonly name: string | null;
    readonly url: string | null;
    readonly whoisServer: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly ianaId: string | null;
  };
  readonly registrant: Contact;
  readonly admin: Contact;
  readonly tech: Contact;
  readonly billing: Contact;
  /** Lower-case host names. */
  readonly nameservers: readonly string[];
  readonly dnssec: string | null;
}

export const contactFields = [
  'name',
  'organization',
  'street',
  'city',
  'state',
  'postalCode',
  'country',
  'phone',
  'phoneExt',
  'fax',
  'faxExt',
  'email',
] as const;
export type ContactField = (typeof contactFields)[number];

/** `country` has two letters (ISO 3166-1). What a registry writes in place of a hidden value is passed on as it stands. */
export type Contact = { readonly [F in ContactField]: string | null };

export type ContactRole = 'registrant' | 'admin' | 'tech' | 'billing';
