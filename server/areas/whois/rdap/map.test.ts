import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWhois } from '../parser/parse.ts';
import { mapRdap } from './map.ts';
import { renderText } from './text.ts';

const domain = {
  objectClassName: 'domain',
  handle: '123_DOMAIN_COM-VRSN',
  ldhName: 'EXAMPLE.COM',
  status: ['active', 'client delete prohibited', 'add period'],
  events: [
    { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
    { eventAction: 'expiration', eventDate: '2030-08-13T04:00:00+02:00' },
    { eventAction: 'last changed', eventDate: '2024-01-02T03:04:05Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2025-01-01T00:00:00Z' },
  ],
  nameservers: [{ ldhName: 'NS1.EXAMPLE.NET' }, { ldhName: 'ns2.example.net.' }],
  secureDNS: { delegationSigned: true },
};

const jcard = (...properties: unknown[]) => ['vcard', [['version', {}, 'text', '4.0'], ...properties]];

test('a jCard answer (RFC 9083, RFC 7095) becomes the record', () => {
  const record = mapRdap({
    ...domain,
    entities: [
      {
        roles: ['registrar'],
        publicIds: [{ type: 'IANA Registrar ID', identifier: '376' }],
        vcardArray: jcard(
          ['fn', {}, 'text', 'Example Registrar, Inc.'],
          ['url', {}, 'uri', 'https://registrar.example'],
        ),
        entities: [
          {
            roles: ['abuse'],
            vcardArray: jcard(
              ['tel', { type: 'voice' }, 'uri', 'tel:+1.5555550100'],
              ['email', {}, 'text', 'abuse@registrar.example'],
            ),
          },
        ],
      },
      {
        roles: ['registrant', 'billing'],
        vcardArray: jcard(
          ['fn', {}, 'text', 'Jane Doe'],
          ['org', {}, 'text', ['Example Ltd', 'Sales']],
          [
            'adr',
            { cc: 'GB' },
            'text',
            ['', 'Floor 2', ['1 High Street', 'East Wing'], 'London', '', 'SW1A 1AA', ''],
          ],
          ['tel', { type: ['voice'] }, 'uri', 'tel:+44.2079460000;ext=12'],
          ['tel', { type: 'fax' }, 'text', '+44.2079460001'],
          ['email', {}, 'text', 'jane@example.com'],
        ),
      },
      {
        roles: ['technical'],
        vcardArray: jcard([
          'adr',
          { label: '1 Rue\nParis\nFrance' },
          'text',
          ['', '', '', '', '', '', 'France'],
        ]),
      },
    ],
  });
  assert.deepEqual(record.domain, {
    name: 'example.com',
    id: '123_DOMAIN_COM-VRSN',
    status: ['ok', 'clientDeleteProhibited', 'addPeriod'],
    created: '1995-08-14T04:00:00.000Z',
    updated: '2024-01-02T03:04:05.000Z',
    expires: '2030-08-13T02:00:00.000Z',
  });
  assert.deepEqual(record.registrar, {
    name: 'Example Registrar, Inc.',
    url: 'https://registrar.example',
    whoisServer: null,
    email: 'abuse@registrar.example',
    phone: '+1.5555550100',
    ianaId: '376',
  });
  assert.deepEqual(record.registrant, {
    name: 'Jane Doe',
    organization: 'Example Ltd, Sales',
    street: 'Floor 2, 1 High Street, East Wing',
    city: 'London',
    state: null,
    postalCode: 'SW1A 1AA',
    country: 'GB',
    phone: '+44.2079460000',
    phoneExt: '12',
    fax: '+44.2079460001',
    faxExt: null,
    email: 'jane@example.com',
  });
  assert.deepEqual(record.billing, record.registrant);
  assert.deepEqual([record.tech.street, record.tech.country], ['1 Rue, Paris, France', 'FR']);
  assert.equal(record.admin.name, null);
  assert.deepEqual(record.nameservers, ['ns1.example.net', 'ns2.example.net']);
  assert.equal(record.dnssec, 'signedDelegation');
});

test('a JSContact answer (RFC 9553) becomes the record, in its final form and in the drafts that are deployed', () => {
  const record = mapRdap({
    ...domain,
    entities: [
      {
        roles: ['registrant'],
        jscontact_card: {
          '@type': 'Card',
          name: {
            components: [
              { kind: 'given', value: 'Jane' },
              { kind: 'surname', value: 'Doe' },
            ],
          },
          organizations: { org: { name: 'Example S.p.A.' } },
          addresses: {
            addr: {
              countryCode: 'IT',
              components: [
                { kind: 'name', value: 'Via Roma' },
                { kind: 'number', value: '1' },
                { kind: 'locality', value: 'Pisa' },
                { kind: 'region', value: 'PI' },
                { kind: 'postcode', value: '56100' },
              ],
            },
          },
          phones: {
            voice: { features: { voice: true }, number: 'tel:+39.050123' },
            fax: { features: { fax: true }, number: 'tel:+39.050124' },
          },
          emails: { email: { address: 'jane@example.it' } },
        },
      },
      {
        roles: ['administrative'],
        jscard: { fullName: 'John Roe', emails: { e: { email: 'john@example.it' } } },
      },
    ],
  });
  assert.deepEqual(
    { ...record.registrant },
    {
      name: 'Jane Doe',
      organization: 'Example S.p.A.',
      street: 'Via Roma, 1',
      city: 'Pisa',
      state: 'PI',
      postalCode: '56100',
      country: 'IT',
      phone: '+39.050123',
      phoneExt: null,
      fax: '+39.050124',
      faxExt: null,
      email: 'jane@example.it',
    },
  );
  assert.deepEqual([record.admin.name, record.admin.email], ['John Roe', 'john@example.it']);
});

test('nonsense in any place gives a record of nothing, and never throws', () => {
  const nonsense = [
    null,
    undefined,
    0,
    '',
    'x',
    [],
    {},
    [null],
    [[[]]],
    { a: { b: [] } },
    [{ eventAction: 1 }],
    Number.NaN,
  ];
  for (const value of nonsense) {
    assert.equal(mapRdap(value).domain.created, null);
    for (const member of [
      'ldhName',
      'status',
      'events',
      'nameservers',
      'secureDNS',
      'entities',
      'links',
      'handle',
    ]) {
      assert.equal(mapRdap({ [member]: value }).domain.created, null);
    }
    for (const card of [
      { vcardArray: value },
      { vcardArray: ['vcard', value] },
      { jscontact_card: value },
      { publicIds: value },
    ]) {
      const record = mapRdap({ entities: [{ roles: ['registrant', 'registrar'], ...card }] });
      assert.equal(record.registrant.email, null);
    }
  }
});

test('a record written as text is read back as the same record', () => {
  const record = mapRdap({
    ...domain,
    entities: [
      {
        roles: ['registrant'],
        vcardArray: jcard(
          ['fn', {}, 'text', 'Jane\nDoe: the "first"'],
          ['adr', { cc: 'GB' }, 'text', ['', '', '1 High Street', 'London', 'ENG', 'SW1A 1AA', '']],
          ['tel', { type: 'voice' }, 'uri', 'tel:+44.2079460000;ext=12'],
          ['email', {}, 'text', 'jane@example.com'],
        ),
      },
      { roles: ['registrar'], handle: '376', vcardArray: jcard(['fn', {}, 'text', 'Example Registrar']) },
    ],
  });
  assert.deepEqual(parseWhois(renderText(record), 'example.com'), record);
});
