import { Problem } from '#core/problem.ts';

const maxCharacters = 128;

/**
 * A display name as people may choose it: any script, no blanks around it, no control characters, 1 to 128 characters
 * (code points, so that an emoji is one). `field` names it in the error.
 */
export function displayName(text: string, field: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length === 0) throw new Problem('invalid_request', `The field "${field}" must hold more than blanks.`);
  if (length > maxCharacters) {
    throw new Problem(
      'invalid_request',
      `The field "${field}" must be at most ${maxCharacters} characters long.`,
    );
  }
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw new Problem('invalid_request', `The field "${field}" must hold no control characters.`);
  }
  return name;
}
