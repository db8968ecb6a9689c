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
    if (isPressed || suffices(name, wordingOfAll(parts), { isApart, isFirst: before === '' }, parts))
      return found(name);
    if (name.kind === 'common' && parts.length === 1 && credentialWords.has(parts[0] ?? ''))
      return found(name);
  }
  return seen.text.includes('-') ? tokenLike(table, seen) : undefined;
}

/**
 * The name with the beginning or the end of its address run into it, where a dot was forgotten: wwwpaypal.com, www-paypal.com,
 * paypal-com.com, orangefr.fr.
 */
export function withoutDot(table: NameTable, { text }: Seen, suffix: string): Imitation | undefined {
  const end = suffix.replaceAll('.', '');
  const labels = [
    text.startsWith('www') && text.slice(text[3] === '-' ? 4 : 3),
    text.endsWith('-com') && text.slice(0, -4),
    suffix !== 'com' && text.endsWith(end) && text.slice(0, -end.length),
  ];
  for (const label of labels)
    for (const name of label ? table.labelled(label) : [])
      if (!name.isMinor && name.suffixes.has(suffix)) return found(name);
  return undefined;
}

/** Names of three letters beside a word that asks for credentials: gap-login, loginsky. */
export function shortWithCredentials(table: NameTable, { text }: Seen): Imitation | undefined {
  return (
    besideCredentials(table.labelled(text.slice(0, 3)), text.slice(3)) ??
    besideCredentials(table.labelled(text.slice(-3)), text.slice(0, -3))
  );
}

function besideCredentials(names: readonly ProtectedName[], rest: string): Imitation | undefined {
  const name = names.find(({ isMinor }) => !isMinor);
  return name && credentialWords.has(rest.replace(/^-|-$/g, '')) ? found(name) : undefined;
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
  { isApart, isFirst }: { isApart: boolean; isFirst: boolean },
  parts: readonly string[],
): boolean {
  if (wording === 'none' || wording === 'ordinary' || name.kind === 'common') return false;
  const isLong = name.label.length > 4;
  const isPressing = wording === 'pressing';
  // Run together, a short word is a part of another one: net-workworld, sky-lines.
  const isClear = isApart || parts.every((part) => part.length > 4 || part === 'www' || part === 'com');
  if (name.isMinor) return isPressing && isClear && (isApart || name.label.length > 6);
  if (name.kind === 'ordinary') {
    if (!isPressing) return isApart && isLong;
    if (isLong) return isClear || parts.some((part) => part.length > 3);
    // Behind another word, a short one is the end of a third: connectwise, serviceline.
    return isClear && (isApart || isFirst || parts.every((part) => credentialWords.has(part)));
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
