import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWhois } from './parse.ts';

/** Formats that registrars wrote before ICANN prescribed one, and some of which are still answered. */

test('dates in sentences, telephone and fax in one line, statuses below one another', () => {
  const { domain, registrar, registrant, admin } = parseWhois(
    `Registrant:
 Example Inc.
 96 Mowat Avenue
 Toronto, Ontario M6K 3M1
 CA

 Domain name: EXAMPLE.COM

 Administrative Contact:
    Doe, Jane  dns@example.com
    96 Mowat Avenue
    Toronto, Ontario M6K 3M1
    CA
    +1.4165550123x0    Fax: +1.4165550124

 Registrar of Record: EXAMPLE REGISTRAR, INC.
 Record last updated on 14-Feb-2013.
 Record expires on 07-Sep-2030.
 Record created on 07-Sep-1995.

 Domain status: clientTransferProhibited
                clientUpdateProhibited
`,
    'example.com',
  );
  assert.equal(registrar.name, 'EXAMPLE REGISTRAR, INC.');
  assert.deepEqual(
    [domain.created, domain.updated, domain.expires],
    ['1995-09-07T00:00:00.000Z', '2013-02-14T00:00:00.000Z', '2030-09-07T00:00:00.000Z'],
  );
  assert.deepEqual(domain.status, ['clientTransferProhibited', 'clientUpdateProhibited']);
  assert.deepEqual(
    [registrant.name, registrant.city, registrant.state, registrant.postalCode],
    ['Example Inc.', 'Toronto', 'Ontario', 'M6K 3M1'],
  );
  assert.deepEqual(
    [admin.phone, admin.fax, admin.email],
    ['+1.4165550123x0', '+1.4165550124', 'dns@example.com'],
  );
});

test('the domain in the middle of the holder, and the seller where no registrar is named', () => {
  const { domain, registrar, admin } = parseWhois(
    `Registrant:
   Example Company, LLC
   Scottsdale, Arizona 85260
   United States

   Registered through: Example Registrar (http://www.registrar.example)
   Domain Name: EXAMPLE.COM
      Created on: 02-Mar-99
      Expires on: 01-Nov-31

   Administrative Contact:
      Administrator, Domain  names@example.com
      Example Company, LLC
      +1.4805550100      Fax -- +1.4805550101
`,
    'example.com',
  );
  assert.deepEqual(
    [domain.created, domain.expires],
    ['1999-03-02T00:00:00.000Z', '2031-11-01T00:00:00.000Z'],
  );
  assert.deepEqual([registrar.name, registrar.url], ['Example Registrar', 'http://www.registrar.example']);
  assert.deepEqual([admin.organization, admin.fax], ['Example Company, LLC', '+1.4805550101']);
});

test('headers in capitals without colons; a state and a code on lines of their own; a title that looks like a header', () => {
  const { registrant, admin } = parseWhois(
    `Domain Name:     example.com

REGISTRANT CONTACT INFO
Example, LLC
Jane Doe
2500 East Second Avenue
Denver
CO
80206
US
Phone:         +1.7205550100
Email Address: support@example.com

ADMINISTRATIVE CONTACT INFO
   Example, LLC
   Domain Registrar
   2500 East Second Avenue
`,
    'example.com',
  );
  assert.deepEqual(
    [
      registrant.organization,
      registrant.name,
      registrant.city,
      registrant.state,
      registrant.postalCode,
      registrant.country,
    ],
    ['Example, LLC', 'Jane Doe', 'Denver', 'CO', '80206', 'US'],
  );
  assert.deepEqual([registrant.phone, registrant.email], ['+1.7205550100', 'support@example.com']);
  assert.deepEqual([admin.organization, admin.name], ['Example, LLC', 'Domain Registrar']);
});

