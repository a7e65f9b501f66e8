export function cx(...parts: unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part).join(' ')
}
