const storageKey = 'mainstay.organization';

/** The slug of the organization that was looked at last in this browser. */
export function lastOrganization(): string | null {
  return localStorage.getItem(storageKey);
}

export function rememberOrganization(slug: string): void {
  localStorage.setItem(storageKey, slug);
}
