/** Joins the class names that are not empty. */
export function cx(...parts: unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part).join(' ')
}
