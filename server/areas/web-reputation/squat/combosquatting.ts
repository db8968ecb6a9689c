import { credentialWords } from './affix-words.ts';
import { partsOf, type Wording, wordingOfAll, wordingOfAny } from './affixes.ts';
import type { Imitation, Seen } from './imitation.ts';
import type { NameTable } from './name-table.ts';
import type { ProtectedName } from './protected-names.ts';
import { likeLabel } from './spelling.ts';

/** A protected name with words around it: paypal-login, securepaypal, dhl-delivery, paypa1-support. */
export function affixed(table: NameTable, seen: Seen): Imitation | undefined {
  for (const { name, before, after } of table.within(seen.text)) {
    const parts = [...partsOf(before), ...partsOf(after)];
    const isApart = (before === '' || before.endsWith('-')) && (after === '' || after.startsWith('-'));
    // Where hyphens set it apart, one word that asks for something is enough: santander-verify-payee.
    const isPressed = isApart && name.kind !== 'common' && wordingOfAny(parts) === 'pressing';
    if (isPressed || suffices(name, wordingOfAll(parts), isApart, parts)) return found(name);
    if (name.kind === 'common' && parts.length === 1 && credentialWords.has(parts[0] ?? ''))
      return found(name);
  }
  return seen.text.includes('-') ? tokenLike(table, seen) : undefined;
}

/** Names that are too short to be looked for inside of words, and spellings of longer ones, between hyphens. */
function tokenLike(table: NameTable, { text, isForged }: Seen): Imitation | undefined {
  const tokens = text.split('-').filter((token) => token !== '');
  for (const [i, token] of tokens.entries()) {
    const others = tokens.filter((_, j) => j !== i);
    if (wordingOfAll(others) !== 'pressing') continue;
    for (const name of table.labelled(token))
      if (name.label.length === 3 && name.kind !== 'common') return found(name);
    if (token.length < 5) continue;
    const like = likeLabel(table, { text: token, isForged }, 'com');
    if (like && (like.technique === 'homoglyph' || token.length > 6)) {
      return { of: like.of, technique: 'combosquatting' };
    }
  }
  return undefined;
}

function suffices(
  name: ProtectedName,
  wording: Wording,
  isApart: boolean,
  parts: readonly string[],
): boolean {
  if (wording === 'none' || name.kind === 'common') return false;
  const isLong = name.label.length > 4;
  const isPressing = wording === 'pressing';
  // Run together, a short word is a part of another one: net-workworld, sky-lines.
  const isClear = isApart || parts.every((part) => part.length > 4 || part === 'www' || part === 'com');
  if (name.isMinor) return isPressing && isClear && (isApart || name.label.length > 6);
  if (name.kind === 'ordinary') {
    if (!isPressing) return isApart && isLong;
    return isClear || (isLong && parts.some((part) => part.length > 3));
  }
  if (!isPressing && !isApart && parts.every((part) => part.length < 3 || ownersWords.has(part)))
    return false;
  return isPressing || isLong || isApart;
}

/** What owners add to their names for domains of their own: slidesharecdn.com, expediainc.com. */
const ownersWords = new Set(
  'mail mails email emails cloud site sites inc corp group bet images media labs jobs content assets dev api usercontent userdata'.split(
    ' ',
  ),
);

function found({ domain }: ProtectedName): Imitation {
  return { of: domain, technique: 'combosquatting' };
}
