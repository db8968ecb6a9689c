/** XML as S3's clients read it: what they are sent is made of these, so that nothing is left unescaped. */

const special: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Control characters go as references, as S3 sends them where no encoding-type was asked for. */
function escapeText(text: string): string {
  if (!/[&<>"\p{Cc}\ufffe\uffff]/u.test(text)) return text;
  return text.replace(
    /[&<>"\p{Cc}\ufffe\uffff]/gu,
    (c) => special[c] ?? (c === '\n' || c === '\t' ? c : `&#${c.codePointAt(0)};`),
  );
}

export type Child = string | undefined | false;

/** `<Name>text</Name>`; nothing for undefined. */
export function leaf(name: string, value: string | number | boolean | undefined): Child {
  return value === undefined ? undefined : `<${name}>${escapeText(String(value))}</${name}>`;
}

export function element(name: string, ...children: readonly Child[]): string {
  return `<${name}>${children.filter((child) => child).join('')}</${name}>`;
}

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

export function document(name: string, ...children: readonly Child[]): string {
  const content = children.filter((child) => child).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${namespace}">${content}</${name}>`;
}

/** The answer to a form carries no namespace. */
export function plainDocument(name: string, ...children: readonly Child[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${children.filter((child) => child).join('')}</${name}>`;
}

/** Errors carry no namespace. */
export function errorDocument(fields: readonly (readonly [string, string | number])[]): string {
  const content = fields.map(([name, value]) => leaf(name, value)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${content}</Error>`;
}
