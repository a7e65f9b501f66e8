/**
 * Reads a value that the server wrote into the page head.
 * @param name the `<meta>` element's name
 */
export function metaContent(name: string, fallback: string): string {
  if (typeof document === 'undefined') return fallback
  const text = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''
  return text === '' ? fallback : text
}
