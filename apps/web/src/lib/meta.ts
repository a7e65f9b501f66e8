/**
 * What the server wrote into the page's head.
 * @param name of the `<meta>` element
 * @param fallback when there is no such element, or no page, or it was left empty
 */
export function metaContent(name: string, fallback: string): string {
  if (typeof document === 'undefined') return fallback
  const text = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''
  return text === '' ? fallback : text
}
