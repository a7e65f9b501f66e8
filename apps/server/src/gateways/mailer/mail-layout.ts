import { accentTokens } from '@tizara/contract/brand-tokens'
import { logoPath } from '@tizara/contract/staff-brand'
import { withoutOrders } from '@tizara/contract/text'
import type { Translate } from '@tizara/languages'
import type { Brand, BrandLogo } from '../../platform/config/brand.ts'
import type { Config } from '../../platform/config/config.ts'
import type { MailLanguage } from './mail-words.ts'

/** A block of a mail, from top to bottom. */
export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'facts'; rows: readonly MailFact[] }
  | { kind: 'button'; label: string; url: string }

/** A figure with its name: `['Amount', '50.00 USD']`. */
export type MailFact = readonly [label: string, value: string]

/**
 * Colours of both themes. Mail programs do not support CSS variables, so elements have the colours of the light theme and classes add those
 * of the dark theme.
 */
const styleOf = ({ link }: Colours) => `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media(prefers-color-scheme:dark){.page{background:#14191b!important}.card{background:#1d2426!important;border-color:#2f393c!important}
.ink{color:#eef3f4!important}.quiet{color:#a9b6ba!important}.raised{background:#263033!important}.link{color:${link.dark}!important}}
@media(max-width:480px){.page{padding:0!important}.card{border-radius:0!important;border-width:0!important;padding:24px 20px!important}}`

/** Colours of links and buttons. */
interface Colours {
  link: { light: string; dark: string }
  button: { fill: string; ink: string }
}

function coloursOf(accent: string | null): Colours {
  if (accent === null) return { link: { light: '#0b6e72', dark: '#5fc3c6' }, button: { fill: '#0b6e72', ink: '#ffffff' } }
  const { light, dark } = accentTokens(accent)
  return {
    link: { light: light['accent-text'], dark: dark['accent-text'] },
    button: { fill: light.accent, ink: light['accent-ink'] },
  }
}

const FONT = "font-family:Inter,'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif"
/** Style that wraps addresses and links, because these have no spaces and would be wider than a phone's screen. */
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'
const MONO = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'

type Direction = MailLanguage['direction']

/**
 * Replaces line breaks and control characters, which could inject mail headers.
 * @param direction text from right to left keeps the isolation marks that the translation puts around values
 */
export function oneLine(text: string, direction: Direction = 'ltr'): string {
  // oxlint-disable-next-line no-control-regex -- the expression replaces control characters
  const line = text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()
  if (direction === 'ltr' || !isBalanced(line)) return withoutOrders(line)
  return line
    .split(ISOLATION)
    .map((part, index) => (index % 2 === 1 ? part : withoutOrders(part)))
    .join('')
}

const [ISOLATE_START, ISOLATE_END] = ['\u2068', '\u2069']
const ISOLATION = /([\u2068\u2069])/

/** Tells whether each isolation ends. An open one, or an additional end, would change the order of the text around it. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const [mark] of text.matchAll(new RegExp(ISOLATION, 'g'))) {
    depth += mark === ISOLATE_START ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Style that swaps the logos in the dark theme. */
const SWAP = `
@media(prefers-color-scheme:dark){.on-light{display:none!important}.on-dark{display:inline!important}}`

/**
 * Lays out the logo in front of the name. Its address is the same in all mails, so a request for it reveals nothing about the recipient. A
 * mail program that loads no images shows the name alone.
 */
function logoOf({ logo, logoDark }: Brand, publicUrl: string, direction: 'ltr' | 'rtl'): string {
  const margin = direction === 'rtl' ? '0 0 0 10px' : '0 10px 0 0'
  const image = ({ hash }: BrandLogo, theme: string, style: string) =>
    `<img class="${theme}" src="${publicUrl}${logoPath(hash, 96)}" alt="" width="28" height="28" style="${style}vertical-align:middle;margin:${margin};border:0">`
  if (logo === null) return ''
  return `${image(logo, logoDark === null ? 'mark' : 'on-light', '')}${logoDark === null ? '' : image(logoDark, 'on-dark', 'display:none;mso-hide:all;')}`
}

/**
 * Lays out a mail as plain text and HTML. The page fits 360 px and wider, has both themes, and no images but the logo.
 * @param publicUrl address of the platform, which serves the logo
 * @param blocks any text; cleaned and escaped here
 */
