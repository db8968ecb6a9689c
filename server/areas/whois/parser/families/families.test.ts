import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Contact } from '../../record.ts';
import { parseWhois } from '../parse.ts';

/** What a contact says, without what it does not. */
function said(contact: Contact): Partial<Contact> {
  return Object.fromEntries(Object.entries(contact).filter(([, value]) => value !== null));
}

describe('formats of one registry', () => {
  test('AFNIC: an organization is named as such', () => {
    const record = parseWhois(
      `domain:      example.fr
status:      ACTIVE
holder-c:    EX1-FRNIC
admin-c:     JD2-FRNIC
registrar:   EXEMPLE
created:     27/07/2000
last-update: 03/06/2009

registrar:   EXEMPLE
address:     1 rue du Test
phone:       +33 1 00 00 00 00
e-mail:      support@exemple.fr
website:     http://www.exemple.fr
registered:  10/01/2002

nic-hdl:     EX1-FRNIC
type:        ORGANIZATION
contact:     Exemple SA
address:     1 rue du Test
address:     75001 Paris
country:     FR
changed:     09/07/2020 nic@nic.fr

nic-hdl:     JD2-FRNIC
type:        PERSON
contact:     Jeanne Dupont
e-mail:      jeanne@exemple.fr
`,
      'example.fr',
    );
    assert.deepEqual(said(record.registrant), {
      name: 'Exemple SA',
      organization: 'Exemple SA',
      street: '1 rue du Test, 75001 Paris',
      country: 'FR',
    });
    assert.deepEqual(said(record.admin), { name: 'Jeanne Dupont', email: 'jeanne@exemple.fr' });
    assert.equal(record.domain.created, '2000-07-27T00:00:00.000Z');
    assert.equal(record.domain.updated, '2009-06-03T00:00:00.000Z');
    assert.deepEqual([record.registrar.name, record.registrar.email], ['EXEMPLE', 'support@exemple.fr']);
  });

  test('Freenom: American dates, a status beside the name, the holder under "Organisation:"', () => {
    const record = parseWhois(
      `   Domain name:
      EXAMPLE.TK is Active

   Organisation:
      Example Inc
      Jane Doe
      100 Main Street
      E-mail: jane@example.org

   Domain registered: 12/18/2001
   Record will expire on: 03/02/2032
`,
      'example.tk',
    );
    assert.deepEqual([record.domain.name, record.domain.status], ['example.tk', ['Active']]);
    assert.deepEqual(
      [record.domain.created, record.domain.expires],
      ['2001-12-18T00:00:00.000Z', '2032-03-02T00:00:00.000Z'],
    );
    assert.deepEqual([record.registrant.organization, record.registrant.name], ['Example Inc', 'Jane Doe']);
  });

  test('EDUCAUSE: an institution and its departments', () => {
    const { registrant } = parseWhois(
      `Domain Name: EXAMPLE.EDU

Registrant:
   Example University
   Department of Examples
   1 Campus Drive
   Springfield, IL 62701
   UNITED STATES
`,
      'example.edu',
    );
    assert.deepEqual(said(registrant), {
      organization: 'Example University',
      street: 'Department of Examples, 1 Campus Drive',
      city: 'Springfield',
      state: 'IL',
      postalCode: '62701',
      country: 'US',
    });
  });

  test('ISOC-IL: dates in the history of changes', () => {
    const { domain, registrar } = parseWhois(
      `domain:       example.co.il
changed:      registrar AT ns.il 19960111 (Assigned)
changed:      registrar AT ns.il 20101007 (Changed)

person:       Dana Cohen
e-mail:       dana AT example.co.il
nic-hdl:      XX-DC1-IL
changed:      registrar AT ns.il 20200101

registrar name: Example Registrar
registrar info: http://www.registrar.example
`,
      'example.co.il',
    );
    assert.deepEqual(
      [domain.created, domain.updated],
      ['1996-01-11T00:00:00.000Z', '2010-10-07T00:00:00.000Z'],
    );
    assert.deepEqual([registrar.name, registrar.url], ['Example Registrar', 'http://www.registrar.example']);
  });

  test('Registro.br: a company as holder, a person in charge', () => {
    const { registrant, tech, domain } = parseWhois(
      `domain:      example.com.br
owner:       Exemplo Ltda
ownerid:     00.000.000/0001-00
owner-c:     MASIL1
tech-c:      MASIL1
created:     19990518 #162310
changed:     20170427
expires:     20320518

nic-hdl-br:  MASIL1
person:      Maria Silva
e-mail:      maria@example.com.br
created:     20200520
`,
      'example.com.br',
    );
    assert.deepEqual(said(registrant), {
      name: 'Exemplo Ltda',
      organization: 'Exemplo Ltda',
      email: 'maria@example.com.br',
    });
    assert.equal(tech.name, 'Maria Silva');
    assert.equal(domain.created, '1999-05-18T00:00:00.000Z');
  });

  test('RWhois: attributes behind their class', () => {
    const { domain } = parseWhois(
      'domain:Class-Name:domain\ndomain:ID:1.example.ma\ndomain:Domain-Name:example.ma\ndomain:Owner-Contact;I:2.example.ma\ndomain:Created:20090324',
      'example.ma',
    );
    assert.deepEqual(
      [domain.id, domain.name, domain.created],
      ['1.example.ma', 'example.ma', '2009-03-24T00:00:00.000Z'],
    );
  });

  test('DNS-LU, Norid, DK Hostmaster, NIC.LV, IEDR, cctld.by: words that mean something else there', () => {
    const lu = parseWhois('domainname: example.lu\norg-name: Exemple SA\norg-city: Luxembourg', 'example.lu');
    assert.deepEqual(said(lu.registrant), { name: 'Exemple SA', city: 'Luxembourg' });
    const no = parseWhois(
      'Domain Name................: example.no\nDomain Holder Handle.......: EX1O-NORID\n\nNORID Handle...............: EX1O-NORID\nName.......................: Eksempel AS',
      'example.no',
    );
    assert.equal(no.registrant.name, 'Eksempel AS');
    const dk = parseWhois(
      'Domain:   example.dk\nDNS:   example.dk\nHostname:   ns1.example.dk',
      'example.dk',
    );
    assert.deepEqual(dk.nameservers, ['ns1.example.dk']);
    const lv = parseWhois(
      '[Domain]\nDomain: example.lv\n\n[Whois]\nUpdated: 2024-09-03T17:12:28+00:00',
      'example.lv',
    );
    assert.equal(lv.domain.updated, null);
    const ie = parseWhois('domain: example.ie\ndescr: Example Ltd\ndescr: Body Corporate', 'example.ie');
    assert.deepEqual(said(ie.registrant), { name: 'Example Ltd' });
    const by = parseWhois(
      'Domain Name: example.by\nRegistrar: Registrar Ltd\nOrg: Example LLC\nCountry: BY',
      'example.by',
    );
    assert.deepEqual([by.registrar.name, by.registrant.organization], ['Registrar Ltd', 'Example LLC']);
  });

  test('JANET and the Finnish registry of old', () => {
    const uk = parseWhois(
      'Registered For:\n\tExample Office\n\nRegistrant Contact:\n\tJane Doe\n\nEntry created:\n\tWednesday 17th September 2003',
      'example.gov.uk',
    );
    assert.deepEqual(
      [uk.registrant.name, uk.admin.name, uk.domain.created],
      ['Example Office', 'Jane Doe', '2003-09-17T00:00:00.000Z'],
    );
    const fi = parseWhois(
      'domain:   example.fi\ndescr:    Esimerkki Oy\naddress:  Matti Malli\naddress:  Katu 1\naddress:  00100\naddress:  HELSINKI',
      'example.fi',
    );
    assert.deepEqual(said(fi.registrant), {
      name: 'Matti Malli',
      organization: 'Esimerkki Oy',
      street: 'Katu 1',
      city: 'HELSINKI',
      postalCode: '00100',
    });
  });

  test('Tonic: nothing but name servers', () => {
    const record = parseWhois(
      'Tonic whoisd V1.1\nexample ns1.example.org\nexample ns2.example.org\n',
      'example.to',
    );
    assert.deepEqual(record.nameservers, ['ns1.example.org', 'ns2.example.org']);
  });

  test('two statuses in a line, one stated twice', () => {
    const record = parseWhois(
      'Domain: example.it\nStatus: pendingDelete / ok / pendingDelete\n',
      'example.it',
    );
    assert.deepEqual(record.domain.status, ['pendingDelete', 'ok']);
  });
});
