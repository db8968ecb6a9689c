import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../record.ts';
import { parseWhois } from './parse.ts';

/** What a contact says, without what it does not. */
function said(contact: Contact): Partial<Contact> {
  return Object.fromEntries(Object.entries(contact).filter(([, value]) => value !== null));
}

test('an answer in the format that ICANN prescribes is read whole', () => {
  const record = parseWhois(
    [
      'Domain Name: EXAMPLE.COM',
      'Registry Domain ID: 123_DOMAIN_COM-VRSN',
      'Registrar WHOIS Server: whois.registrar.example',
      'Registrar URL: http://www.registrar.example',
      'Updated Date: 2024-01-02T03:04:05Z',
      'Creation Date: 1995-08-14T04:00:00Z',
      'Registrar Registration Expiration Date: 2030-08-13T04:00:00Z',
      'Registrar: Example Registrar, Inc.',
      'Registrar IANA ID: 376',
      'Registrar Abuse Contact Email: abuse@registrar.example',
      'Registrar Abuse Contact Phone: +1.5555550100',
      'Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited',
      'Domain Status: ok (paid and in zone)',
      'Registrant Name: Jane Doe',
      'Registrant Organization: Example Ltd',
      'Registrant Street: 1 High Street',
      'Registrant Street: Floor 2',
      'Registrant City: London',
      'Registrant State/Province:',
      'Registrant Postal Code: SW1A 1AA',
      'Registrant Country: gb',
      'Registrant Phone: +44.2079460000',
      'Registrant Phone Ext: 12',
      'Registrant Email: REDACTED FOR PRIVACY',
      'Name Server: NS1.EXAMPLE.NET',
      'Name Server: ns2.example.net.',
      'DNSSEC: signedDelegation',
      '>>> Last update of WHOIS database: 2024-05-05T00:00:00Z <<<',
    ].join('\r\n'),
    'example.com',
  );
  assert.deepEqual(record.domain, {
    name: 'example.com',
    id: '123_DOMAIN_COM-VRSN',
    status: ['clientDeleteProhibited', 'ok'],
    created: '1995-08-14T04:00:00.000Z',
    updated: '2024-01-02T03:04:05.000Z',
    expires: '2030-08-13T04:00:00.000Z',
  });
  assert.deepEqual(record.registrar, {
    name: 'Example Registrar, Inc.',
    url: 'http://www.registrar.example',
    whoisServer: 'whois.registrar.example',
    email: 'abuse@registrar.example',
    phone: '+1.5555550100',
    ianaId: '376',
  });
  assert.deepEqual(said(record.registrant), {
    name: 'Jane Doe',
    organization: 'Example Ltd',
    street: '1 High Street, Floor 2',
    city: 'London',
    postalCode: 'SW1A 1AA',
    country: 'GB',
    phone: '+44.2079460000',
    phoneExt: '12',
    email: 'REDACTED FOR PRIVACY',
  });
  assert.deepEqual(record.nameservers, ['ns1.example.net', 'ns2.example.net']);
  assert.equal(record.dnssec, 'signedDelegation');
});

test('objects that are referred to by handle become the contacts, whatever order they come in', () => {
  const record = parseWhois(
    `domain:       example.cz
registrant:   OWNER-1
admin-c:      PERSON-2
registrar:    REG-EXAMPLE
registered:   21.07.2000 15:21:00
changed:      18.05.2011 23:28:45
expire:       22.07.2028

contact:      PERSON-2
name:         John Smith
e-mail:       john@example.org
created:      01.01.2001 00:00:00

contact:      OWNER-1
org:          Example s.r.o.
name:         Jana Nova
address:      Dlouha 1
address:      Praha
address:      11000
address:      CZ
registrar:    REG-OTHER
changed:      19.10.2035 14:07:53

nsset:        NSS-1
nserver:      ns1.example.cz (192.0.2.1)
nserver:      ns2.example.cz
created:      18.05.2031 23:27:16
`,
    'example.cz',
  );
  assert.equal(record.domain.created, '2000-07-21T15:21:00.000Z');
  assert.equal(record.domain.updated, '2011-05-18T23:28:45.000Z');
  assert.equal(record.domain.expires, '2028-07-22T00:00:00.000Z');
  assert.deepEqual(said(record.registrant), {
    name: 'Jana Nova',
    organization: 'Example s.r.o.',
    street: 'Dlouha 1, Praha, 11000, CZ',
    country: 'CZ',
  });
  assert.deepEqual(said(record.admin), { name: 'John Smith', email: 'john@example.org' });
  assert.equal(record.registrar.name, 'REG-EXAMPLE');
  assert.deepEqual(record.nameservers, ['ns1.example.cz', 'ns2.example.cz']);
});

