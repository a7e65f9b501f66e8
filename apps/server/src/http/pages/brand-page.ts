import { accentTokens, type AccentTokens } from '@tizara/contract/brand-tokens'
import { logoPath } from '@tizara/contract/staff-brand'
import type { Translate } from '@tizara/languages'
import type { Brand } from '../../platform/config/brand.ts'

/** The part of each page that shows the brand (docs/decisions/0063-brand.md). Without a brand, pages stay as they were built. */

export const escapeHtml = (text: string) => text.replace(/[&"'<>]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Address of the manifest with the app icons. */
export const MANIFEST = '/brand/app.webmanifest'

const rules = (selector: string, tokens: AccentTokens) =>
  `${selector}{${Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`

/** Style of the foot with the operator's links. */
const FOOT =
  '#foot{display:flex;flex-wrap:wrap;justify-content:center;gap:4px 24px;padding:12px 20px;border-top:1px solid var(--line);background:var(--surface)}#foot a{padding:4px 0;color:var(--ink-2)}#foot a:hover{text-decoration:underline}'

/**
 * Returns the style block of a brand: the accent in both themes, the logo in place of the mark, and the foot. Empty without a brand. The
 * mark keeps its size, so that nothing moves.
 */
export function brandStyle({ accent, logo, logoDark, links }: Brand): string {
  const parts: string[] = []
  if (accent !== null) {
    const { light, dark } = accentTokens(accent)
    parts.push(rules(':root', light), rules('body.dark,html:has(> body.dark)', dark))
  }
  if (logo !== null) {
    const image = (hash: string) => `url(${logoPath(hash, 96)})`
    parts.push(`.brand-mark{background:${image(logo.hash)} center/contain no-repeat}.brand-mark>*,.brand-letter{display:none}`)
    if (logoDark !== null) parts.push(`.dark .brand-mark{background-image:${image(logoDark.hash)}}`)
  }
  if (links.length > 0) parts.push(FOOT)
  return parts.join('')
}

/** Adds the style and the icons of a brand to the head of a page. */
export function brandHead(html: string, brand: Brand): string {
  const style = brandStyle(brand)
  const { logo } = brand
  const withIcons =
    logo === null
      ? html
      : html.replace(
          /<link rel="icon"[^>]*>/,
          () =>
            `<link rel="icon" href="${logoPath(logo.hash, 96)}" type="image/png"><link rel="apple-touch-icon" href="${logoPath(logo.hash, 512)}"><link rel="manifest" href="${MANIFEST}">`,
        )
  return style === '' ? withIcons : withIcons.replace('</head>', () => `<style>${style}</style></head>`)
}

/** Adds the operator's links below a page. They are part of the document, so that they move nothing and need no code. */
export function withFoot(html: string, { links }: Brand, t: Translate): string {
  if (links.length === 0) return html
  const list = links.map(([text, url]) => `<a href="${escapeHtml(url)}">${escapeHtml(text(t))}</a>`)
  return html.replace('</body>', () => `<footer id="foot">${list.join('')}</footer></body>`)
}
