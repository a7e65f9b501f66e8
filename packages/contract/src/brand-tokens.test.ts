import { expect, it } from 'vitest'
import { accentTokens, contrastOf } from './brand-tokens.ts'

const SURFACES = {
  light: ['#ffffff', '#f9fbfc', '#f3f7f8', '#eef4f5'],
  dark: ['#0a1013', '#11181c', '#171f24', '#1c242a'],
} as const

/** Converts a hue in degrees, saturation and lightness from 0 to 1 to `#rrggbb`. */
function hsl(hue: number, saturation: number, lightness: number): string {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}

it('computes contrast ratios by WCAG 2.2', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

it('keeps 4.5:1 for text and 3:1 for fills in both themes, for 360 hues at each lightness', () => {
  const faults: string[] = []
  for (let hue = 0; hue < 360; hue += 1)
    for (const lightness of hue % 2 === 0 ? [0, 0.3, 0.6, 0.9] : [0.15, 0.45, 0.75, 1]) {
      const accent = hsl(hue, hue % 3 === 0 ? 0.5 : 1, lightness)
      const themes = accentTokens(accent)
      for (const theme of ['light', 'dark'] as const) {
        const tokens = themes[theme]
        const pairs: [what: string, ratio: number, one: string, other: string][] = [
          ['ink', 4.5, tokens['accent-ink'], tokens.accent],
          ['hover', 4.5, tokens['accent-ink'], tokens['accent-hover']],
          ['text on soft', 4.5, tokens['accent-text'], tokens['accent-soft']],
          ...SURFACES[theme].flatMap((surface): [string, number, string, string][] => [
            ['text', 4.5, tokens['accent-text'], surface],
            ['fill', 3, tokens.accent, surface],
            ['line', 3, tokens['accent-line'], surface],
          ]),
        ]
        for (const [what, ratio, one, other] of pairs)
          if (!(contrastOf(one, other) >= ratio)) faults.push(`${accent} ${theme}: ${what} ${one} on ${other}`)
      }
    }
  expect(faults).toEqual([])
})

it('uses the given colour itself where its contrast suffices', () => {
  expect(accentTokens('#0b57d0').light).toMatchObject({ accent: '#0b57d0', 'accent-text': '#0b57d0', 'accent-ink': '#ffffff' })
  expect(accentTokens('#ffd400').dark).toMatchObject({ accent: '#ffd400', 'accent-text': '#ffd400', 'accent-ink': '#000000' })
})