test('sections with indented lines end where the indent does', () => {
  const record = parseWhois(
    `    Domain name:
        example.co.uk

    Registrant:
        Example Trading Ltd

    Registrar:
        Names Ltd t/a Names [Tag = NAMES]
        URL: http://www.names.example

    Relevant dates:
        Registered on: 16-Apr-1999
        Expiry date:  16-Apr-2033
        Last updated:  01-May-2023

    Registration status:
        Registered until expiry date.

    Name servers:
        ns1.example.co.uk  192.0.2.1
        ns2.example.co.uk

    WHOIS lookup made at 09:47:51 06-May-2033
`,
    'example.co.uk',
  );
  assert.deepEqual(record.domain, {
    name: 'example.co.uk',
    id: null,
    status: ['Registered until expiry date.'],
    created: '1999-04-16T00:00:00.000Z',
    updated: '2023-05-01T00:00:00.000Z',
    expires: '2033-04-16T00:00:00.000Z',
  });
  assert.equal(record.registrant.name, 'Example Trading Ltd');
  assert.equal(record.registrar.url, 'http://www.names.example');
  assert.deepEqual(record.nameservers, ['ns1.example.co.uk', 'ns2.example.co.uk']);
});

test('a contact without labels is told apart: name, organization, street, city, code, country, telephone, fax, e-mail', () => {
  const record = parseWhois(
    `Domain Name: example.org

Registrant:
   Example Widgets, Inc.
   Jane Doe (jane [at] example.org)
   100 Main Street
   Suite 5
   Springfield, IL 62701
   United States
   +1.2175550100 Fax: +1.2175550101

Administrative Contact, Technical Contact:
   John Roe		john@example.org
   Example Widgets, Inc.
   100 Main Street
   Springfield
   IL
   62701
   US
   217-555-0100 fax: 217-555-0101

Record expires on 09-Jun-2034.
Record created on 10-Jun-1997.

Domain servers in listed order:

   NS1.EXAMPLE.ORG    192.0.2.1
   NS2.EXAMPLE.ORG
`,
    'example.org',
  );
  assert.deepEqual(said(record.registrant), {
    name: 'Jane Doe',
    organization: 'Example Widgets, Inc.',
    street: '100 Main Street, Suite 5',
    city: 'Springfield',
    state: 'IL',
    postalCode: '62701',
    country: 'US',
    phone: '+1.2175550100',
    fax: '+1.2175550101',
    email: 'jane@example.org',
  });
  assert.deepEqual(said(record.admin), {
    name: 'John Roe',
    organization: 'Example Widgets, Inc.',
    street: '100 Main Street',
    city: 'Springfield',
    state: 'IL',
    postalCode: '62701',
    country: 'US',
    phone: '217-555-0100',
    fax: '217-555-0101',
    email: 'john@example.org',
  });
  assert.deepEqual(record.tech, record.admin);
  assert.equal(record.domain.created, '1997-06-10T00:00:00.000Z');
  assert.equal(record.domain.expires, '2034-06-09T00:00:00.000Z');
  assert.deepEqual(record.nameservers, ['ns1.example.org', 'ns2.example.org']);
});

test('labels are known in dots, brackets, columns, Spanish and with numbers', () => {
  const dots = parseWhois(
    'domain.............: example.fi\ncreated............: 18.7.2012 04:04:23',
    'example.fi',
  );
  assert.equal(dots.domain.created, '2012-07-18T04:04:23.000Z');
  const brackets = parseWhois(
    'a. [Domain Name]   EXAMPLE.CO.JP\ng. [Organization]   Example K.K.\np. [Name Server]   ns1.example.jp\n[State]   Connected (2030/03/31)',
    'example.co.jp',
  );
  assert.equal(brackets.registrant.organization, 'Example K.K.');
  assert.equal(brackets.domain.expires, '2030-03-31T00:00:00.000Z');
  const columns = parseWhois(
    'Domain-name         example.sk\nLast-update         2011-08-02\ndns_name            ns1.example.sk',
    'example.sk',
  );
  assert.equal(columns.domain.updated, '2011-08-02T00:00:00.000Z');
  assert.deepEqual(columns.nameservers, ['ns1.example.sk']);
  const spanish = parseWhois(
    'Nombre de Dominio: example.ve\nFecha de Creación: 2003-03-06 00:00:00\nEstatus del dominio: ACTIVO',
    'example.ve',
  );
  assert.deepEqual([spanish.domain.created, spanish.domain.status], ['2003-03-06T00:00:00.000Z', ['ACTIVO']]);
  const numbered = parseWhois(
    'domain_name: example.nz\nns_name_01: ns1.example.nz\nns_name_02: ns2.example.nz',
    'example.nz',
  );
  assert.deepEqual(numbered.nameservers, ['ns1.example.nz', 'ns2.example.nz']);
});