test('contacts nested under a reference, labels in brackets, labels behind a point', () => {
  const nested = parseWhois(
    `domain: example.com
reg_created: 1999-05-21 14:09:56
ns0: a.dns.example.net
owner-c:
  nic-hdl: EX105
  owner-name: Exemple SAS
  city: Paris
admin-c:
  nic-hdl: EX106
  owner-name: Jeanne Dupont
`,
    'example.com',
  );
  assert.deepEqual(
    [nested.registrant.name, nested.registrant.city, nested.admin.name],
    ['Exemple SAS', 'Paris', 'Jeanne Dupont'],
  );
  assert.deepEqual(nested.nameservers, ['a.dns.example.net']);
  const brackets = parseWhois(
    '[domain] domainname: example.com\n[domain] expire: 2030-01-01\n[owner-c] name: Max Muster',
    'example.com',
  );
  assert.deepEqual(
    [brackets.domain.expires, brackets.registrant.name],
    ['2030-01-01T00:00:00.000Z', 'Max Muster'],
  );
  const points = parseWhois(
    'Domain Name.......... example.com\n  Organisation Name.... Example Pty\n  Organisation Address. 1 High Street\n  Organisation Address. \n  Organisation Address. Sydney',
    'example.com',
  );
  assert.deepEqual(
    [points.registrant.organization, points.registrant.street],
    ['Example Pty', '1 High Street, Sydney'],
  );
});

test('what a registry hides is passed on, and hides what follows', () => {
  const eu = parseWhois(
    'Domain: example.eu\n\nRegistrant:\n        NOT DISCLOSED!\n        Visit www.eurid.eu for webbased whois.\n',
    'example.eu',
  );
  assert.deepEqual(
    [eu.registrant.name, eu.registrant.organization, eu.registrant.street],
    ['NOT DISCLOSED!', null, null],
  );
  const tr = parseWhois(
    '** Registrant:\n   Example A.S.\n   Hidden upon user request\n   Hidden upon user request\n',
    'example.com.tr',
  );
  assert.deepEqual(
    [tr.registrant.name, tr.registrant.organization, tr.registrant.street],
    ['Example A.S.', null, null],
  );
});

test('a holder whose name speaks of privacy keeps its address', () => {
  const { registrant } = parseWhois(
    `Domain example.com

Registrant
    Example Private Registration Foundation
    Domain Administrator
    Email:owner@privacy.example
    Hidden Valley Road 7
    90210 Springfield
    Panama
    Tel: +507.5550100
`,
    'example.com',
  );
  assert.deepEqual(registrant, {
    ...{ name: 'Domain Administrator', organization: 'Example Private Registration Foundation' },
    ...{
      street: 'Hidden Valley Road 7',
      city: 'Springfield',
      state: null,
      postalCode: '90210',
      country: 'PA',
    },
    ...{ phone: '+507.5550100', phoneExt: null, fax: null, faxExt: null, email: 'owner@privacy.example' },
  });
});

test('the end of a sentence in the terms of use is no telephone number', () => {
  const { registrant } = parseWhois(
    `Domain Name: example.com
Registrant Contact Information :
      Jane Doe
      1 High Street
      12345 Springfield

Status : ok

You may not use this data for mass advertising by e-mail or by
telephone.  The compilation, repackaging or other use of it is
prohibited.
`,
    'example.com',
  );
  assert.deepEqual([registrant.name, registrant.phone], ['Jane Doe', null]);
});

test('who provides the registration is the registrar where none is named', () => {
  const provided = parseWhois(
    'Domain Registration Service Provided By: Example Hosting\n\ndomain: example.com\ncreated: 2002-04-04\n',
    'example.com',
  );
  assert.equal(provided.registrar.name, 'Example Hosting');
  const isp = parseWhois(
    'ISP:       Example Net GmbH & Co. KG\nURL:       www.example.net\n\ndomain:    example.com\n',
    'example.com',
  );
  assert.deepEqual([isp.registrar.name, isp.registrar.url], ['Example Net GmbH & Co. KG', 'www.example.net']);
  const both = parseWhois(
    'Domain Registration Service Provided By: Example Hosting\nRegistrar: Example Registrar\ndomain: example.com\n',
    'example.com',
  );
  assert.equal(both.registrar.name, 'Example Registrar');
});