export function layOutMail(
  { brand, publicUrl }: Pick<Config, 'brand' | 'publicUrl'>,
  { language, direction, t }: Pick<MailLanguage, 'language' | 'direction' | 't'>,
  subject: string,
  blocks: readonly MailBlock[],
): { text: string; html: string } {
  const { name: brandName, accent, logoDark, links } = brand
  const colours = coloursOf(accent)
  const line = (typed: string) => oneLine(typed, direction)
  const value = (typed: string) => (direction === 'rtl' ? ISOLATE_START + oneLine(typed) + ISOLATE_END : oneLine(typed))
  const parts = blocks.map((block) => layOutBlock(block, colours, { t, line, value }))
  // English mails stay as they were; text runs from left to right by default.
  const dir = direction === 'rtl' ? ' dir="rtl"' : ''
  const foot = links.map(([label, url]) => `${label(t)}: ${url}`)
  const text = `${[...parts.map((part) => part.text), [brandName, ...foot].join('\n')].join('\n\n')}\n`
  const html = `<!doctype html>
<html lang="${language}"${dir}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escape(line(subject))}</title><style>${styleOf(colours)}${logoDark === null ? '' : SWAP}</style></head>
<body class="page"${dir} style="margin:0;padding:24px 12px;background:#f3f6f6;${FONT};-webkit-text-size-adjust:100%">
<main><table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;margin:0 auto;table-layout:fixed;border-collapse:separate"><tr>
<td class="card ink" style="padding:32px;background:#ffffff;border:1px solid #e1e7e8;border-radius:12px;color:#16232a;font-size:16px;line-height:1.5;${WRAP}">
<p class="link" style="margin:0 0 24px;font-size:19px;font-weight:650;letter-spacing:-0.01em;color:${colours.link.light}">${logoOf(brand, publicUrl, direction)}${escape(oneLine(brandName))}</p>
<h1 class="ink" style="margin:0 0 20px;font-size:22px;line-height:1.3;letter-spacing:-0.01em;color:#16232a">${escape(line(headingOf(brandName, subject)))}</h1>
${[...parts.map((part) => part.html), ...footOf(links, t)].join('\n')}
</td></tr></table></main>
</body></html>
`
  return { text, html }
}

/** Returns the subject without its brand prefix, with a capital letter. */
function headingOf(brandName: string, subject: string): string {
  const heading = subject.startsWith(`${brandName}: `) ? subject.slice(brandName.length + 2) : subject
  return heading.charAt(0).toUpperCase() + heading.slice(1)
}

/** Lays out the links of the operator. */
function footOf(links: Brand['links'], t: Translate): string[] {
  if (links.length === 0) return []
  const list = links.map(([label, url]) => `<a class="quiet" href="${escape(url)}" style="color:#56656b">${escape(label(t))}</a>`)
  return [`<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#56656b">${list.join(' · ')}</p>`]
}

/** Writes the texts of a language: cleans a line, and a value, whose order the direction of the text does not change. */
interface Writer {
  t: Translate
  line: (text: string) => string
  value: (text: string) => string
}

function layOutBlock(block: MailBlock, { button }: Colours, { t, line, value }: Writer): { text: string; html: string } {
  switch (block.kind) {
    case 'text': {
      const clean = line(block.text)
      return { text: clean, html: `<p style="margin:0 0 16px">${escape(clean)}</p>` }
    }
    case 'code':
      return {
        text: `    ${block.code}`,
        html: `<p class="raised ink" style="margin:0 0 16px;padding:14px 8px;border-radius:8px;background:#eff4f4;text-align:center;font-size:28px;font-weight:700;letter-spacing:6px;color:#16232a;${MONO}">${escape(block.code)}</p>`,
      }
    case 'facts':
      return { text: block.rows.map(([label, shown]) => `${label}: ${value(shown)}`).join('\n'), html: factTable(block.rows, value) }
    case 'button':
      return {
        text: block.url,
        html: `<p style="margin:24px 0 12px"><a href="${escape(block.url)}" style="display:inline-block;padding:13px 22px;border-radius:8px;background:${button.fill};color:${button.ink};font-weight:600;text-decoration:none">${escape(line(block.label))}</a></p>
<p class="quiet" style="margin:0 0 16px;font-size:13px;color:#56656b">${escape(t('Or copy this link:'))} ${escape(block.url)}</p>`,
      }
  }
}

/** Lays out labels on the left and values on the right. Long addresses wrap. */
function factTable(rows: readonly MailFact[], value: Writer['value']): string {
  const lines = rows.map(
    ([label, shown]) =>
      `<tr><td class="quiet" style="padding:7px 12px 7px 14px;width:32%;vertical-align:top;font-size:14px;color:#56656b">${escape(oneLine(label))}</td><td class="ink" style="padding:7px 14px 7px 0;vertical-align:top;font-weight:600;color:#16232a;${WRAP}">${escape(value(shown))}</td></tr>`,
  )
  return `<table class="raised" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;width:100%;table-layout:fixed;border-collapse:separate;border-radius:8px;background:#eff4f4">${lines.join('')}</table>`
}