test('of an answer about several names the one that was asked for counts', () => {
  const record = parseWhois(
    `   Server Name: EXAMPLE.COM.SOMEBODY.ELSE.TEST
   Registrar: WRONG, INC.

   Domain Name: EXAMPLE.COM
   Registrar: RIGHT, INC.
   Creation Date: 15-sep-1997

   Domain Name: EXAMPLE.COM.AU
   Registrar: WRONG AGAIN
`,
    'example.com',
  );
  assert.equal(record.registrar.name, 'RIGHT, INC.');
  assert.equal(record.domain.created, '1997-09-15T00:00:00.000Z');
});

test('an answer that says nothing gives a record of nothing', () => {
  for (const text of [
    '',
    '\n\n',
    'No match for "EXAMPLE.COM".',
    '%'.repeat(1000),
    '\u0000\uffff',
    ':',
    ':::',
    '[',
    '[]',
    '...',
  ]) {
    const { domain, registrar, registrant, nameservers } = parseWhois(text, 'example.com');
    assert.deepEqual(
      [domain.created, domain.expires, domain.status, registrar.name, registrant.name, nameservers],
      [null, null, [], null, null, []],
      text,
    );
  }
});

test('handles behind names are no part of them', () => {
  const { registrant, admin } = parseWhois(
    'Domain Name: example.sg\n\nRegistrant:\n  Name: EXAMPLE PTE LTD (SGNIC-ORG1113988)\n  Country: SG\n\n' +
      'Administrative Contact:\n  Juan Perez  (example.ve-adm)\n  juan@example.ve\n',
    'example.sg',
  );
  assert.equal(registrant.name, 'EXAMPLE PTE LTD');
  assert.equal(admin.name, 'Juan Perez');
  const old = parseWhois(
    'Domain Name: EXAMPLE.COM\n\nRegistrant:\n  Doe Ltd (EXAMPLE-DOM)\n  1 High St\n\nAdministrative Contact:\n  Doe, Jane  (JD123)\n',
    'example.com',
  );
  assert.deepEqual([old.registrant.name, old.admin.name], ['Doe Ltd', 'Doe, Jane']);
});

test('a name with a remark of its own keeps it', () => {
  const text = (name: string) => `Domain Name: example.st\nRegistrant Name: ${name}\n`;
  for (const name of [
    'Domain Administrator (mm-171195)',
    'Example (UK)',
    'Example (Pty) Ltd',
    'Jane (Jean-Marie)',
  ])
    assert.equal(parseWhois(text(name), 'example.st').registrant.name, name);
});

test('a form of date in a label is no part of it, and says which number is the month', () => {
  const { domain } = parseWhois(
    'Domain Name: example.zz\nRegistered Date [DD-MM-YYYY]: 03-04-2012\nLast Modified (mm/dd/yyyy): 04/05/2020\n' +
      'Expiry Date yyyy-mm-dd: 2030-04-03\n',
    'example.zz',
  );
  assert.equal(domain.created, '2012-04-03T00:00:00.000Z');
  assert.equal(domain.updated, '2020-04-05T00:00:00.000Z');
  assert.equal(domain.expires, '2030-04-03T00:00:00.000Z');
});

test('of two lines of names one is the organization; numbered ones are one name', () => {
  const { registrant, admin, tech } = parseWhois(
    'Domain Name: example.zz\n\nRegistrant:\n  Name: Example Ltd\n  Name: Jane Doe\n  Email: a@example.org\n\n' +
      'Administrative Contact:\n  Name1: Jane\n  Name2: Smith\n\nTechnical Contact:\n  Person: Jane\n  Person-loc: Ivana\n',
    'example.zz',
  );
  assert.deepEqual(said(registrant), {
    name: 'Jane Doe',
    organization: 'Example Ltd',
    email: 'a@example.org',
  });
  assert.deepEqual(said(admin), { name: 'Jane Smith' });
  assert.deepEqual(said(tech), { name: 'Jane' });
});

