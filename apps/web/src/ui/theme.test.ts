import { readFileSync } from 'node:fs'
import path from 'node:path'
import { accentTokens, contrastOf } from '@tizara/contract/brand-tokens'
import { expect, it } from 'vitest'

const css = readFileSync(path.join(import.meta.dirname, 'theme.css'), 'utf8')
const [, light = ''] = /:root \{([^}]+)\}/.exec(css) ?? []
const [, dark = ''] = /html:has\(> body\.dark\) \{([^}]+)\}/.exec(css) ?? []

it('defines each colour of an accent in both themes', () => {
  for (const [name] of Object.entries(accentTokens('#1a73e8').light)) {
    expect(light).toMatch(new RegExp(`--${name}: `))
    expect(dark).toMatch(new RegExp(`--${name}: `))
  }
})

it('has the surfaces for which the accent is computed', () => {
  // Lightness of the surfaces in OKLCH; a change of them also changes SURFACES of brand-tokens.ts.
  const lightness = (block: string, name: string) => new RegExp(`--${name}: (#fff|oklch\\([\\d.]+%)`).exec(block)?.[1]
  expect(['surface', 'bg', 'raised', 'hover'].map((name) => lightness(light, name))).toEqual([
    '#fff',
    'oklch(98.7%',
    'oklch(97.4%',
    'oklch(96.2%',
  ])
  expect(['bg', 'surface', 'raised', 'hover'].map((name) => lightness(dark, name))).toEqual([
    'oklch(16.8%',
    'oklch(20.4%',
    'oklch(23.4%',
    'oklch(25.6%',
  ])
  expect(contrastOf(accentTokens('#1a73e8').light['accent-text'], '#eef4f5')).toBeGreaterThanOrEqual(4.5)
})
