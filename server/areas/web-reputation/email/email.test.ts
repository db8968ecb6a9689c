import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { readNames } from '../squat/files.ts';
import { isRole } from './roles.ts';
import { TypoFinder } from './typo.ts';

test('local parts of functions are roles, with or without a tag; those of people are not', () => {
  for (const local of [
    'admin',
    'Support',
    'no-reply',
    'no.reply',
    'sales+4711',
    'postmaster',
    'uucp',
    'HELPDESK',
  ]) {
    assert.equal(isRole(local), true, local);
  }
  for (const local of ['jane', 'john.doe', 'administratorin.meier', ''])
    assert.equal(isRole(local), false, local);
});

describe('typos of mail providers', () => {
  let typos: TypoFinder;
  before(async () => {
    typos = new TypoFinder(await readNames(undefined));
  });

  const slips: Record<string, string> = {
    'gmial.com': 'gmail.com',
    'gmail.con': 'gmail.com',
    'gmail.co': 'gmail.com',
    'gmal.com': 'gmail.com',
    'gnail.com': 'gmail.com',
    'gmaill.com': 'gmail.com',
    gmailcom: 'gmail.com',
    'hotmial.com': 'hotmail.com',
    'hotmali.com': 'hotmail.com',
    'hotmail.cmo': 'hotmail.com',
    'hotnail.fr': 'hotmail.fr',
    'yaho.com': 'yahoo.com',
    'yahoo.con': 'yahoo.com',
    'outlok.com': 'outlook.com',
    'iclud.com': 'icloud.com',
    'protonmial.com': 'protonmail.com',
    'comcast.con': 'comcast.net',
    'wanado.fr': 'wanadoo.fr',
    't-onlin.de': 't-online.de',
    'live.con': 'live.com',
    'btinternt.com': 'btinternet.com',
  };
  for (const [typed, meant] of Object.entries(slips)) {
    test(`${typed} was meant to be ${meant}`, () => assert.equal(typos.find(typed), meant));
  }

  const right =
    'gmail.com googlemail.com ymail.com mail.com email.com rocketmail.com hotmail.fr hotmail.co.uk yahoo.co.jp yahoo.fr ' +
    'outlook.de live.com live.fr me.com mac.com msn.com gmx.de gmx.net web.de mail.ru inbox.ru bk.ru list.ru proton.me ' +
    'aol.com aim.com qq.com 163.com google.com example.com company.io sub.gmail.com hey.com tmail.com jmail.com';
  for (const domain of right.split(' ')) {
    test(`${domain} is right as it is`, () => assert.equal(typos.find(domain), undefined));
  }
});