test('quotes and lists of YAML and JSON are taken off', () => {
  const { domain, registrar, registrant, nameservers } = parseWhois(
    `---
domain:
  name: example.zz
  status: [ok, clientTransferProhibited]
  "created": "2010-01-02T03:04:05Z",
registrar:
  name: "Example Registrar Inc."
  iana_id: 1234
nameservers:
  - "ns1.example.org"
  - name: 'ns2.example.org'
contacts:
  registrant:
    name: 'Jane Doe'
    address:
      street: 1 High St
      postal_code: "12345"
      country: GB
`,
    'example.zz',
  );
  assert.deepEqual(domain.status, ['ok', 'clientTransferProhibited']);
  assert.equal(domain.created, '2010-01-02T03:04:05.000Z');
  assert.deepEqual([registrar.name, registrar.ianaId], ['Example Registrar Inc.', '1234']);
  assert.deepEqual(said(registrant), {
    name: 'Jane Doe',
    street: '1 High St',
    postalCode: '12345',
    country: 'GB',
  });
  assert.deepEqual(nameservers, ['ns1.example.org', 'ns2.example.org']);
});

test('statuses of EPP stand in lines of many labels; flags of keys are none', () => {
  const { domain } = parseWhois(
    'Domain Name: example.zz\nEPP Status: serverHold; clientHold\nStatus Flags: serverRenewProhibited\n' +
      'Key Flags: 257\nDS Key Tag: 1234\nFlags: 257 KSK\n',
    'example.zz',
  );
  assert.deepEqual(domain.status, ['serverHold', 'clientHold', 'serverRenewProhibited']);
});

test('contacts are found that stand indented below the handles that name them', () => {
  const contacts = (open: string, close: string) => `domain: example.zz
registrant: ${open}ABC123-ZZ${close}
admin-c: ${open}ABC124-ZZ${close}
nserver: ns1.example.org
registrar: Example

${open}ABC123-ZZ${close}
    Name:    Jane Doe
    Organization: Doe Ltd
    Country: GB
${open}ABC124-ZZ${close}
    Name: John Smith
    E-mail: j@example.org
expiry date: 2020-01-02
`;
  for (const [open, close] of [
    ['', ''],
    ['[', ']'],
    ['', ':'],
  ] as const) {
    const text = contacts(open, close)
      .replace('registrant: ABC123-ZZ:', 'registrant: ABC123-ZZ')
      .replace('admin-c: ABC124-ZZ:', 'admin-c: ABC124-ZZ');
    const { registrant, admin, domain } = parseWhois(text, 'example.zz');
    assert.deepEqual(said(registrant), { name: 'Jane Doe', organization: 'Doe Ltd', country: 'GB' });
    assert.deepEqual(said(admin), { name: 'John Smith', email: 'j@example.org' });
    assert.equal(domain.expires, '2020-01-02T00:00:00.000Z');
  }
});

test('a sentence is never a registrar', () => {
  const sentences = [
    'This domain is managed by the national registry; please visit our website for more information.',
    'for details please contact the registry office during business hours',
  ];
  for (const sentence of sentences)
    assert.equal(
      parseWhois(`Domain Name: example.zz\nRegistrar: ${sentence}\n`, 'example.zz').registrar.name,
      null,
    );
  const name = 'The Registrar Company for Names of the World, Inc.';
  assert.equal(
    parseWhois(`Domain Name: example.zz\nRegistrar: ${name}\n`, 'example.zz').registrar.name,
    name,
  );
});

test('a country of two capitals behind a city and a state is a country', () => {
  const { registrant } = parseWhois(
    'Domain: example.ve\n\nTitular:\nUniversidad X\nAv. Principal 12\nMerida, Tovar VE\n',
    'example.ve',
  );
  assert.deepEqual(said(registrant), {
    ...{ name: 'Universidad X', street: 'Av. Principal 12', city: 'Merida', state: 'Tovar', country: 'VE' },
  });
});

test('labels are known in the languages of registries', () => {
  const texts = [
    'Dominio: example.zz\nRegistrante: Jane Doe\nFecha de alta: 2010-01-02\nFecha de caducidad: 2030-01-02\n',
    'Dominio: example.zz\nIntestatario: Jane Doe\nData creazione: 2010-01-02\nData di scadenza: 2030-01-02\n',
    'Domain: example.zz\nDomaininhaber: Jane Doe\nErstellt: 2010-01-02\nGültig bis: 2030-01-02\n',
    'Domain: example.zz\nHouder: Jane Doe\nGeregistreerd: 2010-01-02\nVervaldatum: 2030-01-02\n',
    'Domain: example.zz\nAbonent: Jane Doe\nUtworzony: 2010-01-02\nWygasa: 2030-01-02\n',
    'Dominio: example.zz\nProprietário: Jane Doe\nCriado em: 2010-01-02\nVencimento: 2030-01-02\n',
  ];
  for (const text of texts) {
    const { domain, registrant } = parseWhois(text, 'example.zz');
    assert.deepEqual(
      [domain.created?.slice(0, 10), domain.expires?.slice(0, 10), registrant.name],
      ['2010-01-02', '2030-01-02', 'Jane Doe'],
      text,
    );
  }
});

