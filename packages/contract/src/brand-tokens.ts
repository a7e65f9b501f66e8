/**
 * Computes the colours of both themes from one accent colour (docs/decisions/0063-brand.md). Pages, mails and the console's preview use
 * the same function. Lightness moves as little as needed for the contrast of WCAG 2.2: 4.5:1 for text, 3:1 for fills and lines.
 */

/** Colour in sRGB, each channel from 0 to 1. */
type Rgb = readonly [number, number, number]
/** Lightness from 0 to 1, chroma, and hue in radians (OKLCH, https://bottosson.github.io/posts/oklab/). */
interface Lch {
  l: number
  c: number
  h: number
}

/** Colours of one theme that follow the accent, by the name of their CSS variable. */
export type AccentTokens = Readonly<Record<(typeof TOKENS)[number], string>>
const TOKENS = ['accent', 'accent-hover', 'accent-ink', 'accent-soft', 'accent-line', 'accent-text', 'c1', 'c2'] as const

/** Surface, background, raised and hovered surface of each theme (theme.css), on which accented text is drawn. */
const SURFACES = {
  light: ['#ffffff', '#f9fbfc', '#f3f7f8', '#eef4f5'],
  dark: ['#0a1013', '#11181c', '#171f24', '#1c242a'],
} as const
const TEXT_CONTRAST = 4.5
const FILL_CONTRAST = 3
/** Step of the search for a lightness. */
const STEP = 0.005

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const gamma = (channel: number) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

const parse = (hex: string): Rgb => {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

const format = (rgb: Rgb): string =>
  `#${rgb
    .map((channel) =>
      Math.round(Math.min(1, Math.max(0, channel)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [r, g, b] = parse(hex)
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/** Contrast ratio of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2). */
export const contrastOf = (one: string, other: string): number => ratioOf(luminance(one), luminance(other))

const ratioOf = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

function toLch(hex: string): Lch {
  const [r, g, b] = parse(hex).map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) }
}

function toRgb({ l, c, h }: Lch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    gamma(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
    gamma(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
    gamma(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z),
  ]
}

/** Formats a colour with the highest chroma, at most its own, that sRGB has at its lightness. */
function toHex(colour: Lch): string {
  const fits = (c: number) => toRgb({ ...colour, c }).every((channel) => channel >= -0.0005 && channel <= 1.0005)
  if (fits(colour.c)) return format(toRgb(colour))
  let [low, high] = [0, colour.c]
  for (let step = 0; step < 16; step += 1) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return format(toRgb({ ...colour, c: low }))
}

/** Returns the colour of the nearest lightness that passes a check. Black or white always passes the checks below. */
function nearest(colour: Lch, start: number, passes: (hex: string) => boolean): string {
  for (let distance = 0; distance <= 1; distance += STEP)
    for (const l of [start - distance, start + distance]) {
      if (l < 0 || l > 1) continue
      const hex = toHex({ ...colour, l })
      if (passes(hex)) return hex
    }
  throw new Error('no lightness passes')
}

function against(surfaces: readonly string[], ratio: number): (hex: string) => boolean {
  const known = surfaces.map(luminance)
  return (hex) => {
    const own = luminance(hex)
    return known.every((one) => ratioOf(own, one) >= ratio)
  }
}
const inkOn = (fill: string): string => (contrastOf('#ffffff', fill) >= TEXT_CONTRAST ? '#ffffff' : '#000000')

function themeOf(accent: string, theme: 'light' | 'dark'): AccentTokens {
  const colour = toLch(accent)
  const surfaces = SURFACES[theme]
  const soft = toHex({ ...colour, l: theme === 'light' ? 0.954 : 0.275, c: Math.min(colour.c, theme === 'light' ? 0.025 : 0.04) })
  const isFill = against(surfaces, FILL_CONTRAST)
  // The given colour itself, if it passes: a conversion could round it to a neighbour.
  const fill = isFill(accent) ? accent : nearest(colour, colour.l, isFill)
  const ink = inkOn(fill)
  const hoverStart = toLch(fill).l + (ink === '#ffffff' ? -0.05 : 0.05)
  const isText = against([...surfaces, soft], TEXT_CONTRAST)
  const text = isText(fill) ? fill : nearest(colour, toLch(fill).l, isText)
  return {
    accent: fill,
    'accent-hover': nearest(colour, hoverStart, (hex) => contrastOf(hex, ink) >= TEXT_CONTRAST),
    'accent-ink': ink,
    'accent-soft': soft,
    'accent-line': fill,
    'accent-text': text,
    c1: fill,
    c2: toHex({ ...colour, c: colour.c * 0.85, l: theme === 'light' ? 0.67 : 0.58 }),
  }
}

/**
 * Computes the colours of both themes.
 * @param accent colour as `#rrggbb`
 */
export const accentTokens = (accent: string): { light: AccentTokens; dark: AccentTokens } => ({
  light: themeOf(accent, 'light'),
  dark: themeOf(accent, 'dark'),
})