test('of a block without labels the line with an e-mail address is the person, and what stands before is the organization', () => {
  const block = (lines: string[]) =>
    parseWhois(`Domain Name: example.zz\n\nRegistrant:\n   ${lines.join('\n   ')}\n`, 'example.zz')
      .registrant;
  assert.deepEqual(
    said(
      block([
        'Shield Services',
        'Names Desk        (desk@shield.example)',
        '1 High Street',
        'Perth',
        'Western Australia,WA 6000',
        'AU',
        'Tel. +61.812345678',
      ]),
    ),
    {
      ...{ organization: 'Shield Services', name: 'Names Desk', email: 'desk@shield.example' },
      ...{ street: '1 High Street', city: 'Perth', state: 'Western Australia', postalCode: 'WA 6000' },
      ...{ country: 'AU', phone: '+61.812345678' },
    },
  );
  assert.deepEqual(
    said(
      block([
        '例股份有限公司',
        'Example Co., Ltd.',
        'Mei Lin  mei@example.zz',
        '+886.21234567',
        'No. 7, Long Rd.',
        'TW',
      ]),
    ),
    {
      ...{ organization: '例股份有限公司, Example Co., Ltd.', name: 'Mei Lin', email: 'mei@example.zz' },
      ...{ phone: '+886.21234567', street: 'No. 7, Long Rd.', country: 'TW' },
    },
  );
  const person = said(
    block(['Doe, Jane  (JD123)  jane@example.org', 'Doe Ltd', '1 High Street', 'Town, CA 94000', 'US']),
  );
  assert.equal(person.name, 'Doe, Jane');
  assert.equal(person.organization, 'Doe Ltd');
});

test('an address below its label is read as people write it; labelled lines stay as they are', () => {
  const { registrant } = parseWhois(
    "    Domain name:\n        example.zz\n\n    Registrant:\n        Jane Doe\n\n    Registrant's address:\n        1 High Street\n        Leeds\n        LS1 4AB\n        United Kingdom\n",
    'example.zz',
  );
  assert.deepEqual(said(registrant), {
    ...{ name: 'Jane Doe', street: '1 High Street', city: 'Leeds', postalCode: 'LS1 4AB', country: 'GB' },
  });
});

test('contacts are found under their handles, whatever the handle is called', () => {
  const { registrant, tech } = parseWhois(
    'domain:            example.zz\nowner-contact:     AB-1001\ntechnical-contact: CD-2002\ncreated:           2010-01-02 03:04:05\n\n' +
      'contact-handle:    AB-1001\ncontact:           Jane Doe\norganisation:      Doe Ltd\naddress:           1 High Street\nphone:             +44.1234567\n\n' +
      'contact-handle:    CD-2002\ncontact:           Hostmaster\nemail:             tech@example.org\n',
    'example.zz',
  );
  assert.deepEqual(said(registrant), {
    ...{ name: 'Jane Doe', organization: 'Doe Ltd', street: '1 High Street', phone: '+44.1234567' },
  });
  assert.deepEqual(said(tech), { name: 'Hostmaster', email: 'tech@example.org' });
});

test('the date of the last renewal is no expiry where an answer gives both', () => {
  const expires = (text: string) => parseWhois(`Domain: example.zz\n${text}`, 'example.zz').domain.expires;
  assert.equal(expires('Renew date: 17 Jan 2024\nExp date: 16 Jan 2027\n'), '2027-01-16T00:00:00.000Z');
  assert.equal(expires('Exp date: 16 Jan 2027\nRenewal date: 17 Jan 2024\n'), '2027-01-16T00:00:00.000Z');
  assert.equal(expires('Renewal date: 17 Jan 2027\n'), '2027-01-17T00:00:00.000Z');
  assert.equal(
    parseWhois('Domain: example.zz\nRecord modified on: 2013-04-20 20:21:30 UTC\n', 'example.zz').domain
      .updated,
    '2013-04-20T20:21:30.000Z',
  );
});
